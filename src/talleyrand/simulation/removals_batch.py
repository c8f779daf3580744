"""The removals that a search for reasons asks for, judged at once as rows of one batch.

    reasons = PhaseReasons(board, position, orders, book, verdicts, compiled=compiled_removals)

The units are encoded once; each removal is that row without some of them, and with the orders that others
follow instead. What the kernel does not know, one row or all of them, is left to the engine.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from talleyrand import variants
from talleyrand.engine.board import Board
from talleyrand.engine.civil_disorder import apply_civil_disorder
from talleyrand.engine.orders import Move
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Position
from talleyrand.engine.reduced_phase import Fate, Fates, FollowedOrder, FollowedOrders, Removal, RemovalJudge
from talleyrand.engine.rulebook import Rulebook

from . import array_layout as code
from .array_layout import NONE
from .batch_adjudicator import BatchAdjudicator, PhaseBatchAnswers
from .numba_compiler import NUMBA_AVAILABLE
from .phase_encoding import RESULTS, board_numbers, unit_column

# A fate in one number: the result, then these.
_DISLODGED, _DESTROYED, _UNORDERED = np.uint16(16), np.uint16(32), 64
# After the rows of a phase one more: who has no order.
_UNORDERED_ROW = code.PHASE_ROWS


def compiled_removals(
    board: Board, position: Position, followed: FollowedOrders, book: Rulebook
) -> RemovalJudge | None:
    """What judges a phase without several sets of its units; None where compiled code cannot.

    `followed` says what each unit follows.
    """
    judge = _adjudicator(board, book) if NUMBA_AVAILABLE else None
    names_path = any(isinstance(one.order, Move) and one.order.path for one in followed.values())
    return None if judge is None or names_path else _RemovalRows(judge, position, followed)


def load_kernel() -> None:
    """Have the kernel at hand, from the cache if it is kept there; else it is compiled, and kept.

    What the compiler leaves behind is not searched for garbage again: that would take a fifth of a second now
    and then.
    """
    judge = BatchAdjudicator(variants.load("classic").definition.board, Rulebook())
    judge.adjudicate(judge.encode(()))
    gc.freeze()


@lru_cache(maxsize=64)
def _adjudicator(board: Board, book: Rulebook) -> BatchAdjudicator | None:
    try:
        judge = BatchAdjudicator(board, book)
    except ValueError:
        return None
    return judge if judge.knows_rulebook else None


class _RemovalRows:
    """A row for each circle of units of a phase, to be repeated and changed."""

    def __init__(self, judge: BatchAdjudicator, position: Position, followed: FollowedOrders) -> None:
        self.judge, self.position, self.followed = judge, position, followed
        self.number = board_numbers(judge.board)
        self._blank = np.zeros((code.PHASE_ROWS + 1, len(self.number.provinces)), np.uint16)
        self._blank[code.KIND] = NONE
        self._columns = {province: self._column(province, one) for province, one in followed.items()}
        self._circles: dict[int, int] = {}
        self._bases = np.empty((0, *self._blank.shape), np.uint16)

    def __call__(self, removals: Sequence[Removal]) -> Sequence[Fates | None]:
        circles = {id(one.followed): one.followed for one in removals}
        new = [self._base(followed) for key, followed in circles.items() if key not in self._circles]
        if new:
            for key in circles:
                self._circles.setdefault(key, len(self._circles))
            self._bases = np.concatenate((self._bases, new))
        rows = self._bases[[self._circles[id(one.followed)] for one in removals]]
        self._remove(rows, removals)
        phases = np.ascontiguousarray(rows[:, : code.PHASE_ROWS])
        answers = PhaseBatchAnswers.blank(len(rows), rows.shape[2])
        status = self.judge.adjudicate_compiled(phases, answers)
        return self._read(rows[:, _UNORDERED_ROW], answers, status.tolist())

    def _base(self, followed: FollowedOrders) -> code.UInt16Array:
        row, number = self._blank.copy(), self.number.provinces
        columns = [
            self._columns[province] if one is self.followed[province] else self._column(province, one)
            for province, one in followed.items()
        ]
        row[:, [number[province] for province in followed]] = np.array(columns, np.uint16).T
        return row

    def _remove(self, rows: code.UInt16Array, removals: Sequence[Removal]) -> None:
        number = self.number.provinces
        gone = [(row, number[at]) for row, one in enumerate(removals) for at in one.removed]
        if gone:
            numbers, places = zip(*gone, strict=True)
            rows[numbers, code.KIND, places] = NONE
        changed = [
            (row, number[province], self._column(province, one))
            for row, removal in enumerate(removals)
            for province, one in removal.instead.items()
        ]
        if changed:
            numbers, places, columns = zip(*changed, strict=True)
            rows[numbers, :, places] = columns

    def _read(
        self, unordered: code.UInt16Array, answers: PhaseBatchAnswers, status: list[int]
    ) -> Sequence[Fates | None]:
        fallen = answers.fates[:, code.BY] != NONE
        codes = answers.fates[:, code.RESULT] + unordered
        codes += fallen * _DISLODGED + (fallen & (answers.retreats == 0)) * _DESTROYED
        written, width = codes.astype(np.uint8).tobytes(), codes.shape[1]
        return [
            _RowFates(self.number.provinces, written, row * width) if left == code.SETTLED else None
            for row, left in enumerate(status)
        ]

    def _column(self, province: str, followed: FollowedOrder) -> list[int]:
        """The cells of a unit, and whether it has no order."""
        unit = self.position.units_by_province[province]
        marks = code.PASSIVE if unit.power in self.position.passive else 0
        marks |= code.MISORDERED if followed.is_misordered else 0
        marks |= code.DISORDERED if self._is_in_disorder(province, followed) else 0
        unordered = 0 if followed.order else _UNORDERED
        return [*unit_column(self.number, unit, followed.order, marks), unordered]

    def _is_in_disorder(self, province: str, followed: FollowedOrder) -> bool:
        position = self.position
        if not (position.powers_in_disorder or position.torn or position.provinces_in_disorder):
            return False
        unit = position.units_by_province[province]
        ordered = () if followed.order is None else ((unit.power, province),)
        alone = position.with_units({province: unit})
        return apply_civil_disorder(alone, ordered, self.judge.book).is_in_disorder(unit)


class _RowFates:
    """What became of the units of one row, a byte for each province."""

    __slots__ = ("numbers", "offset", "written")

    def __init__(self, numbers: Mapping[str, int], written: bytes, offset: int) -> None:
        self.numbers, self.written, self.offset = numbers, written, offset

    def __getitem__(self, province: str) -> Fate:
        return _fate(self.written[self.offset + self.numbers[province]])


@lru_cache(maxsize=256)
def _fate(number: int) -> Fate:
    results = [RESULTS[number % _DISLODGED]]
    results += [OrderResult.DISLODGED] if number & _DISLODGED else []
    results += [OrderResult.DESTROYED] if number & _DESTROYED else []
    return tuple(results), bool(number & _UNORDERED)


if __name__ == "__main__":
    load_kernel()
