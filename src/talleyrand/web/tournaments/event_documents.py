"""The event of a tournament, read from its document."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date, datetime
from threading import Lock
from typing import NamedTuple

from django.http import Http404
from django.shortcuts import get_object_or_404

from talleyrand.tournament import codec, public_view
from talleyrand.tournament.model import Event, OnlineBoards

from .models import Json, Tournament

STATE_FIELDS = (
    "document",
    "version",
    "state_token",
    "name",
    "first_day",
    "last_day",
    "follows_games",
)  # what one act may change
MOST_CACHED = 16  # events a process keeps read: a weekend's screens ask for the same one again and again


class CachedEvent(NamedTuple):
    """One state of a tournament."""

    stamp: str
    document: Json
    event: Event


_read: OrderedDict[str, Event] = OrderedDict()
_last: OrderedDict[int, CachedEvent] = OrderedDict()  # of each tournament
_shown: OrderedDict[int, tuple[Event, Event]] = OrderedDict()  # by identity, with what all see of it
_lock = Lock()


def tournament_or_404(key: str) -> Tournament:
    """A tournament, to be looked at: its document, which is long, is read where its event is not known yet.

    Raises Http404 where there is none.
    """
    return get_object_or_404(Tournament.objects.defer("document"), key=key)


def event_of(tournament: Tournament) -> Event:
    """The event as it is; a value that anybody may keep. Raises Http404 for one that has just gone."""
    return _known(tournament) or document_and_event(tournament)[1]


def document_and_event(tournament: Tournament) -> tuple[Json, Event]:
    """The document and the event as they are, of one moment; raises Http404 as `event_of`."""
    with _lock:
        last = _last.get(tournament.pk)
    if "document" in tournament.get_deferred_fields():
        if last is not None and last.stamp == tournament.state_token:
            return last.document, last.event
        _read_again(tournament)
    found, document = _known(tournament), tournament.document
    if found is None:
        found = codec.read_changed(Event, document, *last[1:]) if last else codec.read_value(Event, document)
        cache_event(tournament, found)
    return document, found


def locked_tournament(tournament: Tournament) -> Tournament:
    """The row as it is, which nobody else changes until the transaction ends; its document is read where it
    is not known. Raises Tournament.DoesNotExist."""
    return Tournament.objects.select_for_update().defer("document").get(pk=tournament.pk)


def public_event(event: Event) -> Event:
    """What all may see of an event: made once, and asked for by every telephone."""
    with _lock:
        known = _shown.get(id(event))
    if known is not None:
        return known[1]
    made = public_view.visible_event(event)
    with _lock:
        _shown[id(event)] = event, made  # the event is kept with it, so that no other has its identity
        while len(_shown) > MOST_CACHED:
            _shown.popitem(last=False)
    return made


def _known(tournament: Tournament) -> Event | None:
    with _lock:
        if tournament.state_token in _read:
            _read.move_to_end(tournament.state_token)
        return _read.get(tournament.state_token)


def _read_again(tournament: Tournament) -> None:
    """All that belongs to one state: what was read before may be of the one before."""
    try:
        tournament.refresh_from_db(fields=STATE_FIELDS)
    except Tournament.DoesNotExist:
        raise Http404 from None


def cache_event(tournament: Tournament, event: Event) -> None:
    """Keep an event that has just been read of a document, for those who ask for it next."""
    with _lock:
        _read[tournament.state_token] = event
        _last[tournament.pk] = CachedEvent(tournament.state_token, tournament.document, event)
        _last.move_to_end(tournament.pk)
        for kept in (_read, _last):
            while len(kept) > MOST_CACHED:
                kept.popitem(last=False)


def document_from_event(event: Event) -> Json:
    """What is kept of an event."""
    told: Json = codec.write_value(event)
    return told


def follows_games(event: Event) -> bool:
    """Whether its boards are games on the site that go on."""
    return event.online is not OnlineBoards.NONE and not event.over


def event_days(event: Event) -> dict[str, date | None]:
    """The first and the last day, for lists; None for what is not a date."""
    return {"first_day": _day(event.announcement.opens), "last_day": _day(event.announcement.ends)}


def _day(told: str) -> date | None:
    try:
        return datetime.fromisoformat(told).date()
    except ValueError:
        return None
