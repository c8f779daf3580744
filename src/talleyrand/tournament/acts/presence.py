"""Who is there for a round, and who of them does not play it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Rest, Rested, Round, RoundState, Seat

from .act import Act, check_time, person, round_of, with_round

NOT_CLOSED = (RoundState.PLANNED, RoundState.OPEN, RoundState.DRAFT, RoundState.PLAYING)


@dataclass(frozen=True)
class Arrive(Act):
    """Somebody is there for a round, at a time."""

    kind: ClassVar[str] = "arrived"
    round: int
    person: int
    at: str

    def on(self, event: Event) -> Event:
        """Twice is once: the first hour stands. Whoever had withdrawn is back."""
        known = person(event, self.person)
        present = _open(event, self.round).present
        check_time(self.at)
        back = replace(event, people={**event.people, self.person: replace(known, gone=False)})
        return with_round(
            back, self.round, present={**present, self.person: present.get(self.person, self.at)}
        )


@dataclass(frozen=True)
class ArriveTogether(Act):
    """Several are there: those seen in the room, or all who had signed up."""

    kind: ClassVar[str] = "arrived_together"
    round: int
    people: tuple[int, ...]
    at: str

    def on(self, event: Event) -> Event:
        """Each as if alone; all of them, or none."""
        if not self.people:
            raise Refused("act_nobody")
        for who in self.people:
            event = Arrive(self.round, who, self.at).on(event)
        return event


@dataclass(frozen=True)
class Leave(Act):
    """Somebody is not there after all."""

    kind: ClassVar[str] = "left"
    round: int
    person: int

    def on(self, event: Event) -> Event:
        """A seat of the draft is free again; one of a game under way has to be taken over first."""
        person(event, self.person)
        now = _open(event, self.round)
        present = {one: at for one, at in now.present.items() if one != self.person}
        resting = {one: rest for one, rest in now.resting.items() if one != self.person}
        boards = dict(now.boards)
        if now.state is RoundState.DRAFT:
            boards = {at: _freed(board, self.person) for at, board in boards.items()}
        return with_round(event, self.round, present=present, resting=resting, boards=boards)


def _freed(board: Board, who: int) -> Board:
    seats = {power: Seat() if seat.person == who else seat for power, seat in board.seats.items()}
    return replace(board, seats=seats)


@dataclass(frozen=True)
class StandDown(Act):
    """Somebody who is present does not play. `asked`: at the organisation's request.

    Nobody asked it of one who wished it, or who came when the boards were full.
    """

    kind: ClassVar[str] = "stood_down"
    round: int
    person: int
    why: Rested
    asked: bool = True

    def on(self, event: Event) -> Event:
        """Refused for one who sits at a board (`sound_seated_resting`) or is not there."""
        person(event, self.person)
        now = _open(event, self.round)
        if self.person not in now.present:
            raise Refused("act_not_present", person=str(self.person), round=str(self.round))
        rest = Rest(self.why, self.asked and self.why not in (Rested.OWN, Rested.LATE))
        return with_round(event, self.round, resting={**now.resting, self.person: rest})


@dataclass(frozen=True)
class Recall(Act):
    """Somebody who stood down plays after all, as soon as he is seated."""

    kind: ClassVar[str] = "recalled"
    round: int
    person: int

    def on(self, event: Event) -> Event:
        """Twice is once."""
        person(event, self.person)
        now = _open(event, self.round)
        resting = {one: rest for one, rest in now.resting.items() if one != self.person}
        return with_round(event, self.round, resting=resting)


def _open(event: Event, number: int) -> Round:
    now = round_of(event, number)
    if now.state not in NOT_CLOSED:
        raise Refused("act_round_closed", round=str(number))
    return now


ACTS: tuple[type[Act], ...] = (Arrive, ArriveTogether, Leave, StandDown, Recall)
