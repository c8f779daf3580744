"""The engine's values as rows of arrays, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.outcome import OrderResult, PhaseOutcome
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, check_position
from talleyrand.engine.reduced_phase import FATE_RESULTS

from . import array_layout
from .array_layout import NONE, UInt16Array
from .board_arrays import board_arrays, board_names

PHASE = Phase("S", 1901, "M")
_RESULT_NUMBERS = {result: number for number, result in enumerate(FATE_RESULTS)}


class MovementInput(NamedTuple):
    """A position, one legal order a unit, and the provinces of units whose every order was impossible."""

    position: Position
    orders: Mapping[tuple[str, str], Order]
    misordered: frozenset[str] = frozenset()


class UnitFate(NamedTuple):
    """What became of a unit: its order's result, whether it went by sea, the province of the unit that
    dislodged it, and where it may retreat, sorted."""

    unit: Unit
    result: OrderResult
    by_sea: bool = False
    dislodged_by: str | None = None
    retreats: tuple[str, ...] = ()


class BoardNumbers(NamedTuple):
    """The number of each name of a board."""

    provinces: Mapping[str, int]
    locations: Mapping[str, int]
    kinds: Mapping[str, int]
    powers: Mapping[str, int]


@lru_cache(maxsize=16)
def board_numbers(board: Board) -> BoardNumbers:
    """The numbers of a board's names, as in its table."""
    return BoardNumbers(*({name: number for number, name in enumerate(row)} for row in board_names(board)))


# phases -------------------------------------------------------------------------------------------


def write_phase(board: Board, written: MovementInput, row: UInt16Array) -> dict[int, tuple[str, ...]]:
    """Fill one row with a position and its orders; the seas that moves name, by province."""
    check_position(board, written.position)
    number = board_numbers(board)
    row[array_layout.KIND] = NONE
    for unit in written.position.units:
        at = number.provinces[unit.province]
        row[array_layout.KIND, at] = number.kinds[unit.kind]
        row[array_layout.POWER, at] = number.powers[unit.power]
        row[array_layout.LOCATION, at] = number.locations[unit.location]
        row[array_layout.MARKS, at] = _marks(written, unit)
    return dict(_write_orders(number, written, row))


def unit_column(number: BoardNumbers, unit: Unit, order: Order | None, marks: int) -> list[int]:
    """The column of a unit with its legal order, if it has one."""
    cells = [
        number.kinds[unit.kind],
        number.powers[unit.power],
        number.locations[unit.location],
        0,
        0,
        0,
        marks,
    ]
    if order is not None:
        _write_order(number, order, cells)
    return cells


def _marks(written: MovementInput, unit: Unit) -> int:
    position = written.position
    marks = array_layout.DISORDERED if position.is_in_disorder(unit) else 0
    marks |= array_layout.PASSIVE if unit.power in position.passive else 0
    return marks | (array_layout.MISORDERED if unit.province in written.misordered else 0)


def _write_orders(
    number: BoardNumbers, written: MovementInput, row: UInt16Array
) -> Iterator[tuple[int, tuple[str, ...]]]:
    standing = written.position.units_by_province
    for (power, province), order in written.orders.items():
        if province not in standing or standing[province].power != power:
            raise ValueError(f"{power} has no unit in {province} for the order {order}")
        if isinstance(order, Support | Convoy) and order.target.province not in standing:
            raise ValueError(f"there is no unit in {order.target.province} for the order {order}")
        if isinstance(order, Move | Support | Convoy) and order.to and order.to not in number.locations:
            raise ValueError(f"there is no place {order.to} on this board for the order {order}")
        at = number.provinces[province]
        _write_order(number, order, row[:, at])
        if isinstance(order, Move) and order.path:
            yield at, order.path


def _write_order(number: BoardNumbers, order: Order, cells: UInt16Array | list[int]) -> None:
    """The order of one unit, in its column."""
    if isinstance(order, Move):
        cells[array_layout.ORDER], cells[array_layout.GOAL] = array_layout.MOVE, number.locations[order.to]
        cells[array_layout.MARKS] |= array_layout.VIA if order.via else 0
    elif isinstance(order, Support):
        cells[array_layout.ORDER] = array_layout.SUPPORT_MOVE if order.to else array_layout.SUPPORT_HOLD
        cells[array_layout.TARGET] = number.provinces[order.target.province]
        cells[array_layout.GOAL] = number.locations[order.to] if order.to else 0
    elif isinstance(order, Convoy):
        cells[array_layout.ORDER], cells[array_layout.GOAL] = array_layout.CONVOY, number.locations[order.to]
        cells[array_layout.TARGET] = number.provinces[order.target.province]
    elif not isinstance(order, Hold):
        raise ValueError(f"{order} is no order of a movement phase")  # noqa: TRY004


def check_rows(board: Board, rows: UInt16Array) -> None:
    """Raise ValueError where rows hold what the kernel, which trusts them, could not follow."""
    called = board_names(board)
    if rows.ndim != 3 or rows.shape[1:] != (array_layout.PHASE_ROWS, len(called.provinces)):
        raise ValueError(f"phases of the shape {rows.shape} do not fit this board")
    phase, at = np.nonzero(rows[:, array_layout.KIND] != NONE)
    units = rows[phase, :, at]
    helping = np.isin(
        units[:, array_layout.ORDER],
        (array_layout.SUPPORT_HOLD, array_layout.SUPPORT_MOVE, array_layout.CONVOY),
    )
    target = units[helping, array_layout.TARGET]
    most = len(called.kinds), len(called.powers), len(called.locations), len(array_layout.ORDERS)
    numbers_fit = (units[:, : array_layout.TARGET] < most).all() and (target < len(called.provinces)).all()
    if not numbers_fit or (units[:, array_layout.GOAL] >= len(called.locations)).any():
        raise ValueError("phases hold a number that stands for nothing on this board")
    if (board_arrays(board).province[units[:, array_layout.LOCATION]] != at).any():
        raise ValueError("phases hold a unit whose location is in another province")
    if (rows[phase[helping], array_layout.KIND, target] == NONE).any():
        raise ValueError("phases hold a support or a convoy for nobody")


def read_phase(board: Board, row: UInt16Array, paths: Mapping[int, tuple[str, ...]]) -> MovementInput:
    """The position and the orders of one row."""
    units = _units(board, row)
    columns = row.T.tolist()
    marks = {unit.province: columns[at][array_layout.MARKS] for at, unit in units.items()}
    position = Position(
        PHASE,
        tuple(units.values()),
        passive=frozenset(
            unit.power for unit in units.values() if marks[unit.province] & array_layout.PASSIVE
        ),
        provinces_in_disorder=frozenset(
            place for place, mark in marks.items() if mark & array_layout.DISORDERED
        ),
    )
    orders = {
        (unit.power, unit.province): _read_order(board, columns[at], units, at, paths.get(at, ()))
        for at, unit in units.items()
    }
    misordered = frozenset(place for place, mark in marks.items() if mark & array_layout.MISORDERED)
    return MovementInput(position, orders, misordered)


def _units(board: Board, row: UInt16Array) -> dict[int, Unit]:
    called = board_names(board)
    kinds, powers, locations = row[[array_layout.KIND, array_layout.POWER, array_layout.LOCATION]].tolist()
    return {
        at: Unit(called.kinds[kind], called.locations[locations[at]], called.powers[powers[at]])
        for at, kind in enumerate(kinds)
        if kind != NONE
    }


def _read_order(
    board: Board, cells: list[int], units: Mapping[int, Unit], at: int, path: tuple[str, ...]
) -> Order:
    name, what, to = (
        units[at].name,
        cells[array_layout.ORDER],
        board_names(board).locations[cells[array_layout.GOAL]],
    )
    if what == array_layout.HOLD:
        return Hold(name)
    if what == array_layout.MOVE:
        return Move(name, to, via=bool(cells[array_layout.MARKS] & array_layout.VIA), path=path)
    target = units[cells[array_layout.TARGET]].name
    if what == array_layout.CONVOY:
        return Convoy(name, target, to)
    return Support(name, target, to if what == array_layout.SUPPORT_MOVE else None)


# fates --------------------------------------------------------------------------------------------


def write_outcome(
    board: Board, outcome: PhaseOutcome, fates: UInt16Array, retreats: NDArray[np.int64]
) -> None:
    """The engine's verdicts in the rows of one phase."""
    number = board_numbers(board)
    fates[array_layout.RESULT] = fates[array_layout.BY] = NONE
    fates[array_layout.CONTESTED] = fates[array_layout.ROUTE] = 0
    retreats[:] = 0
    for verdict in outcome.verdicts:
        at = number.provinces[verdict.unit.province]
        fates[array_layout.RESULT, at] = _RESULT_NUMBERS[OrderResult(verdict.results[0])]
        fates[array_layout.ROUTE, at] = verdict.route == "sea"
    for fallen in outcome.dislodged:
        at = number.provinces[fallen.unit.province]
        fates[array_layout.BY, at] = number.provinces[fallen.by]
        retreats[at] = retreat_bits(board, fallen)
    for place in outcome.position_after.contested:
        fates[array_layout.CONTESTED, number.provinces[place]] = 1


def read_fates(
    board: Board, row: UInt16Array, fates: UInt16Array, retreats: NDArray[np.int64]
) -> dict[str, UnitFate]:
    """What became of the units of one phase, by province."""
    provinces = board_names(board).provinces
    found = {}
    for at, unit in _units(board, row).items():
        by = fates[array_layout.BY, at]
        found[provinces[at]] = UnitFate(
            unit,
            FATE_RESULTS[fates[array_layout.RESULT, at]],
            bool(fates[array_layout.ROUTE, at]),
            None if by == NONE else provinces[by],
            retreat_places(board, unit, int(retreats[at])),
        )
    return found


def retreat_bits(board: Board, fallen: DislodgedUnit) -> np.int64:
    """A bit for each place that a dislodged unit may retreat to, in the order of its steps."""
    near = steps_of_unit(board, fallen.unit)
    return np.uint64(sum(1 << near.index(place) for place in fallen.retreats)).astype(np.int64)


def retreat_places(board: Board, unit: Unit, bits: int) -> tuple[str, ...]:
    """The places that the bits of a dislodged unit stand for."""
    if not bits:
        return ()
    return tuple(place for bit, place in enumerate(steps_of_unit(board, unit)) if bits >> bit & 1)


def steps_of_unit(board: Board, unit: Unit) -> tuple[str, ...]:
    """The steps of a unit in the order of its row of `Table.near`."""
    number = board_numbers(board)
    near = board_arrays(board).near[number.kinds[unit.kind], number.locations[unit.location]]
    return tuple(board_names(board).locations[step] for step in near[near != NONE])
