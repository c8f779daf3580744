"""Queues for the usual games: as soon as enough people wait, the game begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, count
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from talleyrand import variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_entry
from talleyrand.web.games.deadlines.date_texts import day_text
from talleyrand.web.games.deadlines.deadline_presets import DEADLINE_PRESETS, default_minimum
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.finding_models import PlayerQueue, QueuePlace
from talleyrand.web.games.game_settings import GameSettings, PressSetting
from talleyrand.web.games.models import Game, GameMembership, GameRole

from . import game_creation, game_start, newcomer_limits
from .lobby_refusals import LobbyRefusal

VARIANT = "classic"


@dataclass(frozen=True)
class QueueKind:
    """What is played by those who wait, and how long they are taken to wait."""

    pace: str
    patience: timedelta
    terms: dict[str, Any] = field(default_factory=dict)
    first: timedelta = timedelta(0)  # the first phase lasts so long at least: nobody knows when it begins

    def game_settings(self, zone: str) -> GameSettings:
        movement, between = DEADLINE_PRESETS[self.pace]
        rhythm = DeadlineSettings(
            movement,
            between,
            time_zone=zone,
            first=self.first,
            minimum=default_minimum(movement, between),
        )
        return GameSettings(rhythm=rhythm.as_json(), submissions_shown=True, **self.terms)


MONTH = timedelta(days=30)
SILENT: dict[str, Any] = {"press": PressSetting.NONE}
QUEUES: dict[str, QueueKind] = {
    "press-fr": QueueKind("two_days", MONTH, {"language": "fr"}, timedelta(days=3)),
    "press-en": QueueKind("two_days", MONTH, {"language": "en"}, timedelta(days=3)),
    "silent": QueueKind("daily", MONTH, SILENT, timedelta(days=2)),
    "blitz": QueueKind(
        "live", timedelta(hours=2), {**SILENT, "patience": 1, "absence_days": 0}, timedelta(minutes=30)
    ),
}


def queue_titles() -> dict[str, tuple[str, str]]:
    """What each kind is called, and what is played."""
    press = _("48 hours a phase, messages in %(language)s, anonymous until the end.")
    return {
        "press-fr": (_("With messages, in French"), press % {"language": _("French")}),
        "press-en": (_("With messages, in English"), press % {"language": _("English")}),
        "silent": (_("Without messages"), _("One phase a day, at 20:00, anonymous until the end.")),
        "blitz": (_("In one evening"), _("15 minutes a phase, no messages. You wait two hours at most.")),
    }


def people_needed() -> int:
    """How many a game needs."""
    return len(variants.load(VARIANT).definition.players)


@dataclass(frozen=True)
class PlayerQueueStatus:
    """A queue as its reader sees it: how many wait, never who."""

    kind: str
    title: str
    sentence: str
    waiting: int
    needed: int
    until: datetime | None  # since one waits there oneself


def queue_statuses(person: Person | None, now: datetime) -> list[PlayerQueueStatus]:
    """All queues."""
    counted = PlayerQueue.objects.annotate(waiting=Count("places", filter=_waiting(now, "places__")))
    counts = dict(counted.values_list("kind", "waiting"))
    mine = QueuePlace.objects.filter(person=person, expires_at__gt=now)
    until = dict(mine.values_list("queue__kind", "expires_at")) if person else {}
    return [
        PlayerQueueStatus(kind, title, sentence, counts.get(kind, 0), people_needed(), until.get(kind))
        for kind, (title, sentence) in queue_titles().items()
    ]


def _waiting(now: datetime, prefix: str = "") -> Q:
    return Q(**{f"{prefix}expires_at__gt": now, f"{prefix}person__is_active": True})


@write_transaction
def join_queue(kind: str, person: Person, now: datetime) -> Game | None:
    """Wait for a game; the game that begins where one was the last it lacked. Raises LobbyRefusal.

    Whoever waits already goes on waiting, from now on.
    """
    if kind not in QUEUES:
        raise LobbyRefusal("no_queue")
    queue = _locked(kind)
    QueuePlace.objects.filter(queue=queue, expires_at__lte=now).delete()
    expires = now + QUEUES[kind].patience
    QueuePlace.objects.update_or_create(
        queue=queue,
        person=person,
        defaults={"expires_at": expires},
        create_defaults={"expires_at": expires, "joined_at": now},
    )
    waiting = queue.places.filter(_waiting(now)).select_related("person")
    places = list(waiting.select_for_update(of=("self",))[: people_needed()])  # who leaves the site is out
    game_entry.lock_person(person)
    if limit := newcomer_limits.why_no_more_games(person):
        raise LobbyRefusal(limit)
    return _begin(kind, [one.person for one in places], now) if len(places) == people_needed() else None


@write_transaction
def leave_queue(kind: str, person: Person) -> None:
    """Wait no more; whoever does not wait is no fault. Raises LobbyRefusal."""
    if kind not in QUEUES:
        raise LobbyRefusal("no_queue")
    _locked(kind).places.filter(person=person).delete()


def _locked(kind: str) -> PlayerQueue:
    """A queue, with all the others held: whoever gets a game waits in none of them any more."""
    PlayerQueue.objects.get_or_create(kind=kind)
    return next(one for one in PlayerQueue.objects.select_for_update().order_by("pk") if one.kind == kind)


def _begin(kind: str, people: list[Person], now: datetime) -> Game:
    """The game of those who have waited longest; each of them waits for no other."""
    game = game_creation.create_game(_plan(kind, people[0], now), people[0], "")
    for person in people[1:]:
        GameMembership.objects.create(game=game, person=person, role=GameRole.PLAYER)
    QueuePlace.objects.filter(person__in=people).delete()
    return game_start.start_game(game, now)


def _plan(kind: str, eldest: Person, now: datetime) -> game_creation.GamePlan:
    terms = QUEUES[kind].game_settings(eldest.time_zone)
    language = terms.language or settings.LANGUAGE_CODE
    with override(language):
        day = _("Game of %(day)s") % {"day": day_text(f"{timezone.localtime(now):%F}", language)}
        known = set(Game.objects.filter(name__startswith=day).values_list("name", flat=True))
        numbers = (_("%(name)s, no. %(number)s") % {"name": day, "number": one} for one in count(2))
        name = next(one for one in chain([day], numbers) if one not in known)
    return game_creation.GamePlan(
        name, VARIANT, FALLBACK, terms, is_listed=True, role=GameRole.PLAYER, is_announced=False
    )
