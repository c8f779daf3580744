"""What every act is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from talleyrand.formats.signs import on_one_line
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Person, Round, RoundState, Seat
from talleyrand.tournament.timing import moment

Numbered = TypeVar("Numbered")


STANDS = {
    RoundState.PLANNED: "act_round_planned",
    RoundState.OPEN: "act_round_open",
    RoundState.DRAFT: "act_round_draft",
    RoundState.PLAYING: "act_round_playing",
    RoundState.CLOSED: "act_round_closed",
}


class Act:
    """Something done to an event; its subclasses are frozen dataclasses with JSON fields.

    `kind` names it in the journal and in catalogues. `helps`: an assistant may do it too.
    """

    kind: ClassVar[str]
    helps: ClassVar[bool] = True

    def on(self, event: Event) -> Event:
        """The event afterwards; raises Refused."""
        raise NotImplementedError


def person(event: Event, number: int) -> Person:
    """Somebody of the event; raises Refused (`act_no_person`)."""
    return _found(event.people, number, "act_no_person")


def round_of(event: Event, number: int) -> Round:
    """A round; raises Refused (`act_no_round`)."""
    return _found(event.rounds, number, "act_no_round")


def board(event: Event, number: int, table: int) -> Board:
    """A board of a round; raises Refused (`act_no_board`)."""
    return _found(round_of(event, number).boards, table, "act_no_board")


def _found(held: Mapping[int, Numbered], number: int, code: str) -> Numbered:
    if number not in held:
        raise Refused(code, number=str(number))
    return held[number]


def seat_of(event: Event, number: int, table: int, power: str) -> Seat:
    """A seat of a board; raises Refused (`act_no_power`)."""
    seats = board(event, number, table).seats
    if power not in seats:
        raise Refused("act_no_power", power=power, powers=", ".join(seats))
    return seats[power]


def check_state(event: Event, number: int, *states: RoundState) -> Round:
    """A round that is in one of those states; raises Refused (`act_round_planned`, `act_round_draft`…)."""
    now = round_of(event, number)
    if now.state not in states:
        raise Refused(STANDS[now.state], round=str(number))
    return now


def check_time(at: str) -> str:
    """A time as it is kept; raises Refused (`act_bad_time`)."""
    if moment(at) is None:
        raise Refused("act_bad_time", time=at[:40])
    return at


def check_text(text: str) -> str:
    """A text without its outer blanks; raises Refused (`act_no_text`) where nothing is left."""
    if not text.strip():
        raise Refused("act_no_text")
    return text.strip()


def check_name(name: str, most: int) -> str:
    """A name on one line; raises Refused (`act_no_name`, `act_name_long`)."""
    told = on_one_line(name)
    if not told:
        raise Refused("act_no_name")
    if len(told) > most:
        raise Refused("act_name_long", most=str(most))
    return told


def next_number(held: Mapping[int, object]) -> int:
    """The number of a thing to be added."""
    return 1 + max(held, default=0)


def with_person(event: Event, number: int, **fields: Any) -> Event:
    """The event with other facts of somebody."""
    return replace(event, people={**event.people, number: replace(person(event, number), **fields)})


def with_round(event: Event, number: int, **fields: Any) -> Event:
    """The event with other facts of a round."""
    return replace(event, rounds={**event.rounds, number: replace(round_of(event, number), **fields)})


def with_seat(event: Event, number: int, table: int, power: str, seat: Seat) -> Event:
    """The event with somebody else, or nobody, in a seat."""
    seat_of(event, number, table, power)
    seats = {**board(event, number, table).seats, power: seat}
    return with_board(event, number, table, seats=seats)


def with_board(event: Event, number: int, table: int, **fields: Any) -> Event:
    """The event with other facts of a board."""
    boards = round_of(event, number).boards
    return with_round(event, number, boards={**boards, table: replace(board(event, number, table), **fields)})
