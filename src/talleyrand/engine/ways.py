"""How an army goes to a neighbouring province: by land or by sea (DATC 4.A.3, rows M07 to M11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from typing import NamedTuple

from .board import Board
from .convoys import fleets, routes
from .position import Position
from .rulebook import BrokenChain, Fallback, Kidnapping, Route, Rulebook


class Way(Enum):
    """How a move travels."""

    LAND = auto()
    SEA = auto()
    SEA_ELSE_LAND = auto()
    LAND_ELSE_SEA = auto()


class Trip(NamedTuple):
    """An army's move to a neighbour, and what bears on its way there.

    `asked`: its player asks for a convoy; `offered` the fleets ordered to convoy it, `complete` if
    they make a whole route; `opposed` the power of the unit at the goal if that moves the opposite way.
    """

    power: str
    origin: str
    goal: str
    asked: bool
    offered: frozenset[str]
    complete: bool
    opposed: str


def choose(board: Board, position: Position, trip: Trip, book: Rulebook) -> Way:
    """The way an army goes, and the one it falls back on."""
    if not trip.asked and not trip.offered:
        return Way.LAND
    if _CHOICES[book.land_or_sea_route](board, position, trip, book):
        settled = book.land_or_sea_route is Route.OPPOSITE_MOVE_ONLY
        return Way.SEA_ELSE_LAND if settled or book.route_fallback is Fallback.TO_LAND else Way.SEA
    spare = book.route_fallback is Fallback.TO_SEA and _carried(position, trip, book)
    return Way.LAND_ELSE_SEA if spare else Way.LAND


def _carried(position: Position, trip: Trip, book: Rulebook) -> bool:
    """Whether fleets carry an army that wants it, or whom they may carry off (row M09)."""
    wanted = trip.asked or bool(_own(position, trip))
    return trip.complete and (wanted or book.kidnapping is Kidnapping.POSSIBLE)


def _own(position: Position, trip: Trip) -> set[str]:
    return {sea for sea in trip.offered if position.at[sea].power == trip.power}


def _swapped(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    """The reading of 1971: by sea to change places with a unit that comes the opposite way."""
    return bool(trip.opposed) and _carried(position, trip, book)


def _intended(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    """The rule of 1982: all the orders of its player show how the army goes."""
    exchange = trip.complete and trip.opposed == trip.power
    return exchange or _carried(position, trip, book)


def _own_fleet(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:
    void = book.broken_own_chain is BrokenChain.LAND_ROUTE and _chains_broken(board, position, trip)
    return trip.asked or (bool(_own(position, trip)) and not void) or _carried_off(trip, book)


def _own_chain(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:
    """The rule of Anjou Feu: by sea when every own fleet of some chain convoys."""
    kept = book.broken_own_chain is BrokenChain.ATTACK_FAILS and _chains_broken(board, position, trip)
    whole = any(own and own <= trip.offered for own in _own_chains(board, position, trip))
    return trip.asked or whole or kept or _carried_off(trip, book)


def _chains_broken(board: Board, position: Position, trip: Trip) -> bool:
    """Whether own fleets convoy, and every chain on the board lacks the order of another one (row M11)."""
    lacking = all(own - trip.offered for own in _own_chains(board, position, trip))
    return lacking and bool(_own(position, trip))


def _own_chains(board: Board, position: Position, trip: Trip) -> Iterator[set[str]]:
    """The own fleets of each chain that could stand, whatever the orders of its fleets."""
    for chain in routes(board, fleets(board, position), trip.origin, trip.goal):
        yield {sea for sea in chain if position.at[sea].power == trip.power}


def _carried_off(trip: Trip, book: Rulebook) -> bool:
    return trip.complete and book.kidnapping is Kidnapping.POSSIBLE


def _asked(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    return trip.asked


def _offered(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    return _carried(position, trip, book)


def _never(board: Board, position: Position, trip: Trip, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    return False


Choice = Callable[[Board, Position, Trip, Rulebook], bool]
_CHOICES: Mapping[Route, Choice] = {
    Route.OPPOSITE_MOVE_ONLY: _swapped,
    Route.INTENT_OF_ORDERS: _intended,
    Route.OWN_FLEET_OR_MARKER: _own_fleet,
    Route.OWN_CHAIN_OR_MARKER: _own_chain,
    Route.MARKER_REQUIRED: _asked,
    Route.LAND_THEN_SEA: _never,
    Route.SEA_THEN_LAND: _offered,
}
