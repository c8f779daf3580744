"""Letters that everybody reads once a game is over, since all who had a part in them agreed.

A private room is opened by everyone who wrote in it and everyone who has held one of its powers: nobody’s
words are opened by another, nor what was written to them. A room with the game master stays closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer

from .models import Conversation, Message, MessageState, OpenedLetters
from .press_rules import ConversationKind

OPENABLE = (ConversationKind.PAIR, ConversationKind.GROUP)


def may_open_letters(sight: GameViewer) -> bool:
    """Whether one has letters of a finished game to open: whoever has played in it."""
    if sight.person is None or sight.person.is_guest or not sight.is_game_over:
        return False
    return PowerAssignment.objects.filter(seat__game=sight.game, person=sight.person).exists()


def open_letters(game: Game, person: Person) -> None:
    """Agree that one’s letters are opened; twice is once."""
    OpenedLetters.objects.get_or_create(game=game, person=person)


def close_letters(game: Game, person: Person) -> None:
    """Agree no longer; who never did has lost nothing."""
    OpenedLetters.objects.filter(game=game, person=person).delete()


def opened_rooms(game: Game) -> list[int]:
    """The private rooms that everybody may read, by primary key; only of a game that is over."""
    agreed = set(OpenedLetters.objects.filter(game=game).values_list("person", flat=True))
    if not agreed:
        return []
    holders: dict[str, set[int | None]] = {}
    held = PowerAssignment.objects.filter(seat__game=game).values_list("seat__power", "person")
    for power, person in held:
        holders.setdefault(power, set()).add(person)
    writers: dict[int, set[int | None]] = {}
    rooms = Conversation.objects.filter(game=game, kind__in=OPENABLE)
    for room, author in Message.objects.filter(conversation__in=rooms).values_list("conversation", "author"):
        writers.setdefault(room, set()).add(author)
    return [
        pk
        for pk, powers in rooms.values_list("pk", "powers")
        if pk in writers and _parties(powers, holders) | writers[pk] <= agreed
    ]


def _parties(powers: list[str], holders: Mapping[str, set[int | None]]) -> set[int | None]:
    """All who have held one of these powers; None among them for an account that is gone."""
    return reduce(set[int | None].union, (holders.get(power, set()) for power in powers), set())


def opened_count(game: Game) -> int:
    """How many letters are open that were private."""
    found = Message.objects.filter(conversation__in=opened_rooms(game), state=MessageState.DELIVERED)
    return found.count()
