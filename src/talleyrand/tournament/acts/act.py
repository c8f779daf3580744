"""What every act is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar, dataclass_transform

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventBoard, EventPerson, EventRound, PowerSeat, RoundState
from talleyrand.tournament.round_timing import parse_time

Numbered = TypeVar("Numbered")


ROUND_STATE_CODES = {
    RoundState.PLANNED: "act_round_planned",
    RoundState.OPEN: "act_round_open",
    RoundState.DRAFT: "act_round_draft",
    RoundState.PLAYING: "act_round_playing",
    RoundState.CLOSED: "act_round_closed",
}


class EventAct:
    """Something done to an event; its subclasses are frozen dataclasses with JSON fields.

    `kind` names it in the journal and in catalogues. `assistants_may`: an assistant may do it too.
    """

    kind: ClassVar[str]
    assistants_may: ClassVar[bool] = True

    def apply(self, event: Event) -> Event:
        """The event afterwards; raises ActRefused. What each act does is said of its class."""
        raise NotImplementedError


Act = TypeVar("Act", bound=EventAct)
ACTS_BY_KIND: dict[str, type[EventAct]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def event_act(kind: str, *, assistants_may: bool = True) -> Callable[[type[Act]], type[Act]]:
    """Make an act of a class: a frozen dataclass, known by its kind."""

    def make(act: type[Act]) -> type[Act]:
        act.kind, act.assistants_may = kind, assistants_may
        ACTS_BY_KIND[kind] = dataclass(frozen=True)(act)
        return act

    return make


def find_person(event: Event, number: int) -> EventPerson:
    """Somebody of the event; raises ActRefused (`act_no_person`)."""
    return _numbered(event.people, number, "act_no_person")


def find_round(event: Event, number: int) -> EventRound:
    """A round; raises ActRefused (`act_no_round`)."""
    return _numbered(event.rounds, number, "act_no_round")


def find_board(event: Event, number: int, table: int) -> EventBoard:
    """A board of a round; raises ActRefused (`act_no_board`)."""
    return _numbered(find_round(event, number).boards, table, "act_no_board")


def _numbered(held: Mapping[int, Numbered], number: int, code: str) -> Numbered:
    if number not in held:
        raise ActRefused(code, number=str(number))
    return held[number]


def find_seat(event: Event, number: int, table: int, power: str) -> PowerSeat:
    """A seat of a board; raises ActRefused (`act_no_power`)."""
    seats = find_board(event, number, table).seats
    if power not in seats:
        raise ActRefused("act_no_power", power=power, powers=", ".join(seats))
    return seats[power]


def check_round_state(event: Event, number: int, *states: RoundState) -> EventRound:
    """A round that is in one of those states; raises ActRefused (`act_round_planned`, `act_round_draft`…)."""
    now = find_round(event, number)
    if now.state not in states:
        raise ActRefused(ROUND_STATE_CODES[now.state], round=str(number))
    return now


def check_time(at: str) -> str:
    """A time as it is kept; raises ActRefused (`act_bad_time`)."""
    if parse_time(at) is None:
        raise ActRefused("act_bad_time", time=at[:40])
    return at


def check_text(text: str) -> str:
    """A text without its outer blanks; raises ActRefused (`act_no_text`) where nothing is left."""
    if not text.strip():
        raise ActRefused("act_no_text")
    return text.strip()


def check_name(name: str, most: int) -> str:
    """A name on one line; raises ActRefused (`act_no_name`, `act_name_long`)."""
    told = one_line_name(name)
    if not told:
        raise ActRefused("act_no_name")
    if len(told) > most:
        raise ActRefused("act_name_long", most=str(most))
    return told


def next_number(held: Mapping[int, object]) -> int:
    """The number of a thing to be added."""
    return 1 + max(held, default=0)


def with_person(event: Event, number: int, **fields: Any) -> Event:
    """The event with other facts of somebody."""
    return replace(event, people={**event.people, number: replace(find_person(event, number), **fields)})


def with_round(event: Event, number: int, **fields: Any) -> Event:
    """The event with other facts of a round."""
    return replace(event, rounds={**event.rounds, number: replace(find_round(event, number), **fields)})


def with_seat(event: Event, number: int, table: int, power: str, seat: PowerSeat) -> Event:
    """The event with somebody else, or nobody, in a seat."""
    find_seat(event, number, table, power)
    seats = {**find_board(event, number, table).seats, power: seat}
    return with_board(event, number, table, seats=seats)


def with_board(event: Event, number: int, table: int, **fields: Any) -> Event:
    """The event with other facts of a board."""
    boards = find_round(event, number).boards
    return with_round(
        event, number, boards={**boards, table: replace(find_board(event, number, table), **fields)}
    )
