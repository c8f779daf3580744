"""Tells those concerned that a letter has come: news on their own pages, and one notice a room until read.

The topic of the game is raised for letters to everybody alone: another one would say that letters flow.
"""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse

from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game, GameMembership, GameRole, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications import outbox, topic_versions

from . import message_visibility
from .models import Conversation, Message, MessageState
from .press_rules import GAME_MASTER, ConversationKind


def notify_delivered(game: Game, letter: Message) -> None:
    """Everybody who may read the letter sees it come; its recipients are told."""
    room = letter.conversation
    readers = message_visibility.read_until_by_person(room, _recipients(game, letter))
    for person in _recipients(game, letter):
        read = readers[person].isoformat() if person in readers else ""
        facts = {"power": letter.signature, "room": conversation_path(room)}
        _tell(game, [person], "letter", f"letter:{room.key}:{read}", conversation_path(room), **facts)
    if room.kind == ConversationKind.ALL:
        topic_versions.bump(topic_versions.game_topic(game.key))
    topic_versions.bump_people({*_players(game, room), *_masters(game)})


def notify_held(game: Game, letter: Message) -> None:
    """A letter waits: its game masters are told, once until none waits any more."""
    queue = Message.objects.filter(conversation__game=game, state=MessageState.HELD).order_by("id")
    first = queue.values_list("key", flat=True).first() or letter.key
    place = reverse("press:held", args=[game.key])
    _tell(game, _masters(game), "letter_held", f"held:{first[:32]}", place)
    topic_versions.bump_people({*_of_power(game, letter.author_power), *_masters(game)})


def notify_returned(game: Game, letter: Message) -> None:
    """A letter goes back to the power that wrote it."""
    place = conversation_path(letter.conversation)
    facts = {"power": letter.author_power, "reason": letter.return_reason, "room": place}
    once = f"returned:{letter.key[:32]}"
    _tell(game, recipients.player_ids_of(game, letter.author_power), "letter_returned", once, place, **facts)
    topic_versions.bump_people({*_of_power(game, letter.author_power), *_masters(game)})


def mark_seen(sight: GameViewer, room: Conversation, last: datetime | None) -> bool:
    """The visitor has seen a room up to a letter: its letters and the notice of them are read, if he has a
    role in the game. Says whether that is news.
    """
    if (
        not sight.role
        or sight.person is None
        or last is None
        or not message_visibility.mark_read(sight.person, room, last)
    ):
        return False
    outbox.mark_read(sight.person, path=conversation_path(room))
    topic_versions.bump_people([sight.person.pk])
    return True


def conversation_path(room: Conversation) -> str:
    """Where a room is, as the site’s first language has it: the writer’s own would tell of him."""
    return outbox.path_without_language(reverse("press:room", args=[room.game.key, room.key]))


def _tell(game: Game, people: list[int], kind: str, once: str, place: str, **facts: str) -> None:
    told = {"game": game.name, "variant": game.variant, **facts}
    about = topic_versions.game_topic(game.key)
    outbox.notify(people, kind, told, about=about, path=place, once=f"{game.key}:{once}")


def _recipients(game: Game, letter: Message) -> list[int]:
    """Whoever plays the powers that the letter is for, and the game master where it is for him."""
    room = letter.conversation
    powers = game.seats.values_list("power", flat=True) if room.kind == ConversationKind.ALL else room.powers
    found = [
        one
        for power in powers
        if power != letter.author_power
        for one in recipients.player_ids_of(game, power)
    ]
    if room.kind == ConversationKind.MASTER and letter.signature != GAME_MASTER:
        found = _masters(game)
    mine = set(_of_power(game, letter.author_power)) if letter.author_power else set()
    return [one for one in dict.fromkeys(found) if one not in mine]


def _players(game: Game, room: Conversation) -> set[int]:
    """Whoever plays a power of the room, for good or meanwhile."""
    open_now = PowerAssignment.objects.filter(seat__game=game, ended_at=None).exclude(person=None)
    if room.kind != ConversationKind.ALL:
        open_now = open_now.filter(seat__power__in=room.powers)
    return set(open_now.values_list("person", flat=True))


def _of_power(game: Game, power: str) -> set[int]:
    found = PowerAssignment.objects.filter(seat__game=game, seat__power=power, ended_at=None).exclude(
        person=None
    )
    return set(found.values_list("person", flat=True))


def _masters(game: Game) -> list[int]:
    """The game masters alone: an assistant knows nothing of letters."""
    found = GameMembership.objects.filter(game=game, role=GameRole.GAME_MASTER, left_at=None)
    return list(found.values_list("person", flat=True))
