"""Who may see which rooms and letters: one function a model, asked by every page, feed and export.

A private room is seen by whoever plays one of its powers now, and by the game master; the public one by
whoever may look at the game, and so are rooms that were opened after its end. A letter on its way through the
game master is seen by its writer’s power too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.viewer_permissions import GameViewer

from . import opened_letters
from .models import Conversation, Message, MessageState, ReadMark
from .press_rules import GAME_MASTER, ConversationKind


def visible_conversations(sight: GameViewer) -> QuerySet[Conversation]:
    """The rooms in which one may read something: one with nothing but another’s held letter is not there."""
    return Conversation.objects.filter(pk__in=visible_messages(sight).order_by().values("conversation"))


def visible_messages(sight: GameViewer) -> QuerySet[Message]:
    """The letters one may read, oldest first: by when they were passed on, or written."""
    found = Message.objects.filter(conversation__game=sight.game).select_related("conversation")
    if not sight.may_open:
        return found.none()
    if not sight.is_game_master:
        opened = opened_letters.opened_rooms(sight.game) if sight.is_game_over else []
        inside = Q(conversation__kind=ConversationKind.ALL)
        inside |= Q(conversation__in=[*_own_conversations(sight), *opened])
        found = found.filter(inside, Q(state=MessageState.DELIVERED) | Q(author_power__in=sight.powers))
    if sight.seen_until:
        found = found.filter(delivered_at__lte=sight.seen_until, phase_number__lte=sight.game.phase_number)
    return found.order_by(Coalesce("delivered_at", "written_at"), "id")


def held_messages(sight: GameViewer) -> QuerySet[Message]:
    """The letters that wait for the game master, oldest first; nothing for anybody else."""
    found = visible_messages(sight).filter(state=MessageState.HELD)
    return found if sight.is_game_master else found.none()


def own_messages(sight: GameViewer) -> Q:
    """Which letters one wrote oneself, whoever played the power then."""
    return Q(signature=GAME_MASTER) if sight.is_game_master else Q(author_power__in=sight.powers)


def _own_conversations(sight: GameViewer) -> list[int]:
    """The private rooms in which one of one’s powers is."""
    if not sight.powers:
        return []
    mine = set(sight.powers)
    among = (
        Conversation.objects.filter(game=sight.game)
        .exclude(kind=ConversationKind.ALL)
        .values_list("pk", "powers")
    )
    return [pk for pk, powers in among if mine.intersection(powers)]


# How far somebody has read: his own affair, which no page tells anybody else.


def unread_count(sight: GameViewer) -> int:
    """How many letters to the visitor he has not read; for the game master also those that wait for him.

    He is not told of every letter between powers: he may read them when he likes.
    """
    return unread_counts([sight]).get(sight.game.pk, 0)


def unread_counts(sights: Iterable[GameViewer]) -> dict[int, int]:
    """The same for one person in several games, by the primary key of the game; nothing where it is 0."""
    by_game = {sight.game.pk: sight for sight in sights if sight.role and not sight.is_delayed}
    rooms = Conversation.objects.filter(game__in=by_game).values_list("pk", "game", "kind", "powers")
    told_in = [pk for pk, game, kind, powers in rooms if _is_told(by_game[game], kind, powers)]
    led = [game for game, sight in by_game.items() if sight.is_game_master]
    if not (told_in or led):
        return {}
    person = next(iter(by_game.values())).person
    new = Q(conversation__in=told_in, state=MessageState.DELIVERED) & _is_new()
    counted = (
        _with_read_mark(Message.objects.all(), person)
        .filter(new | Q(conversation__game__in=led, state=MessageState.HELD))
        .order_by()
        .values_list("conversation__game", "state", "author_power", "signature")
        .annotate(Count("pk"))
    )
    found: dict[int, int] = {}
    for game, state, author, signature, number in counted:
        sight = by_game[game]
        own = signature == GAME_MASTER if sight.is_game_master else author in sight.powers
        if state == MessageState.HELD or not own:
            found[game] = found.get(game, 0) + number
    return found


def _is_told(sight: GameViewer, kind: str, powers: Iterable[str]) -> bool:
    """Whether somebody is told of what is new in a room."""
    if sight.is_game_master:
        return kind in (ConversationKind.ALL, ConversationKind.MASTER)
    return kind == ConversationKind.ALL or not set(sight.powers).isdisjoint(powers)


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
    found = visible_messages(sight).filter(state=MessageState.DELIVERED).exclude(own_messages(sight))
    return _with_read_mark(found, sight.person).filter(_is_new())


def _with_read_mark(letters: QuerySet[Message], person: Person | None) -> QuerySet[Message]:
    """With `mark`, how far somebody has read the room of each."""
    mark = ReadMark.objects.filter(conversation=OuterRef("conversation"), person=person)
    return letters.annotate(mark=Subquery(mark.values("read_until")[:1]))


def _is_new() -> Q:
    return Q(mark=None) | Q(delivered_at__gt=F("mark"))


# Short numbers by which the game master names a letter: its place among all the letters of its game.
#
# They stay the same whatever becomes of a letter, and tell how many were written: only he reads them.


def message_number(letter: Message) -> int:
    """The number of a letter in its game, from 1."""
    return Message.objects.filter(conversation__game=letter.conversation.game_id, pk__lte=letter.pk).count()


def message_by_number(sight: GameViewer, number: int) -> Message | None:
    """The players’ letter of that number, waiting or not any more; None for whoever is no game master."""
    if not sight.is_game_master or number < 1:
        return None
    keys = Message.objects.filter(conversation__game=sight.game).order_by("pk").values_list("pk", flat=True)
    found = keys[number - 1 : number].first() if number <= keys.count() else None
    return visible_messages(sight).exclude(author_power="").filter(pk=found).first() if found else None
