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

from talleyrand.tournament import codec, invariants, public_view, regulations
from talleyrand.tournament.acts.act import check_name
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.model import Event, EventRound, RoundState
from talleyrand.tournament.round_timing import parse_time
from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import topic_versions
from talleyrand.web.tournaments.event_documents import document_from_event, event_days
from talleyrand.web.tournaments.event_journal import tournament_topic
from talleyrand.web.tournaments.models import Tournament, random_token

from .copy_parcels import CopyParcel
from .models import HeldCopy

MOST_COPIES = 20  # copies of one keeper
SECRET_PREFIX = "tlc_"  # noqa: S105 what every secret begins with
SECRET_PATTERN = re.compile(rf"{SECRET_PREFIX}[A-Za-z0-9_-]{{43}}")
EMPTY_COPY_NAME = "…"  # the name of a copy that nothing has been sent to
CLOCK_TOLERANCE = timedelta(seconds=2)  # clocks that differ by less are the same


class TooManyCopies(Exception):
    """The keeper has MOST copies."""


class ParcelOutcome(Enum):
    """What became of a parcel."""

    ACCEPTED = auto()
    OLDER = auto()  # than what is held
    WHOLE_NEEDED = auto()  # what is held is another: it has to be sent whole
    ENDED = auto()


def secret_digest(told: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(told.encode()).hexdigest()


def copies_of(keeper: Person) -> QuerySet[HeldCopy]:
    """Somebody's copies, the newest first."""
    return HeldCopy.objects.filter(holder=keeper).select_related("tournament")


def create_copy(keeper: Person, submission: str) -> tuple[HeldCopy, str]:
    """A new copy and its secret, which is told once; the same submission again: the same, and no secret.

    Raises TooManyCopies.
    """
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=keeper.pk)
        known = copies_of(keeper).filter(submission_id=submission).first()
        if known is not None:
            return known, ""
        if copies_of(keeper).count() >= MOST_COPIES:
            raise TooManyCopies
        fresh, now = SECRET_PREFIX + secrets.token_urlsafe(32), timezone.now()
        row = Tournament.objects.create(
            name=EMPTY_COPY_NAME,
            document=document_from_event(Event(EMPTY_COPY_NAME)),
            creator=keeper,
            created_at=now,
            copied_at=now,
        )
        facts = {"submission_id": submission, "secret_digest": secret_digest(fresh), "created_at": now}
        return HeldCopy.objects.create(tournament=row, holder=keeper, **facts), fresh


def renew_copy_secret(copy: HeldCopy) -> str:
    """Another secret; what is sent with it may be older than what is held: an event may be restored."""
    fresh = SECRET_PREFIX + secrets.token_urlsafe(32)
    HeldCopy.objects.filter(pk=copy.pk).update(
        secret_digest=secret_digest(fresh), version=None, content_mark=""
    )
    return fresh


def delete_copy(copy: HeldCopy) -> None:
    """The copy goes, and all that it shows."""
    Tournament.objects.filter(pk=copy.tournament_id, copied_at__isnull=False).delete()


def find_copy(key: str, told: str) -> HeldCopy | None:
    """The copy of an address, for whoever has its secret."""
    found = HeldCopy.objects.select_related("tournament").filter(tournament__key=key).first()
    known = found.secret_digest if found is not None else secret_digest("")
    right = SECRET_PATTERN.fullmatch(told) is not None and hmac.compare_digest(secret_digest(told), known)
    return found if right else None


def accept_parcel(copy: HeldCopy, parcel: CopyParcel) -> ParcelOutcome:
    """Show what was sent, unless it is older or the same; raises InvalidEvent, InconsistentEvent where it
    cannot be.
    """
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=copy.tournament_id)
        held = HeldCopy.objects.get(pk=copy.pk)
        if parcel.end:
            row.delete()
            return ParcelOutcome.ENDED
        if held.version is not None and parcel.version < held.version:
            return ParcelOutcome.OLDER
        if (parcel.version, parcel.mark) != (held.version, held.content_mark):
            if parcel.event is None:
                return ParcelOutcome.WHOLE_NEEDED
            _show(row, parcel, parcel.event)
            HeldCopy.objects.filter(pk=held.pk).update(version=parcel.version, content_mark=parcel.mark)
        Tournament.objects.filter(pk=row.pk).update(copied_at=timezone.now())
        return ParcelOutcome.ACCEPTED


def _show(row: Tournament, parcel: CopyParcel, sent: Event) -> None:
    ahead = _ahead(parcel.now)
    rounds = {at: _ours(one, ahead) for at, one in public_view.visible_event(sent).rounds.items()}
    event = replace(public_view.visible_event(sent), signups=False, rounds=rounds)
    invariants.check_invariants(
        replace(event, rounds={at: _complete_round(one) for at, one in event.rounds.items()})
    )
    regulations.read_regulations(event.regulations)
    row.document, row.version, row.state_token = document_from_event(event), parcel.version, random_token()
    row.name, row.first_day, row.last_day = check_name(event.name, LONGEST_NAME), *event_days(event).values()
    row.copied_awards, row.is_listed = codec.write_value(parcel.prizes), True
    row.save()
    topic_versions.bump(tournament_topic(row.key))


def _complete_round(one: EventRound) -> EventRound:
    """A round whose results are hidden, as one that has none yet."""
    hidden = one.state is RoundState.CLOSED and not one.revealed
    return replace(one, state=RoundState.PLAYING) if hidden else one


def _ahead(now: str) -> timedelta:
    """How far our clock is ahead of the source's."""
    theirs = parse_time(now)
    ahead = timezone.now() - theirs if theirs is not None else timedelta()
    return ahead if abs(ahead) > CLOCK_TOLERANCE else timedelta()


def _ours(one: EventRound, ahead: timedelta) -> EventRound:
    """A round here: its games are of the other site, and the clock of a laptop may be minutes wrong."""
    boards = {at: replace(held, game="") for at, held in one.boards.items()}
    clock = replace(one.clock, started=_shifted(one.clock.started, ahead))
    return replace(one, boards=boards, clock=clock)


def _shifted(started: str, ahead: timedelta) -> str:
    found = parse_time(started)
    return (found + ahead).isoformat() if ahead and found is not None else started
