"""Orders checked once for all positions in which a check reads the same.

The reader and the judge of a phase ask about the same orders, and so do the phases of a stream.
"""

from __future__ import annotations

from .board import Board, province_of
from .convoys import convoying_fleets
from .errors import OrderRefusal
from .legality import check_movement_order
from .orders import Convoy, Hold, Move, Order, Support
from .position import Position, Unit
from .rulebook import Rulebook

MAX_KNOWN_ORDERS = 1 << 14
MAX_TABLES = 8
_KnownOrders = dict[object, Order | OrderRefusal]  # by the order; more tells of it where a check reads more
_HELPING, _MAYBE_BARE = (Support, Convoy), (Support, Hold)
_TABLES: list[tuple[tuple[Board, Rulebook, _KnownOrders], ...]] = [()]


def check_order_once(
    board: Board, position: Position, power: str, order: Order, book: Rulebook
) -> Order | OrderRefusal:
    """What `check_movement_order` gives, found once for a board, a book and the units that an order is about,
    whosever they are; the order itself where it is followed as it is."""
    units, name = position.units_by_province, order.unit
    unit = units.get(name.location.partition("/")[0]) if name else None
    if unit is None or unit.power != power or power in position.passive:
        return check_movement_order(board, position, power, order, book)
    known, standing, target = _known_orders(board, book), unit[:2], None
    key: object = order
    as_named, is_bare = standing == name, False
    if isinstance(order, _HELPING):
        target = units.get(order.target.location.partition("/")[0])
        as_named = as_named and target is not None and target[:2] == order.target
    if isinstance(order, _MAYBE_BARE):
        is_bare = order.bare
    if is_bare or not as_named:
        key = order, is_bare, standing, target and target[:2]
    found = known.get(key)
    if found is None:
        if _hangs_on_fleets(board, unit, target, order, book):
            key = key, convoying_fleets(board, position)
            found = known.get(key)
        if found is None:
            if len(known) >= MAX_KNOWN_ORDERS:
                known.clear()
            checked = check_movement_order(board, position, power, order, book)
            known[key] = found = order if checked == order else checked
    return found


def _hangs_on_fleets(board: Board, unit: Unit, target: Unit | None, order: Order, book: Rulebook) -> bool:
    """Whether what an order comes to may hang on fleets elsewhere."""
    if isinstance(order, Move):
        named = order.via or order.path or book.convoy_path == "required"
        return bool(named) or not _reaches(board, unit, order.to)
    if isinstance(order, Support):
        return order.to is not None and not _reaches(board, target, order.to)
    return isinstance(order, Convoy)


def _reaches(board: Board, unit: Unit | None, to: str) -> bool:
    return unit is not None and bool(board.landing_locations(unit.kind, unit.location, province_of(to)))


def _known_orders(board: Board, book: Rulebook) -> _KnownOrders:
    """The table of this very board and book: to compare books option by option would take longer."""
    for its_board, its_book, known in _TABLES[0]:
        if its_board is board and its_book is book:
            return known
    fresh: _KnownOrders = {}
    _TABLES[0] = ((board, book, fresh), *_TABLES[0][: MAX_TABLES - 1])
    return fresh
