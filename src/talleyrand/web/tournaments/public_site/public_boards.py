"""What pages show of boards, seats and people: made from the event as its visitor may see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from talleyrand.tournament.board_rules import scripted_powers, seat_players
from talleyrand.tournament.model import Event, EventBoard, EventRound, OnlineBoards, RoundState
from talleyrand.tournament.public_view import SHOWN_STATES, powers_played_by

from . import public_texts


@dataclass(frozen=True)
class PersonName:
    """A person as a list has him."""

    number: int
    name: str


@dataclass(frozen=True)
class BoardSeat:
    """A power of a board: who plays it, those who took over last; `scripted`: nobody does, a script plays.

    `centres` and the rest once there is a result that the visitor may see.
    """

    code: str
    power: str
    colour: str
    people: tuple[PersonName, ...]
    mine: bool
    missed: int
    scripted: bool
    centres: int | None = None
    winner: bool = False
    out: int | None = None


@dataclass(frozen=True)
class PublicBoard:
    """A board of a round as it is shown. `provisional`: its result waits to be confirmed; `secret`: who plays
    what is told with it."""

    round: int
    number: int
    title: str
    place: str
    final: bool
    game: str
    seats: tuple[BoardSeat, ...]
    mine: bool
    entered: bool
    provisional: bool
    secret: bool


def public_board(event: Event, number: int, at: int, me: int = 0) -> PublicBoard:
    """A board of a round; `event`: as its visitor may see it."""
    held = event.rounds[number].boards[at]
    return PublicBoard(
        round=number,
        number=at,
        title=public_texts.variant_name(held.variant),
        place=held.place,
        final=held.final,
        game=held.game,
        seats=tuple(_sitting(event, held, code, me) for code in held.seats),
        mine=bool(powers_played_by(held, me)),
        entered=held.result is not None,
        provisional=held.result is not None and not held.result.confirmed,
        secret=event.online is OnlineBoards.HIDDEN and not (held.result and held.result.confirmed),
    )


def public_boards(event: Event, number: int, me: int = 0) -> list[PublicBoard]:
    """The boards of a round, the visitor's own first."""
    found = [public_board(event, number, at, me) for at in event.rounds[number].boards]
    return sorted(found, key=lambda one: (not one.mine, one.number))


def _sitting(event: Event, held: EventBoard, code: str, me: int) -> BoardSeat:
    seat, result = held.seats[code], held.result
    return BoardSeat(
        code=code,
        power=public_texts.power_name(code, held.variant),
        colour=public_texts.power_colour(code, held.variant),
        people=tuple(PersonName(who, event.people[who].name) for who in seat_players(seat)),
        mine=me in seat_players(seat),
        missed=seat.missed,
        scripted=seat.person is None and code in scripted_powers(held.variant),
        centres=result.centres.get(code) if result else None,
        winner=bool(result and result.winner == code),
        out=result.eliminated_in.get(code) if result else None,
    )


def seats_of(event: Event, who: int, number: int) -> list[tuple[int, str]]:
    """Where somebody sits in a round that is shown: boards with his power; two for one on two boards."""
    boards = event.rounds[number].boards
    return [(at, power) for at, held in boards.items() for power in powers_played_by(held, who)]


def relevant_round(event: Event) -> int | None:
    """The round that concerns people now: played, drawn or open; else the next one that is planned."""
    for states in ((RoundState.PLAYING, RoundState.DRAFT, RoundState.OPEN), (RoundState.PLANNED,)):
        found = [at for at, one in event.rounds.items() if one.state in states and not one.cancelled]
        if found:
            return found[0]
    return None


def is_draw_public(one: EventRound) -> bool:
    """Whether the draw of a round is published."""
    return one.state in SHOWN_STATES


def public_games_of_person(event: Event, who: int) -> Iterator[tuple[int, int, str]]:
    """Every game of somebody that is shown: round, board, power."""
    for number in event.rounds:
        yield from ((number, at, power) for at, power in seats_of(event, who, number))
