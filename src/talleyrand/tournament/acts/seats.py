"""Boards and seats once a round is played: who comes late, who does not come, who takes over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.boards import people_at, powers_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Relief, Round, RoundState, Seat

from .act import (
    Act,
    board,
    check_state,
    check_time,
    next_number,
    person,
    round_of,
    seat_of,
    with_board,
    with_round,
    with_seat,
)
from .drafts import SEATED, check_idle

MOST_SEASONS = 60
ENTERED = (RoundState.DRAFT, RoundState.PLAYING, RoundState.CLOSED)


@dataclass(frozen=True)
class SeatLate(Act):
    """A latecomer takes a power that a script plays, or one of the two seats of somebody on two boards.

    `missed`: seasons that were over when he sat down. `at`: when he came.
    """

    kind: ClassVar[str] = "seated_late"
    round: int
    board: int
    power: str
    person: int
    missed: int
    at: str

    def on(self, event: Event) -> Event:
        """All other seats stay as they are."""
        person(event, self.person)
        now = check_state(event, self.round, *SEATED)
        _check_seasons(self.missed)
        _check_unfinished(now, self.round, self.board)
        seat = seat_of(event, self.round, self.board, self.power)
        if self.power not in late_powers(now, self.board):
            raise Refused("act_seat_taken", round=str(self.round), board=str(self.board), power=self.power)
        check_idle(now, self.round, self.person)
        late = replace(seat, person=self.person, missed=self.missed)
        taken = with_seat(event, self.round, self.board, self.power, late)
        return _here(taken, self.round, self.person, self.at)


def late_powers(now: Round, at: int) -> tuple[str, ...]:
    """The powers of a board that a latecomer may take: nobody's, and those of somebody on two boards."""
    held = now.boards[at]
    twice = _twice(now)
    return tuple(
        power
        for power, seat in held.seats.items()
        if not seat.reliefs and (seat.person is None or seat.person in twice)
    )


def _twice(now: Round) -> set[int]:
    sat = [seat.person for held in now.boards.values() for seat in held.seats.values()]
    return {who for who in sat if who is not None and sat.count(who) > 1}


@dataclass(frozen=True)
class NoShow(Act):
    """Somebody who has a seat is not there: another has it from the first season, or `missed` some.

    Nobody: the seat stays free, for a latecomer or a new draw.
    """

    kind: ClassVar[str] = "no_show"
    round: int
    board: int
    power: str
    at: str
    person: int | None = None
    missed: int = 0

    def on(self, event: Event) -> Event:
        """Who did not come is no longer present; the game never was his."""
        now = check_state(event, self.round, *SEATED)
        seat = seat_of(event, self.round, self.board, self.power)
        _check_seasons(self.missed)
        _check_unfinished(now, self.round, self.board)
        if seat.person is None:
            raise Refused("act_seat_free", round=str(self.round), board=str(self.board), power=self.power)
        freed = _gone(event, self.round, self.board, self.power, seat.person)
        if self.person is None:
            return freed
        person(event, self.person)
        check_idle(freed.rounds[self.round], self.round, self.person)
        new = Seat(self.person, self.missed, locked=seat.locked)
        return _here(
            with_seat(freed, self.round, self.board, self.power, new), self.round, self.person, self.at
        )


def _gone(event: Event, number: int, at: int, power: str, who: int) -> Event:
    left = with_seat(event, number, at, power, Seat())
    now = round_of(left, number)
    if any(who in people_at(held) for held in now.boards.values()):
        return left  # he plays at another board
    return with_round(left, number, present={one: time for one, time in now.present.items() if one != who})


@dataclass(frozen=True)
class Relieve(Act):
    """Somebody takes a seat over in the middle of a game, and plays it for so many seasons.

    The seasons may be said now, as they will be at the end of the planned game, and put right later.
    """

    kind: ClassVar[str] = "relieved"
    round: int
    board: int
    power: str
    person: int
    seasons: int
    at: str

    def on(self, event: Event) -> Event:
        """Refused for one who plays at another board, or has had this seat."""
        person(event, self.person)
        now = check_state(event, self.round, RoundState.PLAYING)
        seat = seat_of(event, self.round, self.board, self.power)
        _check_seasons(self.seasons)
        _check_unfinished(now, self.round, self.board)
        if seat.person is None:
            raise Refused("act_seat_free", round=str(self.round), board=str(self.board), power=self.power)
        check_idle(now, self.round, self.person)
        rest = now.resting.get(self.person)
        newcomer = Relief(self.person, self.seasons, rested=rest is not None and rest.asked)
        reliefs = (*seat.reliefs, newcomer)
        taken = with_seat(event, self.round, self.board, self.power, replace(seat, reliefs=reliefs))
        return _here(taken, self.round, self.person, self.at)


@dataclass(frozen=True)
class CorrectSeat(Act):
    """What is written of a seat, put right: seasons missed, who took over and for how long."""

    kind: ClassVar[str] = "seat_corrected"
    round: int
    board: int
    power: str
    missed: int = 0
    reliefs: tuple[Relief, ...] = ()

    def on(self, event: Event) -> Event:
        """Whenever it is noticed, after the round too."""
        check_state(event, self.round, *ENTERED)
        seat = seat_of(event, self.round, self.board, self.power)
        _check_seasons(self.missed, *(one.seasons for one in self.reliefs))
        for one in self.reliefs:
            person(event, one.person)
        rested = {one.person for one in seat.reliefs if one.rested}
        reliefs = tuple(replace(one, rested=one.person in rested) for one in self.reliefs)
        new = replace(seat, missed=self.missed, reliefs=reliefs)
        return with_seat(event, self.round, self.board, self.power, new)


def _check_seasons(*counts: int) -> None:
    for count in counts:
        if not 0 <= count <= MOST_SEASONS:
            raise Refused("act_seasons", count=str(count), most=str(MOST_SEASONS))


def _check_unfinished(now: Round, number: int, at: int) -> None:
    if at in now.boards and now.boards[at].result is not None:
        raise Refused("act_result_entered", round=str(number), board=str(at))


def _here(event: Event, number: int, who: int, at: str) -> Event:
    """Present from then on, unless he was before; no longer standing down."""
    now = round_of(event, number)
    present = {**now.present, who: now.present.get(who, check_time(at))}
    resting = {one: rest for one, rest in now.resting.items() if one != who}
    return with_round(event, number, present=present, resting=resting)


@dataclass(frozen=True)
class ChangeBoard(Act):
    """What is said of a board: where it stands, its game on the site, whether it counts, its last year."""

    kind: ClassVar[str] = "board_changed"
    round: int
    board: int
    place: str | None = None
    game: str | None = None
    counts: bool | None = None
    last_year: int | None = None

    def on(self, event: Event) -> Event:
        """What is not said stays as it is; a last year of 0 is the round's again."""
        held = board(event, self.round, self.board)
        said = {
            name: value for name in ("place", "game", "counts") if (value := getattr(self, name)) is not None
        }
        if self.last_year is not None:
            said["last_year"] = _year(self.last_year)
        return with_board(event, self.round, self.board, **{"counts": held.counts, **said})


def _year(year: int) -> int | None:
    if year and not 1901 <= year <= 1950:
        raise Refused("act_year", year=str(year))
    return year or None


@dataclass(frozen=True)
class AddBoard(Act):
    """One more board, empty: its seats are given by hand, or drawn."""

    kind: ClassVar[str] = "board_added"
    round: int
    variant: str = "classic"
    powers: tuple[str, ...] = ()

    def on(self, event: Event) -> Event:
        """The powers of the variant, where none are said."""
        now = check_state(event, self.round, *SEATED)
        for power in self.powers:
            if power not in powers_of(self.variant):
                raise Refused("act_no_power", power=power, powers=", ".join(powers_of(self.variant)))
        seats = {power: Seat() for power in self.powers or powers_of(self.variant)}
        boards = {**now.boards, next_number(now.boards): Board(self.variant, seats)}
        return with_round(event, self.round, boards=boards)


@dataclass(frozen=True)
class DropBoard(Act):
    """A board falls: its people have no seat, and are drawn again or stand down."""

    kind: ClassVar[str] = "board_dropped"
    round: int
    board: int

    def on(self, event: Event) -> Event:
        """Refused once it has a result, which is taken back first."""
        now = check_state(event, self.round, *SEATED)
        board(event, self.round, self.board)
        _check_unfinished(now, self.round, self.board)
        return with_round(
            event, self.round, boards={at: one for at, one in now.boards.items() if at != self.board}
        )


ACTS: tuple[type[Act], ...] = (SeatLate, NoShow, Relieve, CorrectSeat, ChangeBoard, AddBoard, DropBoard)
