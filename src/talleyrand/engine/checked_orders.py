"""Orders checked once for a position: its reader and its judge ask about the same ones."""

from __future__ import annotations

from typing import cast

from .board import Board
from .errors import OrderRefusal
from .legality import check_movement_order
from .orders import Order
from .position import Position
from .rulebook import Rulebook

MAX_KNOWN_ORDERS = 1000
_KnownOrders = dict[tuple[str, Order, bool], Order | OrderRefusal]


def check_order_once(
    board: Board, position: Position, power: str, order: Order, book: Rulebook
) -> Order | OrderRefusal:
    """What `check_movement_order` gives, found once for a position, a board and a book."""
    known = _known_orders(board, position, book)
    key = power, order, getattr(order, "bare", False)
    found = known.get(key)
    if found is None:
        if len(known) >= MAX_KNOWN_ORDERS:
            known.clear()
        known[key] = found = check_movement_order(board, position, power, order, book)
    return found


def _known_orders(board: Board, position: Position, book: Rulebook) -> _KnownOrders:
    for its_board, its_book, known in position.checked_orders:
        if its_board is board and its_book is book:
            return cast(_KnownOrders, known)
    fresh: _KnownOrders = {}
    position.checked_orders[:] = [(board, book, cast("dict[object, object]", fresh))]
    return fresh
