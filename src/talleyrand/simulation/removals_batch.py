"""The removals that a search for reasons asks for, judged at once as rows of one batch.

    reasons = PhaseReasons(board, position, orders, book, verdicts, compiled=compiled_removals)

The units are encoded once; each removal is that row without some of them, and with the orders that others
follow instead. What the kernel does not know, one row or all of them, is left to the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

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
_DISLODGED, _DESTROYED, _UNORDERED = 16, 32, 64


def compiled_removals(
    board: Board, position: Position, followed: FollowedOrders, book: Rulebook
) -> RemovalJudge | None:
    """What judges the units of a position without several sets of them; None where compiled code cannot.

    `followed` says what each unit follows.
    """
    judge = _adjudicator(board, book) if NUMBA_AVAILABLE else None
    names_path = any(isinstance(one.order, Move) and one.order.path for one in followed.values())
    return None if judge is None or names_path else _RemovalRows(judge, position, followed)


@lru_cache(maxsize=64)
def _adjudicator(board: Board, book: Rulebook) -> BatchAdjudicator | None:
    try:
        judge = BatchAdjudicator(board, book)
    except ValueError:
        return None
    return judge if judge.knows_rulebook else None


class _RemovalRows:
    """One row for the units of a position, to be repeated and changed."""

    def __init__(self, judge: BatchAdjudicator, position: Position, followed: FollowedOrders) -> None:
        self.judge, self.position = judge, position
        self.number = board_numbers(judge.board)
        self.places = {province: place for place, province in enumerate(followed)}
        self.columns = np.array([self.number.provinces[province] for province in followed], np.intp)
        self.row = np.zeros((code.PHASE_ROWS, len(self.number.provinces)), np.uint16)
        self.row[code.KIND] = NONE
        self.row[:, self.columns] = np.array([self._column(*one) for one in followed.items()], np.uint16).T
        self.unordered = np.array([self._unordered(one) for one in followed.values()], np.uint16)

    def __call__(self, removals: Sequence[Removal]) -> Sequence[Fates | None]:
        rows = np.repeat(self.row[None], len(removals), axis=0)
        codes = np.repeat(self.unordered[None], len(removals), axis=0)
        gone = [(row, self.number.provinces[at]) for row, at in self._gone(removals)]
        if gone:
            numbers, places = zip(*gone, strict=True)
            rows[numbers, code.KIND, places] = NONE
        for row, (_, instead) in enumerate(removals):
            for province, one in instead.items():
                rows[row, :, self.number.provinces[province]] = self._column(province, one)
                codes[row, self.places[province]] = self._unordered(one)
        answers = PhaseBatchAnswers.blank(len(rows), rows.shape[2])
        status = self.judge.adjudicate_compiled(rows, answers)
        return self._read(codes, answers, status.tolist())

    def _gone(self, removals: Sequence[Removal]) -> Iterator[tuple[int, str]]:
        return ((row, at) for row, (removed, _) in enumerate(removals) for at in removed if at in self.places)

    def _read(
        self, codes: code.UInt16Array, answers: PhaseBatchAnswers, status: list[int]
    ) -> Sequence[Fates | None]:
        fallen = answers.fates[:, code.BY, self.columns] != NONE
        codes += answers.fates[:, code.RESULT, self.columns]
        codes += _DISLODGED * fallen.astype(np.uint16)
        codes += _DESTROYED * (fallen & (answers.retreats[:, self.columns] == 0)).astype(np.uint16)
        return [
            _RowFates(self.places, row) if left == code.SETTLED else None
            for left, row in zip(status, codes.tolist(), strict=True)
        ]

    def _column(self, province: str, followed: FollowedOrder) -> list[int]:
        unit = self.position.units_by_province[province]
        marks = code.PASSIVE if unit.power in self.position.passive else 0
        marks |= code.MISORDERED if followed.is_misordered else 0
        marks |= code.DISORDERED if self._is_in_disorder(province, followed) else 0
        return unit_column(self.number, unit, followed.order, marks)

    def _is_in_disorder(self, province: str, followed: FollowedOrder) -> bool:
        position = self.position
        if not (position.powers_in_disorder or position.torn or position.provinces_in_disorder):
            return False
        unit = position.units_by_province[province]
        ordered = () if followed.order is None else ((unit.power, province),)
        alone = position.with_units({province: unit})
        return apply_civil_disorder(alone, ordered, self.judge.book).is_in_disorder(unit)

    @staticmethod
    def _unordered(followed: FollowedOrder) -> int:
        return _UNORDERED if followed.order is None else 0


class _RowFates:
    """What became of the units of one row."""

    __slots__ = ("codes", "places")

    def __init__(self, places: dict[str, int], codes: list[int]) -> None:
        self.places, self.codes = places, codes

    def __getitem__(self, province: str) -> Fate:
        return _fate(self.codes[self.places[province]])


@lru_cache(maxsize=256)
def _fate(number: int) -> Fate:
    results = [RESULTS[number % _DISLODGED]]
    results += [OrderResult.DISLODGED] if number & _DISLODGED else []
    results += [OrderResult.DESTROYED] if number & _DESTROYED else []
    return tuple(results), bool(number & _UNORDERED)
