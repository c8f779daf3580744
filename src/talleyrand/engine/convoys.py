"""Routes of fleets from shore to shore, and how an army goes to a neighbouring province: by land or by sea.

A route is a chain of seas, each holding a fleet, from the army's province to its goal. A *proper*
route makes no detour: no sea of it touches the start or an earlier sea but the one before it, and
none but the last touches the goal (DATC 3.2, 4.E.1 and cases 6.F.12, 6.G.7, 6.G.19). The way to a
neighbour: DATC 4.A.3, rows M07 to M11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from .board import Board
from .position import Position, Unit
from .rulebook import LandOrSeaRoute, Rulebook


def convoying_fleets(board: Board, position: Position) -> frozenset[str]:
    """The seas that hold a unit able to convoy."""
    return _fleets(board, position.units)


@lru_cache(maxsize=64)
def _fleets(board: Board, units: tuple[Unit, ...]) -> frozenset[str]:
    """The same for the units alone: kept, for every order of a phase asks it again."""
    return frozenset(unit.province for unit in units if can_convoy(board, unit))


def can_convoy(board: Board, unit: Unit) -> bool:
    """Whether a unit convoys where it stands: the right kind, at sea or in a canal."""
    return board.kinds[unit.kind].convoys and board.allows_convoys(unit.province)


def has_route(board: Board, seas: Set[str], origin: str, goal: str) -> bool:
    """Whether the seas contain a route from province `origin` to province `goal`."""
    waters = board.adjacent_seas
    ends = waters.get(goal, frozenset()) & seas
    reached = waters.get(origin, frozenset()) & seas
    edge = set(reached)
    while edge and not reached & ends:
        edge = {sea for here in edge for sea in waters[here] if sea in seas} - reached
        reached |= edge
    return bool(reached & ends)


def proper_routes(board: Board, seas: Set[str], origin: str, goal: str) -> Iterator[tuple[str, ...]]:
    """Every proper route through the given seas."""
    starts = board.adjacent_seas.get(origin, frozenset()) & seas
    return _routes(board, seas, starts, board.adjacent_seas.get(goal, frozenset()) & seas)


def _routes(board: Board, seas: Set[str], starts: Set[str], ends: Set[str]) -> Iterator[tuple[str, ...]]:
    waters = board.adjacent_seas
    stack: list[tuple[tuple[str, ...], Set[str]]] = [((sea,), starts) for sea in sorted(starts)]
    while stack:
        path, closed = stack.pop()
        if path[-1] in ends:
            yield path
            continue
        onward = (waters[path[-1]] & seas) - closed
        stack.extend(((*path, sea), closed | onward) for sea in sorted(onward))


def seas_on_proper_routes(board: Board, seas: frozenset[str], origin: str, goal: str) -> frozenset[str]:
    """The seas that lie on some proper route."""
    starts = board.adjacent_seas.get(origin, frozenset()) & seas
    ends = board.adjacent_seas.get(goal, frozenset()) & seas
    return _on_routes(board, seas, frozenset((starts, ends)))


@lru_cache(maxsize=1 << 14)
def _on_routes(board: Board, seas: frozenset[str], shores: frozenset[frozenset[str]]) -> frozenset[str]:
    """The same for two shores by the seas they touch: kept, for a menu of orders asks it again and again."""
    starts, ends = min(shores, key=sorted), max(shores, key=sorted)
    return frozenset(sea for route in _routes(board, seas, starts, ends) for sea in route)


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
    return lacks_own_fleet(board, position, trip) and bool(_own(position, trip))


def lacks_own_fleet(board: Board, position: Position, trip: AdjacentMove) -> bool:
    """Whether every chain that could stand lacks the order of a fleet of the army’s own power."""
    return all(own - trip.ordered_fleets for own in _own_chains(board, position, trip))


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
