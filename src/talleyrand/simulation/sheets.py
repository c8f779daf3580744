"""The engine's orders as columns of a sheet, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from talleyrand.engine.board import Board
from talleyrand.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Measure,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from talleyrand.engine.position import UnitName, province_of

from . import codes
from .codes import NONE, Cells, Masks
from .encoding import Numbers, numbers
from .tables import names
from .world import read_unit

Row = tuple[int, int, int, int]


def write_sheet(board: Board, orders: Iterable[Order], sheet: Cells, *, winter: bool = False) -> None:
    """Write orders into the columns of their units or centres; a waived build is no order at all.

    Raises ValueError for an order whose places or units the board lacks, or that names its seas.
    """
    number = numbers(board)
    for order in orders:
        if not isinstance(order, Waive | Measure):
            try:
                sheet[:, number.provinces[order.unit.province]] = row_of(number, order, winter=winter)
            except KeyError:
                raise ValueError(f"this board has no place or unit for the order {order}") from None


def row_of(number: Numbers, order: Order, *, winter: bool = False) -> Row:
    """Order, target, goal and way of one order. Raises KeyError for a place that the board lacks."""
    what, target, goal, via = codes.HOLD, int(NONE), int(NONE), 0
    match order:
        case Move(path=()):
            what, goal, via = codes.MOVE, number.locations[order.to], int(order.via)
        case Support(to=None):
            what, target = codes.SUPPORT_HOLD, number.provinces[order.target.province]
        case Support(to=str(to)):
            what, target = codes.SUPPORT_MOVE, number.provinces[order.target.province]
            goal = number.locations[to]
        case Convoy():
            what, target = codes.CONVOY, number.provinces[order.target.province]
            goal = number.locations[order.to]
        case Retreat():
            what, goal = codes.RETREAT, number.locations[order.to]
        case Disband():
            what = codes.REMOVE if winter else codes.DISBAND
        case Build():
            what, target = codes.BUILD, number.kinds[order.unit.kind]
            goal = number.locations[order.unit.location]
        case Move() | Waive():
            raise ValueError(f"the arrays hold no order like {order}")
    return what, target, goal, via


# reading ------------------------------------------------------------------------------------------


class Reader:
    """Reads the sheet of one game, where every number is taken with a grain of salt."""

    def __init__(self, board: Board, places: Cells, clock: Masks) -> None:
        self.called = names(board)
        self.columns = places.T.tolist()
        self.stage = int(clock[codes.STAGE])

    def read(self, sheet: Cells) -> Mapping[str, list[Order]]:
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
        if self.stage == codes.RETREATS:
            return self._of_unit(row, column, codes.FALLEN_KIND)
        if row[0] == codes.BUILD and column[codes.CENTRE] != NONE:
            return self.called.powers[column[codes.CENTRE]], self._build(at, row)
        return self._of_unit(row, column, codes.KIND)

    def _of_unit(self, row: list[int], column: list[int], first: int) -> tuple[str, Order | None]:
        if column[first] == NONE or row[0] == codes.BUILD:
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
        return called[row[codes.SHEET_GOAL]] if row[codes.SHEET_GOAL] < len(called) else None

    def target(self, row: list[int]) -> UnitName | None:
        """The unit that an order is about."""
        at = row[codes.SHEET_TARGET]
        if at >= len(self.columns) or self.columns[at][codes.KIND] == NONE:
            return None
        return read_unit(self.called, self.columns[at], codes.KIND).name


def _move(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:
    to = reader.place(row)
    return None if to is None else Move(unit, to, via=row[codes.SHEET_VIA] == 1)


def _support(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:
    target, to = reader.target(row), reader.place(row)
    return None if target is None or to is None else Support(unit, target, to)


def _support_in_place(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:
    target = reader.target(row)
    return None if target is None else Support(unit, target)


def _convoy(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:
    target, to = reader.target(row), reader.place(row)
    return None if target is None or to is None else Convoy(unit, target, to)


def _retreat(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:
    to = reader.place(row)
    return None if to is None else Retreat(unit, to)


def _disband(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:  # noqa: ARG001 (of _READERS)
    return Disband(unit)


def _hold(reader: Reader, unit: UnitName, row: list[int]) -> Order | None:  # noqa: ARG001 (of _READERS)
    return Hold(unit)


_ORDERS: Mapping[int, tuple[int, ...]] = {
    codes.MOVEMENT: codes.ORDERS,
    codes.RETREATS: (codes.RETREAT, codes.DISBAND),
    codes.ADJUSTMENTS: (codes.BUILD, codes.REMOVE),
    codes.OWN_PHASE: (*codes.ORDERS, codes.RETREAT, codes.DISBAND, codes.BUILD, codes.REMOVE),
}
_READERS: Mapping[int, Callable[[Reader, UnitName, list[int]], Order | None]] = {
    codes.HOLD: _hold,
    codes.MOVE: _move,
    codes.SUPPORT_HOLD: _support_in_place,
    codes.SUPPORT_MOVE: _support,
    codes.CONVOY: _convoy,
    codes.RETREAT: _retreat,
    codes.DISBAND: _disband,
    codes.REMOVE: _disband,
}
