"""Copies that are held here: made, filled by whoever has the secret, taken away; nobody else changes them."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import replace
from datetime import timedelta
from enum import Enum, auto

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.tournament import codec, public, regulations, soundness
from talleyrand.tournament.acts.act import check_name
from talleyrand.tournament.acts.events import LONGEST_NAME
from talleyrand.tournament.model import Event, Round, RoundState
from talleyrand.tournament.timing import moment
from talleyrand.web.accounts.models import Person
from talleyrand.web.notices import counters
from talleyrand.web.tournaments.documents import days_of, document_of
from talleyrand.web.tournaments.journal import topic
from talleyrand.web.tournaments.models import Tournament, secret

from .models import Copy
from .parcels import Parcel

MOST = 20  # copies of one keeper
BEGINNING = "tlc_"
FORM = re.compile(rf"{BEGINNING}[A-Za-z0-9_-]{{43}}")
WAITS = "…"  # the name of a copy that nothing has been sent to
AHEAD = timedelta(seconds=2)  # clocks that differ by less are the same


class TooMany(Exception):
    """The keeper has MOST copies."""


class Taken(Enum):
    """What became of a parcel."""

    WELL = auto()
    OLDER = auto()  # than what is held
    WANTED = auto()  # what is held is another: it has to be sent whole
    ENDED = auto()


def digest(told: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(told.encode()).hexdigest()


def of(keeper: Person) -> QuerySet[Copy]:
    """Somebody's copies, the newest first."""
    return Copy.objects.filter(keeper=keeper).select_related("tournament")


def hold(keeper: Person, submission: str) -> tuple[Copy, str]:
    """A new copy and its secret, which is told once; the same submission again: the same, and no secret.

    Raises TooMany.
    """
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=keeper.pk)
        known = of(keeper).filter(submission=submission).first()
        if known is not None:
            return known, ""
        if of(keeper).count() >= MOST:
            raise TooMany
        fresh, now = BEGINNING + secrets.token_urlsafe(32), timezone.now()
        row = Tournament.objects.create(
            name=WAITS, document=document_of(Event(WAITS)), creator=keeper, created=now, copied=now
        )
        facts = {"submission": submission, "digest": digest(fresh), "made": now}
        return Copy.objects.create(tournament=row, keeper=keeper, **facts), fresh


def renew(copy: Copy) -> str:
    """Another secret; what is sent with it may be older than what is held: an event may be restored."""
    fresh = BEGINNING + secrets.token_urlsafe(32)
    Copy.objects.filter(pk=copy.pk).update(digest=digest(fresh), version=None, mark="")
    return fresh


def drop(copy: Copy) -> None:
    """The copy goes, and all that it shows."""
    Tournament.objects.filter(pk=copy.tournament_id, copied__isnull=False).delete()


def find(key: str, told: str) -> Copy | None:
    """The copy of an address, for whoever has its secret."""
    found = Copy.objects.select_related("tournament").filter(tournament__key=key).first()
    known = found.digest if found is not None else digest("")
    right = FORM.fullmatch(told) is not None and hmac.compare_digest(digest(told), known)
    return found if right else None


def take(copy: Copy, parcel: Parcel) -> Taken:
    """Show what was sent, unless it is older or the same; raises BadEvent, Unsound where it cannot be."""
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=copy.tournament_id)
        held = Copy.objects.get(pk=copy.pk)
        if parcel.end:
            row.delete()
            return Taken.ENDED
        if held.version is not None and parcel.version < held.version:
            return Taken.OLDER
        if (parcel.version, parcel.mark) != (held.version, held.mark):
            if parcel.event is None:
                return Taken.WANTED
            _show(row, parcel, parcel.event)
            Copy.objects.filter(pk=held.pk).update(version=parcel.version, mark=parcel.mark)
        Tournament.objects.filter(pk=row.pk).update(copied=timezone.now())
        return Taken.WELL


def _show(row: Tournament, parcel: Parcel, sent: Event) -> None:
    ahead = _ahead(parcel.now)
    rounds = {at: _ours(one, ahead) for at, one in public.seen(sent).rounds.items()}
    event = replace(public.seen(sent), signups=False, rounds=rounds)
    soundness.check(replace(event, rounds={at: _whole(one) for at, one in event.rounds.items()}))
    regulations.read(event.regulations)
    row.document, row.version, row.stamp = document_of(event), parcel.version, secret()
    row.name, row.opens, row.ends = check_name(event.name, LONGEST_NAME), *days_of(event).values()
    row.awards, row.listed = codec.write(parcel.prizes), True
    row.save()
    counters.bump(topic(row.key))


def _whole(one: Round) -> Round:
    """A round whose results are hidden, as one that has none yet."""
    hidden = one.state is RoundState.CLOSED and not one.revealed
    return replace(one, state=RoundState.PLAYING) if hidden else one


def _ahead(now: str) -> timedelta:
    """How far our clock is ahead of the source's."""
    theirs = moment(now)
    ahead = timezone.now() - theirs if theirs is not None else timedelta()
    return ahead if abs(ahead) > AHEAD else timedelta()


def _ours(one: Round, ahead: timedelta) -> Round:
    """A round here: its games are of the other site, and the clock of a laptop may be minutes wrong."""
    boards = {at: replace(held, game="") for at, held in one.boards.items()}
    clock = replace(one.clock, started=_shifted(one.clock.started, ahead))
    return replace(one, boards=boards, clock=clock)


def _shifted(started: str, ahead: timedelta) -> str:
    found = moment(started)
    return (found + ahead).isoformat() if ahead and found is not None else started
