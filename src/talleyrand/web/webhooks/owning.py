"""What somebody does with his hooks; pages and the API call it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web import background, rates
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, Membership, secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.notices.kinds import KINDS

from . import destinations, telling
from .models import LONGEST_NOTE, Call, Hook

MOST = 10  # hooks of one person
MOST_TRIALS, TRIAL_TIME = 10, timedelta(minutes=10)
TRIALS_OF_ONE = (30, 600)  # of all hooks of a person, those deleted since too
LISTED = 30  # calls that are shown


class NotPossible(Exception):
    """Why not: `many`, `address`, `kinds`, `game`, `waiting` or `often`; `detail` says more of an address."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


@dataclass(frozen=True)
class Wanted:
    """A hook as somebody asks for it: no kinds are all of them, no game is all of his."""

    address: str
    kinds: Sequence[str] = ()
    game: str = ""
    note: str = ""


def kinds() -> list[str]:
    """What a hook may hear, by name."""
    return [kind for kind in KINDS if kind != telling.PAUSED]


def of(person: Person) -> QuerySet[Hook]:
    """Somebody’s hooks, in the order in which they were added."""
    return Hook.objects.filter(person=person).select_related("game")


def games(person: Person) -> list[Game]:
    """The games whose news somebody hears, the newest first."""
    mine = Membership.objects.filter(person=person, left=None).values("game")
    return list(Game.objects.filter(pk__in=mine).order_by("-pk"))


def every_call(hook: Hook) -> QuerySet[Call]:
    """All that are kept, the newest first."""
    return Call.objects.filter(hook=hook)


def calls(hook: Hook) -> list[Call]:
    """The last ones, the newest first."""
    return list(every_call(hook)[:LISTED])


@writing
def add(person: Person, wanted: Wanted, submission: str, now: datetime) -> tuple[Hook, bool]:
    """Add a hook; the same `submission` again gives the same, and False. Raises NotPossible."""
    Person.objects.select_for_update().get(pk=person.pk)
    known = Hook.objects.filter(person=person, submission=submission).first()
    if known is not None:
        return known, False
    if of(person).count() >= MOST:
        raise NotPossible("many")
    hook = Hook(person=person, submission=submission, made=now, **_read(person, wanted))
    hook.save()
    return hook, True


def _read(person: Person, wanted: Wanted) -> dict[str, object]:
    try:
        destinations.read(wanted.address)
    except destinations.NotAllowed as refused:
        raise NotPossible("address", refused.code) from refused
    return {
        "address": wanted.address.strip(),
        "kinds": _kinds(wanted.kinds),
        "game": _game(person, wanted.game) if wanted.game else None,
        "note": " ".join(wanted.note.replace("\0", "").split())[:LONGEST_NOTE],
    }


def _kinds(named: Iterable[str]) -> list[str]:
    asked = set(named)
    if not asked <= set(kinds()):
        raise NotPossible("kinds")
    return [kind for kind in kinds() if kind in asked]


def _game(person: Person, key: str) -> Game:
    """A game that he hears of: he has a role in it."""
    game = Game.objects.filter(key=key).first() if "\0" not in key else None
    if game is None or not Sight(game, person).role:
        raise NotPossible("game")
    return game


@writing
def pause(hook: Hook, now: datetime) -> None:
    """What happens from now on is not told, and what waits is not sent; twice does no harm."""
    if Hook.objects.filter(pk=hook.pk, paused=None).update(paused=now, why="owner"):
        Call.objects.filter(hook=hook, outcome="").exclude(kind=telling.TRIAL).update(outcome="paused")


@writing
def pause_renewed(person: Person, **_more: Any) -> None:
    """Pause the hooks of somebody with a new password: whoever knew the old one may have added some."""
    now = timezone.now()
    awake = list(Hook.objects.filter(person=person, paused=None).values_list("pk", flat=True))
    Hook.objects.filter(pk__in=awake, paused=None).update(paused=now, why="password")
    Call.objects.filter(hook__in=awake, outcome="").exclude(kind=telling.TRIAL).update(outcome="paused")


@writing
def resume(hook: Hook) -> None:
    """Tell what happens from now on."""
    fresh = {"paused": None, "why": "", "failures": 0, "failing_since": None, "rests_until": None}
    if Hook.objects.filter(pk=hook.pk).exclude(paused=None).update(**fresh):
        Call.objects.filter(hook=hook, outcome="").exclude(kind=telling.TRIAL).update(outcome="paused")


def delete(hook: Hook) -> None:
    """With all that was called."""
    Hook.objects.filter(pk=hook.pk).delete()


@writing
def renew(hook: Hook, seal: str) -> bool:
    """Give a hook another secret, unless another form has: the former one is worth nothing any more."""
    changed = bool(Hook.objects.filter(pk=hook.pk, seal=seal).update(seal=secret()))
    hook.refresh_from_db(fields=["seal"])
    return changed


@writing
def trial(hook: Hook, now: datetime) -> Call:
    """Call a hook once to see whether it hears, paused or not. Raises NotPossible."""
    Hook.objects.select_for_update().get(pk=hook.pk)
    tried = Call.objects.filter(hook=hook, kind=telling.TRIAL)
    if tried.filter(outcome="").exists():
        raise NotPossible("waiting")
    if tried.filter(made__gt=now - TRIAL_TIME).count() >= MOST_TRIALS:
        raise NotPossible("often")
    # Of a person too, who could add and delete hooks to have us knock at any door without end.
    if rates.take("webhook_trial", hook.person_id, TRIALS_OF_ONE).wait:
        raise NotPossible("often")
    body = telling.written(telling.TRIAL, {}, now)
    made = telling.call(hook, telling.TRIAL, f"{telling.TRIAL}:{secret()}", "", body, now)
    made.save()
    background.soon(telling.JOB)
    return made
