"""How far somebody has read: his own affair, which no page tells anybody else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.sight import Sight

from . import seen
from .models import Fate, Letter, Reading, Room
from .rules import Kind


def unread(sight: Sight) -> int:
    """How many letters to the visitor he has not read; for the game master also those that wait for him.

    He is not told of every letter between powers: he may read them when he likes.
    """
    if not sight.role:
        return 0
    to_him = _unread(sight)
    if sight.is_master:
        to_him = to_him.filter(room__kind__in=(Kind.ALL, Kind.MASTER))
    return to_him.count() + seen.held(sight).count()


def by_room(sight: Sight) -> dict[int, int]:
    """The number of unread letters of each room that has some, by the room’s primary key."""
    counted: dict[int, int] = {}
    if sight.role:
        for room in _unread(sight).order_by().values_list("room", flat=True):
            counted[room] = counted.get(room, 0) + 1
    return counted


def until(person: Person | None, room: Room) -> datetime | None:
    """How far somebody has read a room."""
    return Reading.objects.filter(room=room, person=person).values_list("until", flat=True).first()


def of_people(room: Room, people: Iterable[int]) -> dict[int, datetime]:
    """How far each of some persons has read a room."""
    return dict(Reading.objects.filter(room=room, person__in=list(people)).values_list("person", "until"))


def read(person: Person, room: Room, last: datetime) -> bool:
    """Somebody has read a room up to a letter; never back. Says whether that is news."""
    known = Reading.objects.filter(room=room, person=person)
    if known.filter(until__gte=last).exists():
        return False
    if not known.filter(until__lt=last).update(until=last):
        Reading.objects.get_or_create(room=room, person=person, defaults={"until": last})
    return True


def _unread(sight: Sight) -> QuerySet[Letter]:
    mark = Reading.objects.filter(room=OuterRef("room"), person=sight.person).values("until")[:1]
    found = seen.letters(sight).filter(state=Fate.DELIVERED).exclude(seen.written(sight))
    return found.annotate(mark=Subquery(mark)).filter(Q(mark=None) | Q(delivered__gt=F("mark")))
