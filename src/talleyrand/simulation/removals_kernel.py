"""Many sets of the units of one phase judged, each alone on the board, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import array_layout as code
from .array_layout import Int64Array, UInt8Array, UInt16Array
from .board_arrays import BoardArrays
from .movement_kernel import decide_phase, write_fates
from .numba_compiler import compiled, compiled_and_cached, sources_checksum

# After the cells of a unit one more: the mark of a fate whose unit has no order.
UNORDERED_CELL = code.PHASE_ROWS
CELLS = UNORDERED_CELL + 1
FALLEN, LOST, LEFT_TO_ENGINE = 16, 32, 255


class UnitCells(NamedTuple):
    """The units of a phase: `places` their provinces; `cells` (unit, CELLS) with all on the board;
    `dependents` (number, 2) units that follow something else without one other, and that one, with their
    `cells_without` (number, CELLS) then."""

    places: UInt16Array
    cells: UInt16Array
    dependents: UInt16Array
    cells_without: UInt16Array


class RowChanges(NamedTuple):
    """What else units follow in some rows: `places` (number, 2) rows and units, in the order of the rows, and
    their `cells` (number, CELLS)."""

    places: Int64Array
    cells: UInt16Array


@compiled
def _stands(standing: UInt8Array, row: int, unit: int) -> bool:
    return bool(standing[row, unit >> 3] >> (unit & 7) & 1)


@compiled
def _write_removal(phase: UInt16Array, place: int, cells: UInt16Array, number: int) -> int:
    for row in range(code.PHASE_ROWS):
        phase[row, place] = cells[number, row]
    return int(cells[number, UNORDERED_CELL])


@compiled
def _set_up(units: UnitCells, standing: UInt8Array, row: int, phase: UInt16Array, fates: UInt8Array) -> None:
    """The units of one row on the board; in their fates, the marks of those that have no order."""
    for unit in range(units.places.shape[0]):
        if _stands(standing, row, unit):
            fates[row, unit] = _write_removal(phase, units.places[unit], units.cells, unit)
        else:
            phase[code.KIND, units.places[unit]] = code.NONE
            fates[row, unit] = 0
    for number in range(units.dependents.shape[0]):
        unit, other = units.dependents[number, 0], units.dependents[number, 1]
        if _stands(standing, row, unit) and not _stands(standing, row, other):
            fates[row, unit] = _write_removal(phase, units.places[unit], units.cells_without, number)


@compiled
def _tell(
    units: UnitCells,
    standing: UInt8Array,
    row: int,
    told: UInt16Array,
    retreats: Int64Array,
    fates: UInt8Array,
) -> None:
    """Add results, dislodgements and losses to the fates of one row."""
    for unit in range(units.places.shape[0]):
        if _stands(standing, row, unit):
            place = units.places[unit]
            fates[row, unit] += told[code.RESULT, place]
            if told[code.BY, place] != code.NONE:
                fates[row, unit] += FALLEN + (LOST if retreats[place] == 0 else 0)


def _entry(made_from: int) -> Callable[..., int]:
    """`judge_standing` made from this edition of the sources, which Numba cannot tell by itself."""

    def judge_standing(
        t: BoardArrays,
        w: UInt16Array,
        m: Int64Array,
        counts: Int64Array,
        units: UnitCells,
        changes: RowChanges,
        standing: UInt8Array,
        phase: UInt16Array,
        told: UInt16Array,
        retreats: Int64Array,
        fates: UInt8Array,
    ) -> int:
        """Judge each set of units: `standing` (set, byte) has a bit for each; `fates` (set, unit) gets what
        becomes of them, LEFT_TO_ENGINE for the first of a set that is left. `phase`, `told` and `retreats`
        are room for one phase, nobody in it. Gives the edition."""
        change = 0
        for row in range(standing.shape[0]):
            _set_up(units, standing, row, phase, fates)
            while change < changes.places.shape[0] and changes.places[change, 0] == row:
                unit = changes.places[change, 1]
                fates[row, unit] = _write_removal(phase, units.places[unit], changes.cells, change)
                change += 1
            if decide_phase(t, w, m, phase, counts) == code.SETTLED:
                write_fates(t, w, phase, counts[code.UNIT_COUNT], told, retreats)
                _tell(units, standing, row, told, retreats, fates)
            else:
                fates[row, 0] = LEFT_TO_ENGINE
        return made_from

    return compiled_and_cached(judge_standing)


judge_standing = _entry(sources_checksum())
