"""Routes of fleets from shore to shore.

A route is a chain of seas, each holding a fleet, from the army's province to its goal. A *proper*
route makes no detour: no sea of it touches the start or an earlier sea but the one before it, and
none but the last touches the goal (DATC 3.2, 4.E.1 and cases 6.F.12, 6.G.7, 6.G.19).
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache

from .board import Board
from .position import Position, Unit


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
