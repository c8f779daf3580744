"""The engine's values as rows of arrays, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.outcome import Outcome, Result
from talleyrand.engine.position import Dislodged, Phase, Position, Unit, check

from . import codes
from .codes import NONE, Cells
from .tables import names, tabulate

PHASE = Phase("S", 1901, "M")
RESULTS = (
    Result.HOLDS,
    Result.MOVES,
    Result.BOUNCES,
    Result.CONVOY_DISRUPTED,
    Result.SUPPORT_GIVEN,
    Result.SUPPORT_CUT,
    Result.SUPPORT_VOID,
    Result.CONVOYS,
    Result.CONVOY_VOID,
)
_RESULT_NUMBERS = {result: number for number, result in enumerate(RESULTS)}


class Written(NamedTuple):
    """A position, one legal order a unit, and the provinces of units whose every order was impossible."""

    position: Position
    orders: Mapping[tuple[str, str], Order]
    misordered: frozenset[str] = frozenset()


class Fate(NamedTuple):
    """What became of a unit: its order's result, whether it went by sea, the province of the unit that
    dislodged it, and where it may retreat, sorted."""

    unit: Unit
    result: Result
    by_sea: bool = False
    dislodged_by: str | None = None
    retreats: tuple[str, ...] = ()


class Numbers(NamedTuple):
    """The number of each name of a board."""

    provinces: Mapping[str, int]
    locations: Mapping[str, int]
    kinds: Mapping[str, int]
    powers: Mapping[str, int]


@lru_cache(maxsize=16)
def numbers(board: Board) -> Numbers:
    """The numbers of a board's names, as in its table."""
    return Numbers(*({name: number for number, name in enumerate(row)} for row in names(board)))


# phases -------------------------------------------------------------------------------------------


def write_phase(board: Board, written: Written, row: Cells) -> dict[int, tuple[str, ...]]:
    """Fill one row with a position and its orders; the seas that moves name, by province."""
    check(board, written.position)
    number = numbers(board)
    row[codes.KIND] = NONE
    for unit in written.position.units:
        at = number.provinces[unit.province]
        row[codes.KIND, at] = number.kinds[unit.kind]
        row[codes.POWER, at] = number.powers[unit.power]
        row[codes.LOCATION, at] = number.locations[unit.location]
        row[codes.MARKS, at] = _marks(written, unit)
    return dict(_write_orders(number, written, row))


def _marks(written: Written, unit: Unit) -> int:
    position = written.position
    marks = codes.DISORDERED if position.disordered(unit) else 0
    marks |= codes.PASSIVE if unit.power in position.passive else 0
    return marks | (codes.MISORDERED if unit.province in written.misordered else 0)


def _write_orders(number: Numbers, written: Written, row: Cells) -> Iterator[tuple[int, tuple[str, ...]]]:
    standing = written.position.at
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


def _write_order(number: Numbers, order: Order, cells: Cells) -> None:
    """The order of one unit, in its column."""
    if isinstance(order, Move):
        cells[codes.ORDER], cells[codes.GOAL] = codes.MOVE, number.locations[order.to]
        cells[codes.MARKS] |= codes.VIA if order.via else 0
    elif isinstance(order, Support):
        cells[codes.ORDER] = codes.SUPPORT_MOVE if order.to else codes.SUPPORT_HOLD
        cells[codes.TARGET] = number.provinces[order.target.province]
        cells[codes.GOAL] = number.locations[order.to] if order.to else 0
    elif isinstance(order, Convoy):
        cells[codes.ORDER], cells[codes.GOAL] = codes.CONVOY, number.locations[order.to]
        cells[codes.TARGET] = number.provinces[order.target.province]
    elif not isinstance(order, Hold):
        raise ValueError(f"{order} is no order of a movement phase")  # noqa: TRY004


def check_rows(board: Board, rows: Cells) -> None:
    """Raise ValueError where rows hold what the kernel, which trusts them, could not follow."""
    called = names(board)
    if rows.ndim != 3 or rows.shape[1:] != (codes.PHASE_ROWS, len(called.provinces)):
        raise ValueError(f"phases of the shape {rows.shape} do not fit this board")
    phase, at = np.nonzero(rows[:, codes.KIND] != NONE)
    units = rows[phase, :, at]
    helping = np.isin(units[:, codes.ORDER], (codes.SUPPORT_HOLD, codes.SUPPORT_MOVE, codes.CONVOY))
    target = units[helping, codes.TARGET]
    most = len(called.kinds), len(called.powers), len(called.locations), len(codes.ORDERS)
    numbers_fit = (units[:, : codes.TARGET] < most).all() and (target < len(called.provinces)).all()
    if not numbers_fit or (units[:, codes.GOAL] >= len(called.locations)).any():
        raise ValueError("phases hold a number that stands for nothing on this board")
    if (tabulate(board).province[units[:, codes.LOCATION]] != at).any():
        raise ValueError("phases hold a unit whose location is in another province")
    if (rows[phase[helping], codes.KIND, target] == NONE).any():
        raise ValueError("phases hold a support or a convoy for nobody")


def read_phase(board: Board, row: Cells, paths: Mapping[int, tuple[str, ...]]) -> Written:
    """The position and the orders of one row."""
    units = _units(board, row)
    columns = row.T.tolist()
    marks = {unit.province: columns[at][codes.MARKS] for at, unit in units.items()}
    position = Position(
        PHASE,
        tuple(units.values()),
        passive=frozenset(unit.power for unit in units.values() if marks[unit.province] & codes.PASSIVE),
        unordered=frozenset(place for place, mark in marks.items() if mark & codes.DISORDERED),
    )
    orders = {
        (unit.power, unit.province): _read_order(board, columns[at], units, at, paths.get(at, ()))
        for at, unit in units.items()
    }
    misordered = frozenset(place for place, mark in marks.items() if mark & codes.MISORDERED)
    return Written(position, orders, misordered)


def _units(board: Board, row: Cells) -> dict[int, Unit]:
    called = names(board)
    kinds, powers, locations = row[[codes.KIND, codes.POWER, codes.LOCATION]].tolist()
    return {
        at: Unit(called.kinds[kind], called.locations[locations[at]], called.powers[powers[at]])
        for at, kind in enumerate(kinds)
        if kind != NONE
    }


def _read_order(
    board: Board, cells: list[int], units: Mapping[int, Unit], at: int, path: tuple[str, ...]
) -> Order:
    name, what, to = units[at].name, cells[codes.ORDER], names(board).locations[cells[codes.GOAL]]
    if what == codes.HOLD:
        return Hold(name)
    if what == codes.MOVE:
        return Move(name, to, via=bool(cells[codes.MARKS] & codes.VIA), path=path)
    target = units[cells[codes.TARGET]].name
    if what == codes.CONVOY:
        return Convoy(name, target, to)
    return Support(name, target, to if what == codes.SUPPORT_MOVE else None)


# fates --------------------------------------------------------------------------------------------


def write_outcome(board: Board, outcome: Outcome, fates: Cells, retreats: NDArray[np.int64]) -> None:
    """The engine's verdicts in the rows of one phase."""
    number = numbers(board)
    fates[codes.RESULT] = fates[codes.BY] = NONE
    fates[codes.CONTESTED] = fates[codes.ROUTE] = 0
    retreats[:] = 0
    for verdict in outcome.verdicts:
        at = number.provinces[verdict.unit.province]
        fates[codes.RESULT, at] = _RESULT_NUMBERS[Result(verdict.results[0])]
        fates[codes.ROUTE, at] = verdict.route == "sea"
    for fallen in outcome.dislodged:
        at = number.provinces[fallen.unit.province]
        fates[codes.BY, at] = number.provinces[fallen.by]
        retreats[at] = retreat_bits(board, fallen)
    for place in outcome.after.contested:
        fates[codes.CONTESTED, number.provinces[place]] = 1


def read_fates(board: Board, row: Cells, fates: Cells, retreats: NDArray[np.int64]) -> dict[str, Fate]:
    """What became of the units of one phase, by province."""
    provinces = names(board).provinces
    found = {}
    for at, unit in _units(board, row).items():
        by = fates[codes.BY, at]
        found[provinces[at]] = Fate(
            unit,
            RESULTS[fates[codes.RESULT, at]],
            bool(fates[codes.ROUTE, at]),
            None if by == NONE else provinces[by],
            retreat_places(board, unit, int(retreats[at])),
        )
    return found


def retreat_bits(board: Board, fallen: Dislodged) -> np.int64:
    """A bit for each place that a dislodged unit may retreat to, in the order of its steps."""
    near = steps(board, fallen.unit)
    return np.uint64(sum(1 << near.index(place) for place in fallen.retreats)).astype(np.int64)


def retreat_places(board: Board, unit: Unit, bits: int) -> tuple[str, ...]:
    """The places that the bits of a dislodged unit stand for."""
    if not bits:
        return ()
    return tuple(place for bit, place in enumerate(steps(board, unit)) if bits >> bit & 1)


def steps(board: Board, unit: Unit) -> tuple[str, ...]:
    """The steps of a unit in the order of its row of `Table.near`."""
    number = numbers(board)
    near = tabulate(board).near[number.kinds[unit.kind], number.locations[unit.location]]
    return tuple(names(board).locations[step] for step in near[near != NONE])
