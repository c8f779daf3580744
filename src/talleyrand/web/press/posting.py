"""Tells those concerned that a letter has come: news on their own pages, and one notice a room until read.

The topic of the game is raised for letters to everybody alone: another one would say that letters flow.
"""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse

from talleyrand.web.games import audience
from talleyrand.web.games.models import Game, Membership, Role, Tenure
from talleyrand.web.games.sight import Sight
from talleyrand.web.notices import counters, outbox

from . import marks
from .models import Fate, Letter, Room
from .rules import MASTER, Kind


def delivered(game: Game, letter: Letter) -> None:
    """Everybody who may read the letter sees it come; its recipients are told."""
    room = letter.room
    readers = marks.of_people(room, _recipients(game, letter))
    for person in _recipients(game, letter):
        read = readers[person].isoformat() if person in readers else ""
        facts = {"power": letter.signed, "room": path(room)}
        _tell(game, [person], "letter", f"letter:{room.key}:{read}", path(room), **facts)
    if room.kind == Kind.ALL:
        counters.bump(counters.game_topic(game.key))
    counters.bump_people({*_players(game, room), *_masters(game)})


def waiting(game: Game, letter: Letter) -> None:
    """A letter waits: its game masters are told, once until none waits any more."""
    queue = Letter.objects.filter(room__game=game, state=Fate.HELD).order_by("id")
    first = queue.values_list("key", flat=True).first() or letter.key
    place = reverse("press:held", args=[game.key])
    _tell(game, _masters(game), "letter_held", f"held:{first[:32]}", place)
    counters.bump_people({*_of_power(game, letter.writer), *_masters(game)})


def returned(game: Game, letter: Letter) -> None:
    """A letter goes back to the power that wrote it."""
    place = path(letter.room)
    facts = {"power": letter.writer, "reason": letter.reason, "room": place}
    once = f"returned:{letter.key[:32]}"
    _tell(game, audience.holder(game, letter.writer), "letter_returned", once, place, **facts)
    counters.bump_people({*_of_power(game, letter.writer), *_masters(game)})


def seen_by(sight: Sight, room: Room, last: datetime | None) -> bool:
    """The visitor has seen a room up to a letter: its letters and the notice of them are read, if he has a
    role in the game. Says whether that is news.
    """
    if not sight.role or sight.person is None or last is None or not marks.read(sight.person, room, last):
        return False
    outbox.mark_read(sight.person, path=path(room))
    counters.bump_people([sight.person.pk])
    return True


def path(room: Room) -> str:
    """Where a room is, as the site’s first language has it: the writer’s own would tell of him."""
    return outbox.plain(reverse("press:room", args=[room.game.key, room.key]))


def _tell(game: Game, people: list[int], kind: str, once: str, place: str, **facts: str) -> None:
    told = {"game": game.name, "variant": game.variant, **facts}
    about = counters.game_topic(game.key)
    outbox.tell(people, kind, told, about=about, path=place, once=f"{game.key}:{once}")


def _recipients(game: Game, letter: Letter) -> list[int]:
    """Whoever plays the powers that the letter is for, and the game master where it is for him."""
    room = letter.room
    powers = game.seats.values_list("power", flat=True) if room.kind == Kind.ALL else room.powers
    found = [one for power in powers if power != letter.writer for one in audience.holder(game, power)]
    if room.kind == Kind.MASTER and letter.signed != MASTER:
        found = _masters(game)
    mine = set(_of_power(game, letter.writer)) if letter.writer else set()
    return [one for one in dict.fromkeys(found) if one not in mine]


def _players(game: Game, room: Room) -> set[int]:
    """Whoever plays a power of the room, for good or meanwhile."""
    open_now = Tenure.objects.filter(seat__game=game, until=None).exclude(person=None)
    if room.kind != Kind.ALL:
        open_now = open_now.filter(seat__power__in=room.powers)
    return set(open_now.values_list("person", flat=True))


def _of_power(game: Game, power: str) -> set[int]:
    found = Tenure.objects.filter(seat__game=game, seat__power=power, until=None).exclude(person=None)
    return set(found.values_list("person", flat=True))


def _masters(game: Game) -> list[int]:
    """The game masters alone: an assistant knows nothing of letters."""
    found = Membership.objects.filter(game=game, role=Role.MASTER, left=None)
    return list(found.values_list("person", flat=True))
