"""The engine's orders as columns of a sheet, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from talleyrand.engine.board import Board
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PoliticalOrder,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.position import UnitName, province_of

from . import array_layout
from .array_layout import NONE, Int64Array, UInt16Array
from .board_arrays import board_names
from .game_batch import read_unit
from .phase_encoding import BoardNumbers, board_numbers

Row = tuple[int, int, int, int]


def write_order_rows(
    board: Board, orders: Iterable[Order], sheet: UInt16Array, *, winter: bool = False
) -> None:
    """Write orders into the columns of their units or centres; a waived build is no order at all.

    Raises ValueError for an order whose places or units the board lacks, or that names its seas.
    """
    number = board_numbers(board)
    for order in orders:
        if not isinstance(order, Waive | PoliticalOrder):
            try:
                sheet[:, number.provinces[order.unit.province]] = order_row(number, order, winter=winter)
            except KeyError:
                raise ValueError(f"this board has no place or unit for the order {order}") from None


def order_row(number: BoardNumbers, order: Order, *, winter: bool = False) -> Row:
    """Order, target, goal and way of one order. Raises KeyError for a place that the board lacks."""
    what, target, goal, via = array_layout.HOLD, int(NONE), int(NONE), 0
    match order:
        case Move(path=()):
            what, goal, via = array_layout.MOVE, number.locations[order.to], int(order.via)
        case Support(to=None):
            what, target = array_layout.SUPPORT_HOLD, number.provinces[order.target.province]
        case Support(to=str(to)):
            what, target = array_layout.SUPPORT_MOVE, number.provinces[order.target.province]
            goal = number.locations[to]
        case Convoy():
            what, target = array_layout.CONVOY, number.provinces[order.target.province]
            goal = number.locations[order.to]
        case Retreat():
            what, goal = array_layout.RETREAT, number.locations[order.to]
        case Disband():
            what = array_layout.REMOVE if winter else array_layout.DISBAND
        case Build():
            what, target = array_layout.BUILD, number.kinds[order.unit.kind]
            goal = number.locations[order.unit.location]
        case Move() | Waive():
            raise ValueError(f"the arrays hold no order like {order}")
    return what, target, goal, via


# reading ------------------------------------------------------------------------------------------


class OrderRowReader:
    """Reads the sheet of one game, where every number is taken with a grain of salt."""

    def __init__(self, board: Board, places: UInt16Array, clock: Int64Array) -> None:
        self.called = board_names(board)
        self.columns = places.T.tolist()
        self.stage = int(clock[array_layout.STAGE])

    def read(self, sheet: UInt16Array) -> Mapping[str, list[Order]]:
        """The orders of a sheet, by power, in the order of the provinces; what means nothing is left out."""
        found: dict[str, list[Order]] = {}
        for at, row in enumerate(sheet.T.tolist()):
            power, order = self.order(at, row)
            if order is not None:
                found.setdefault(power, []).append(order)
        return found

    def order(self, at: int, row: list[int]) -> tuple[str, Order | None]:
        """Whose order a column holds, and which."""
        column = self.columns[at]
        if row[0] not in _ORDERS[self.stage]:
            return "", None
        if self.stage == array_layout.RETREATS:
            return self._of_unit(row, column, array_layout.DISLODGED_KIND)
        if row[0] == array_layout.BUILD and column[array_layout.CENTRE] != NONE:
            return self.called.powers[column[array_layout.CENTRE]], self._build(at, row)
        return self._of_unit(row, column, array_layout.KIND)

    def _of_unit(self, row: list[int], column: list[int], first: int) -> tuple[str, Order | None]:
        if column[first] == NONE or row[0] == array_layout.BUILD:
            return "", None
        unit = read_unit(self.called, column, first)
        return unit.power, _READERS[row[0]](self, unit.name, row)

    def _build(self, at: int, row: list[int]) -> Order | None:
        place = self.place(row)
        if place is None or row[1] >= len(self.called.kinds):
            return None
        here = province_of(place) == self.called.provinces[at]
        return Build(UnitName(self.called.kinds[row[1]], place)) if here else None

    def place(self, row: list[int]) -> str | None:
        """The location that an order names."""
        called = self.called.locations
        return called[row[array_layout.ORDER_GOAL]] if row[array_layout.ORDER_GOAL] < len(called) else None

    def target(self, row: list[int]) -> UnitName | None:
        """The unit that an order is about."""
        at = row[array_layout.ORDER_TARGET]
        if at >= len(self.columns) or self.columns[at][array_layout.KIND] == NONE:
            return None
        return read_unit(self.called, self.columns[at], array_layout.KIND).name


def _move(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:
    to = reader.place(row)
    return None if to is None else Move(unit, to, via=row[array_layout.ORDER_VIA] == 1)


def _support(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:
    target, to = reader.target(row), reader.place(row)
    return None if target is None or to is None else Support(unit, target, to)


def _support_in_place(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:
    target = reader.target(row)
    return None if target is None else Support(unit, target)


def _convoy(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:
    target, to = reader.target(row), reader.place(row)
    return None if target is None or to is None else Convoy(unit, target, to)


def _retreat(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:
    to = reader.place(row)
    return None if to is None else Retreat(unit, to)


def _disband(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:  # noqa: ARG001 (of _READERS)
    return Disband(unit)


def _hold(reader: OrderRowReader, unit: UnitName, row: list[int]) -> Order | None:  # noqa: ARG001 (of _READERS)
    return Hold(unit)


_ORDERS: Mapping[int, tuple[int, ...]] = {
    array_layout.MOVEMENT: array_layout.ORDERS,
    array_layout.RETREATS: (array_layout.RETREAT, array_layout.DISBAND),
    array_layout.ADJUSTMENTS: (array_layout.BUILD, array_layout.REMOVE),
    array_layout.VARIANT_PHASE_KIND: (
        *array_layout.ORDERS,
        array_layout.RETREAT,
        array_layout.DISBAND,
        array_layout.BUILD,
        array_layout.REMOVE,
    ),
}
_READERS: Mapping[int, Callable[[OrderRowReader, UnitName, list[int]], Order | None]] = {
    array_layout.HOLD: _hold,
    array_layout.MOVE: _move,
    array_layout.SUPPORT_HOLD: _support_in_place,
    array_layout.SUPPORT_MOVE: _support,
    array_layout.CONVOY: _convoy,
    array_layout.RETREAT: _retreat,
    array_layout.DISBAND: _disband,
    array_layout.REMOVE: _disband,
}
