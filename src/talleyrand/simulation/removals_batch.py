"""The removals that a search for reasons asks for, judged at once as rows of one batch.

    reasons = PhaseReasons(board, position, orders, book, verdicts, compiled=compiled_removals)

The units are encoded once; each removal is that row without some of them, and with the orders that others
follow instead. What the kernel does not know, one row or all of them, is left to the engine.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from talleyrand import variants
from talleyrand.engine.board import Board
from talleyrand.engine.civil_disorder import apply_civil_disorder
from talleyrand.engine.orders import Move
from talleyrand.engine.reduced_phase import UNORDERED, Fates, FollowedOrder, ReducedPhase, RemovalJudge
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.unit_links import NOBODY, UnitSet

from . import array_layout as code
from .array_layout import NONE
from .batch_adjudicator import BatchAdjudicator, PhaseBatchAnswers
from .numba_compiler import NUMBA_AVAILABLE
from .phase_encoding import board_numbers, unit_column
from .removals_kernel import CELLS, LEFT_TO_ENGINE, RowChanges, UnitCells, judge_standing


def compiled_removals(phase: ReducedPhase) -> RemovalJudge | None:
    """What judges some of the units of a phase; None where compiled code cannot."""
    judge = _adjudicator(phase.board, phase.book) if NUMBA_AVAILABLE else None
    names_path = any(isinstance(one, Move) and one.path for orders in phase.given for one in orders)
    return None if judge is None or names_path else _RemovalRows(judge, phase)


def load_kernel() -> None:
    """Have the kernel at hand, from the cache if it is kept there; else it is compiled, and kept.

    What the compiler leaves behind is not searched for garbage again: that would take a fifth of a second now
    and then.
    """
    classic = variants.load("classic").definition
    judge = compiled_removals(ReducedPhase(classic.board, classic.start, {}, Rulebook()))
    if judge is not None:
        judge([NOBODY])
    gc.freeze()


@lru_cache(maxsize=64)
def _adjudicator(board: Board, book: Rulebook) -> BatchAdjudicator | None:
    try:
        judge = BatchAdjudicator(board, book)
    except ValueError:
        return None
    return judge if judge.knows_rulebook else None


class _RemovalRows:
    """The units of a phase in cells, to be judged without some of them."""

    def __init__(self, judge: BatchAdjudicator, phase: ReducedPhase) -> None:
        self.judge, self.phase = judge, phase
        self.number = board_numbers(judge.board)
        position, everybody = phase.position, phase.everybody
        in_disorder = position.powers_in_disorder, position.torn, position.provinces_in_disorder
        self._some_in_disorder = any(in_disorder)
        cells = [self._cells(at, phase.followed(at, everybody)) for at in range(len(phase.units))]
        others, without = [], []
        self._reading_several: list[tuple[int, UnitSet, dict[UnitSet, list[int]]]] = []
        self._cells_of: dict[tuple[int, FollowedOrder], list[int]] = {}
        for unit, reads in enumerate(phase.reads):
            if reads & (reads - 1):
                self._reading_several.append((unit, reads, {}))
            elif reads:
                others.append((unit, reads.bit_length() - 1))
                without.append(self._cells(unit, phase.followed(unit, everybody & ~reads)))
        self._units = UnitCells(
            np.array([self.number.provinces[place] for place in phase.provinces], np.uint16),
            _rows(cells, CELLS, np.uint16),
            _rows(others, 2, np.uint16),
            _rows(without, CELLS, np.uint16),
        )
        board = np.zeros((code.PHASE_ROWS, len(self.number.provinces)), np.uint16)
        board[code.KIND] = NONE
        room = PhaseBatchAnswers.blank(1, board.shape[1])
        self._room = board, room.fates[0], room.retreats[0]

    def __call__(self, standing: Sequence[UnitSet]) -> Sequence[Fates | None]:
        width = len(self._units.places)
        size = (width + 7) // 8
        bits = np.frombuffer(b"".join([units.to_bytes(size, "little") for units in standing]), np.uint8)
        fates = np.empty((len(standing), width), np.uint8)
        with self.judge.space() as space:
            judge_standing(
                self.judge.table,
                *space,
                self._units,
                self._changes(standing),
                bits.reshape(len(standing), size),
                *self._room,
                fates,
            )
        written = fates.tobytes()
        rows = (written[place : place + width] for place in range(0, len(written), width))
        return [None if row[0] == LEFT_TO_ENGINE else row for row in rows]

    def _changes(self, standing: Sequence[UnitSet]) -> RowChanges:
        """What units whose order hangs on several others follow, where it is not what they follow usually."""
        places, changed = [], []
        read_by_some = NOBODY
        for _, reads, _ in self._reading_several:
            read_by_some |= reads
        for row, units in enumerate(standing):
            gone = read_by_some & ~units
            for unit, reads, cells in self._reading_several if gone else ():
                if reads & gone and units >> unit & 1:
                    seen = reads & units
                    if seen not in cells:
                        cells[seen] = self._cells_instead(unit, units)
                    if instead := cells[seen]:
                        places.append((row, unit))
                        changed.append(instead)
        return RowChanges(_rows(places, 2, np.int64), _rows(changed, CELLS, np.uint16))

    def _cells_instead(self, unit: int, standing: UnitSet) -> list[int]:
        """The cells of a unit with only these on the board; none where they are the usual ones."""
        followed = self.phase.followed(unit, standing)
        key = unit, followed
        if key not in self._cells_of:
            usual = self.phase.followed(unit, self.phase.everybody)
            self._cells_of[key] = [] if followed == usual else self._cells(unit, followed)
        return self._cells_of[key]

    def _cells(self, number: int, followed: FollowedOrder) -> list[int]:
        """The cells of a unit, and whether it has no order."""
        position, unit = self.phase.position, self.phase.units[number]
        marks = code.PASSIVE if unit.power in position.passive else 0
        marks |= code.MISORDERED if followed.is_misordered else 0
        marks |= code.DISORDERED if self._some_in_disorder and self._is_in_disorder(number, followed) else 0
        cells = unit_column(self.number, unit, followed.order, marks)
        cells.append(0 if followed.order else UNORDERED)
        return cells

    def _is_in_disorder(self, number: int, followed: FollowedOrder) -> bool:
        unit, province = self.phase.units[number], self.phase.provinces[number]
        ordered = () if followed.order is None else ((unit.power, province),)
        alone = self.phase.position.with_units({province: unit})
        return apply_civil_disorder(alone, ordered, self.judge.book).is_in_disorder(unit)


def _rows(listed: Sequence[Sequence[int]], width: int, kind: type[np.integer[Any]]) -> NDArray[Any]:
    return np.array(listed, kind).reshape(len(listed), width)
