"""How an army goes to a neighbouring province: by land or by sea (DATC 4.A.3, rows M07 to M11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from typing import NamedTuple

from .board import Board
from .convoys import convoying_fleets, proper_routes
from .position import Position
from .rulebook import LandOrSeaRoute, Rulebook


class RouteChoice(Enum):
    """How a move travels."""

    LAND = auto()
    SEA = auto()
    SEA_ELSE_LAND = auto()
    LAND_ELSE_SEA = auto()


class AdjacentMove(NamedTuple):
    """An army's move to a neighbour, and what bears on its way there.

    `asks_for_convoy`: its player asks for a convoy; `ordered_fleets` the fleets ordered to convoy it,
    `has_whole_route` if they make a whole route; `opposite_power` the power of the unit at the goal if that
    moves the opposite way.
    """

    power: str
    origin: str
    goal: str
    asks_for_convoy: bool
    ordered_fleets: frozenset[str]
    has_whole_route: bool
    opposite_power: str


def choose_route(board: Board, position: Position, trip: AdjacentMove, book: Rulebook) -> RouteChoice:
    """The way an army goes, and the one it falls back on."""
    if not trip.asks_for_convoy and not trip.ordered_fleets:
        return RouteChoice.LAND
    if _CHOICES[book.land_or_sea_route](board, position, trip, book):
        settled = book.land_or_sea_route == "opposite_move_only"
        return RouteChoice.SEA_ELSE_LAND if settled or book.route_fallback == "to_land" else RouteChoice.SEA
    spare = book.route_fallback == "to_sea" and _carried(position, trip, book)
    return RouteChoice.LAND_ELSE_SEA if spare else RouteChoice.LAND


def _carried(position: Position, trip: AdjacentMove, book: Rulebook) -> bool:
    """Whether fleets carry an army that wants it, or whom they may carry off (row M09)."""
    wanted = trip.asks_for_convoy or bool(_own(position, trip))
    return trip.has_whole_route and (wanted or book.kidnapping == "possible")


def _own(position: Position, trip: AdjacentMove) -> set[str]:
    return {sea for sea in trip.ordered_fleets if position.units_by_province[sea].power == trip.power}


def _swapped(board: Board, position: Position, trip: AdjacentMove, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    """The reading of 1971: by sea to change places with a unit that comes the opposite way."""
    return bool(trip.opposite_power) and _carried(position, trip, book)


def _intended(board: Board, position: Position, trip: AdjacentMove, book: Rulebook) -> bool:  # noqa: ARG001 (Choice)
    """The rule of 1982: all the orders of its player show how the army goes."""
    exchange = trip.has_whole_route and trip.opposite_power == trip.power
    return exchange or _carried(position, trip, book)


def _own_fleet(board: Board, position: Position, trip: AdjacentMove, book: Rulebook) -> bool:
    void = book.broken_own_chain == "convoy_orders_void_land_route" and _chains_broken(board, position, trip)
    return trip.asks_for_convoy or (bool(_own(position, trip)) and not void) or _carried_off(trip, book)


def _own_chain(board: Board, position: Position, trip: AdjacentMove, book: Rulebook) -> bool:
    """The rule of Anjou Feu: by sea when every own fleet of some chain convoys."""
    kept = book.broken_own_chain == "attack_fails" and _chains_broken(board, position, trip)
    whole = any(own and own <= trip.ordered_fleets for own in _own_chains(board, position, trip))
    return trip.asks_for_convoy or whole or kept or _carried_off(trip, book)


def _chains_broken(board: Board, position: Position, trip: AdjacentMove) -> bool:
    """Whether own fleets convoy, and every chain on the board lacks the order of another one (row M11)."""
    lacking = all(own - trip.ordered_fleets for own in _own_chains(board, position, trip))
    return lacking and bool(_own(position, trip))


def _own_chains(board: Board, position: Position, trip: AdjacentMove) -> Iterator[set[str]]:
    """The own fleets of each chain that could stand, whatever the orders of its fleets."""
    for chain in proper_routes(board, convoying_fleets(board, position), trip.origin, trip.goal):
        yield {sea for sea in chain if position.units_by_province[sea].power == trip.power}


def _carried_off(trip: AdjacentMove, book: Rulebook) -> bool:
    return trip.has_whole_route and book.kidnapping == "possible"


RouteRule = Callable[[Board, Position, AdjacentMove, Rulebook], bool]
_CHOICES: Mapping[LandOrSeaRoute, RouteRule] = {
    "opposite_move_only": _swapped,
    "intent_of_orders": _intended,
    "own_fleet_or_marker": _own_fleet,
    "own_chain_or_marker": _own_chain,
    "marker_required": lambda board, position, trip, book: trip.asks_for_convoy,  # noqa: ARG005
    "land_then_sea": lambda board, position, trip, book: False,  # noqa: ARG005
    "sea_then_land": lambda board, position, trip, book: _carried(position, trip, book),  # noqa: ARG005
}
