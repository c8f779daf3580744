"""The event of a tournament, read from its document."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date, datetime
from threading import Lock

from talleyrand.tournament import codec
from talleyrand.tournament.model import Event

from .models import Json, Tournament

KEPT = 16  # events a process keeps read: a weekend's screens ask for the same one again and again

_read: OrderedDict[str, Event] = OrderedDict()
_lock = Lock()


def event_of(tournament: Tournament) -> Event:
    """The event as it is; a value that anybody may keep."""
    known = tournament.stamp
    with _lock:
        if known in _read:
            _read.move_to_end(known)
            return _read[known]
    event = codec.read(Event, tournament.document)
    remember(tournament, event)
    return event


def remember(tournament: Tournament, event: Event) -> None:
    """Keep an event that has just been read of a document, for those who ask for it next."""
    with _lock:
        _read[tournament.stamp] = event
        while len(_read) > KEPT:
            _read.popitem(last=False)


def document_of(event: Event) -> Json:
    """What is kept of an event."""
    told: Json = codec.write(event)
    return told


def days_of(event: Event) -> dict[str, date | None]:
    """The first and the last day, for lists; None for what is not a date."""
    return {"opens": _day(event.announcement.opens), "ends": _day(event.announcement.ends)}


def _day(told: str) -> date | None:
    try:
        return datetime.fromisoformat(told).date()
    except ValueError:
        return None
