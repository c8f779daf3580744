"""What is always so in an event: looked at after every act and every undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .errors import Unsound
from .model import Board, Event, Round, Seat


def check(event: Event) -> None:
    """Raise Unsound for the first contradiction."""
    _known(event)
    for number, one in event.rounds.items():
        _check_round(number, one)


def _known(event: Event) -> None:
    for who, code in _named(event):
        if who not in event.people:
            raise Unsound(code, person=str(who))


def _named(event: Event) -> Iterator[tuple[int, str]]:
    for one in event.rounds.values():
        yield from ((who, "sound_present") for who in (*one.present, *one.resting))
        yield from ((who, "sound_seated") for table in one.boards.values() for who in people_of(table))
    yield from ((who, "sound_team") for team in event.teams.values() for who in team.members)
    yield from ((who, "sound_apart") for pair in event.apart for who in pair)
    yield from ((one.person, "sound_adjusted") for one in event.adjustments.values())
    for ballot in event.ballots.values():
        yield from ((who, "sound_ballot") for who in (ballot.voter, *ballot.names.values()))
    yield from ((one.person, "sound_ride") for one in event.rides.values())


def people_of(board: Board) -> list[int]:
    """Everybody who plays or played at a board, each time he sits there."""
    sat = [who for seat in board.seats.values() for who in _sat(seat)]
    return [who for who in sat if who is not None]


def _sat(seat: Seat) -> list[int | None]:
    return [seat.person, *(relief.person for relief in seat.reliefs)]


def _check_round(number: int, one: Round) -> None:
    for table, board in one.boards.items():
        twice = [who for who, times in Counter(people_of(board)).items() if times > 1]
        if twice:
            raise Unsound("sound_twice", person=str(twice[0]), board=str(table), round=str(number))
        for who in people_of(board):
            if who not in one.present:
                raise Unsound("sound_seated_absent", person=str(who), board=str(table), round=str(number))
            if who in one.resting:
                raise Unsound("sound_seated_resting", person=str(who), board=str(table), round=str(number))
