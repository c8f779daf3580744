"""A crowd without the units that a finding does not need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from talleyrand.engine import legality
from talleyrand.engine.board import Board
from talleyrand.engine.errors import Refusal
from talleyrand.engine.position import Unit
from talleyrand.engine.rulebook import Rulebook
from tests.oracle.crowds import Crowd


def shrink(board: Board, book: Rulebook, crowd: Crowd, found: Callable[[Crowd], bool]) -> Crowd:
    """The crowd with units, then orders, left out one by one as long as the finding stands."""
    before = None
    while crowd != before:
        before, crowd = crowd, _shrink_once(board, book, crowd, found)
    return crowd


def _shrink_once(board: Board, book: Rulebook, crowd: Crowd, found: Callable[[Crowd], bool]) -> Crowd:
    for unit in crowd.position.units:
        fewer = _without(board, book, crowd, unit)
        if found(fewer):
            crowd = fewer
    for key in list(crowd.orders):
        fewer = crowd._replace(orders={at: order for at, order in crowd.orders.items() if at != key})
        if found(fewer):
            crowd = fewer
    return crowd


def _without(board: Board, book: Rulebook, crowd: Crowd, unit: Unit) -> Crowd:
    """Without a unit, and without the orders that are impossible when it is missing."""
    units = tuple(other for other in crowd.position.units if other != unit)
    position = replace(crowd.position, units=units)
    checked = {
        key: legality.check(board, position, key[0], order, book)
        for key, order in crowd.orders.items()
        if key[1] != unit.province
    }
    return Crowd(position, {key: order for key, order in checked.items() if not isinstance(order, Refusal)})
