"""How far somebody has read: his own affair, which no page tells anybody else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.viewer_permissions import GameViewer

from . import message_visibility
from .models import (
    Conversation,
    Message,
    MessageState,
    ReadMark,
)
from .press_rules import ConversationKind


def unread_count(sight: GameViewer) -> int:
    """How many letters to the visitor he has not read; for the game master also those that wait for him.

    He is not told of every letter between powers: he may read them when he likes.
    """
    if not sight.role:
        return 0
    to_him = _unread(sight)
    if sight.is_game_master:
        to_him = to_him.filter(conversation__kind__in=(ConversationKind.ALL, ConversationKind.MASTER))
    return to_him.count() + message_visibility.held_messages(sight).count()


def unread_by_conversation(sight: GameViewer) -> dict[int, int]:
    """The number of unread letters of each room that has some, by the room’s primary key."""
    counted: dict[int, int] = {}
    if sight.role:
        for room in _unread(sight).order_by().values_list("conversation", flat=True):
            counted[room] = counted.get(room, 0) + 1
    return counted


def read_until(person: Person | None, room: Conversation) -> datetime | None:
    """How far somebody has read a room."""
    return (
        ReadMark.objects.filter(conversation=room, person=person).values_list("read_until", flat=True).first()
    )


def read_until_by_person(room: Conversation, people: Iterable[int]) -> dict[int, datetime]:
    """How far each of some persons has read a room."""
    return dict(
        ReadMark.objects.filter(conversation=room, person__in=list(people)).values_list(
            "person", "read_until"
        )
    )


def mark_read(person: Person, room: Conversation, last: datetime) -> bool:
    """Somebody has read a room up to a letter; never back. Says whether that is news."""
    known = ReadMark.objects.filter(conversation=room, person=person)
    if known.filter(read_until__gte=last).exists():
        return False
    if not known.filter(read_until__lt=last).update(read_until=last):
        ReadMark.objects.get_or_create(conversation=room, person=person, defaults={"read_until": last})
    return True


def _unread(sight: GameViewer) -> QuerySet[Message]:
    mark = ReadMark.objects.filter(conversation=OuterRef("conversation"), person=sight.person).values(
        "read_until"
    )[:1]
    found = (
        message_visibility.visible_messages(sight)
        .filter(state=MessageState.DELIVERED)
        .exclude(message_visibility.own_messages(sight))
    )
    return found.annotate(mark=Subquery(mark)).filter(Q(mark=None) | Q(delivered_at__gt=F("mark")))
