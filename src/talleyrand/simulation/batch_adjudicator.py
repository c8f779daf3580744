"""Many movement phases judged at once: from the engine's values to arrays, and back.

    judge = Judge(variants.load("classic").setting.board, rulebooks.load("datc").judge)
    phases = judge.encode([(position, orders), ...])
    answers = judge.judge(phases)
    fates = judge.decode(phases, answers, row)

The kernel judges what it can. What it leaves goes to the readable engine, and `Answers.by_engine` says how
many phases for which reason; without Numba that is every one of them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import array_layout as code
from . import numba_compiler
from .array_layout import Int64Array, UInt8Array, UInt16Array, rulebook_numbers
from .board_arrays import board_arrays, board_names
from .movement_kernel import adjudicate_all
from .phase_encoding import (
    MovementInput,
    UnitFate,
    check_rows,
    read_fates,
    read_phase,
    write_outcome,
    write_phase,
)

AcceptedOrders = Mapping[tuple[str, str], Order]


class FallbackReason(StrEnum):
    """Why the readable engine judged a phase."""

    NO_NUMBA = "no_numba"
    UNKNOWN_OPTION = "unknown_option"
    NAMED_PATH = "named_path"
    PARADOX = "paradox"
    TOO_LARGE = "too_large"
    LOT = "lot"
    OWN_PHASE = "own_phase"


class NumbaMissingWarning(RuntimeWarning):
    """Numba is not installed: the answers are the same, and come hundreds of times slower."""


@dataclass(frozen=True)
class PhaseBatch:
    """Positions with their orders: `rows` (phase, row of `codes`, province).

    `paths` holds the seas that a move names, by phase and province.
    """

    rows: UInt16Array
    paths: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class PhaseBatchAnswers:
    """What became of phases: `fates` (phase, row of `codes`, province) and `retreats` (phase, province),
    a bit for each step of the dislodged unit in the order of `Table.near`; `left_to_engine` counts the phases
    that the kernel left to the engine."""

    fates: UInt16Array
    retreats: NDArray[np.int64]
    left_to_engine: Mapping[FallbackReason, int] = field(default_factory=dict)

    by_engine = renamed_attribute("by_engine", "left_to_engine")

    @classmethod
    def blank(cls, phases: int, provinces: int) -> PhaseBatchAnswers:
        """Room for so many; `BatchAdjudicator.adjudicate` can write into the same arrays again and again."""
        return cls(
            np.empty((phases, code.FATE_ROWS, provinces), np.uint16), np.empty((phases, provinces), np.int64)
        )


class BatchAdjudicator:
    """The movement phases of one board by one book. Threads may share it, and wait for each other."""

    judge = renamed_attribute("judge", "adjudicate")

    def __init__(self, board: Board, book: Rulebook) -> None:
        self.board, self.book = board, book
        self.names, self.table = board_names(board), board_arrays(board)
        self._rules = rulebook_numbers(book)
        work = np.zeros((code.WORK_ROWS, max(len(board.provinces), code.MOST_FLEETS)), np.uint16)
        if self._rules is not None:
            work[code.RULE, : len(self._rules)] = self._rules
        self._space = (
            work,
            np.zeros((code.SEARCH_ROWS, code.DEEPEST), np.int64),
            np.zeros(code.COUNTS, np.int64),
        )
        self._lock = Lock()
        if not numba_compiler.NUMBA_AVAILABLE:
            warnings.warn(
                "Numba is not installed: the engine judges every phase", NumbaMissingWarning, stacklevel=2
            )

    def encode(
        self, given: Iterable[tuple[Position, AcceptedOrders]], misordered: Iterable[frozenset[str]] = ()
    ) -> PhaseBatch:
        """Positions with their legal orders, one a unit, as `legality.settle` gives them.

        `misordered` names for each the provinces of units whose every order was impossible. Raises
        InvalidPosition for a unit that cannot stand on the board, ValueError for an order of another phase or
        for nobody.
        """
        listed = list(given)
        spoilt = [*misordered] or [frozenset[str]()] * len(listed)
        rows = np.zeros((len(listed), code.PHASE_ROWS, len(self.names.provinces)), np.uint16)
        paths = {}
        for number, ((position, orders), refused) in enumerate(zip(listed, spoilt, strict=True)):
            named = write_phase(self.board, MovementInput(position, orders, refused), rows[number])
            paths.update({(number, province): path for province, path in named.items()})
        return PhaseBatch(rows, paths)

    def adjudicate(self, phases: PhaseBatch, answers: PhaseBatchAnswers | None = None) -> PhaseBatchAnswers:
        """What became of every phase; written into `answers` where they are given.

        What a program has put into rows itself is trusted: `check` looks it over. Raises ValueError for
        arrays of another shape or kind.
        """
        count, provinces = len(phases), len(self.names.provinces)
        room = answers or PhaseBatchAnswers.blank(count, provinces)
        if not array_fits(phases.rows, np.uint16, (count, code.PHASE_ROWS, provinces)):
            raise ValueError(
                f"phases of the shape {phases.rows.shape}, or not in order, do not fit this board"
            )
        fates_fit = array_fits(room.fates, np.uint16, (count, code.FATE_ROWS, provinces))
        if not fates_fit or not array_fits(room.retreats, np.int64, (count, provinces)):
            raise ValueError(f"answers of the shape {room.fates.shape} do not fit {count} phases")
        reason = self._reason()
        if reason is None:
            status = self.adjudicate_compiled(phases.rows, room)
            if not phases.paths and not status.any():
                return PhaseBatchAnswers(room.fates, room.retreats)
        else:
            status = np.empty(count, np.uint8)
        by_engine = self._judge_rest(phases, room, status, reason)
        return PhaseBatchAnswers(room.fates, room.retreats, by_engine)

    @property
    def knows_rulebook(self) -> bool:
        """Whether compiled code knows every choice of the book."""
        return self._rules is not None

    def adjudicate_compiled(self, rows: UInt16Array, answers: PhaseBatchAnswers) -> UInt8Array:
        """What became of phases, rows and answers trusted to fit, by compiled code alone: gives for each row
        SETTLED, or why it is left to the engine."""
        status = np.empty(len(rows), np.uint8)
        with self.space() as space:
            adjudicate_all(self.table, *space, rows, answers.fates, answers.retreats, status)
        return status

    @contextmanager
    def space(self) -> Iterator[tuple[UInt16Array, Int64Array, Int64Array]]:
        """What compiled code works on, for one thread at a time."""
        with self._lock:
            yield self._space

    def check(self, phases: PhaseBatch) -> None:
        """Raise ValueError where phases hold numbers that the kernel could not follow."""
        check_rows(self.board, phases.rows)

    def _reason(self) -> FallbackReason | None:
        """Why every phase goes to the engine, if so."""
        if not numba_compiler.NUMBA_AVAILABLE:
            return FallbackReason.NO_NUMBA
        return FallbackReason.UNKNOWN_OPTION if self._rules is None else None

    def _judge_rest(
        self, phases: PhaseBatch, room: PhaseBatchAnswers, status: UInt8Array, reason: FallbackReason | None
    ) -> Mapping[FallbackReason, int]:
        """Have the engine judge the rows that the kernel left."""
        left = self._left(phases, status, reason)
        for row in left:
            written = self._movement_input(phases, row)
            outcome = movement.adjudicate_legal_orders(
                self.board, written.position, written.orders, self.book, written.misordered
            )
            write_outcome(self.board, outcome, room.fates[row], room.retreats[row])
        return dict(Counter(left.values()))

    @staticmethod
    def _left(
        phases: PhaseBatch, status: UInt8Array, reason: FallbackReason | None
    ) -> dict[int, FallbackReason]:
        if reason is not None:
            return dict.fromkeys(range(len(phases)), reason)
        why = {code.PARADOX: FallbackReason.PARADOX, code.TOO_LARGE: FallbackReason.TOO_LARGE}
        left = {int(row): why[int(status[row])] for row in np.flatnonzero(status)}
        return left | {row: FallbackReason.NAMED_PATH for row, _ in phases.paths}

    def _movement_input(self, phases: PhaseBatch, row: int) -> MovementInput:
        paths = {place: path for (number, place), path in phases.paths.items() if number == row}
        return read_phase(self.board, phases.rows[row], paths)

    def decode(self, phases: PhaseBatch, answers: PhaseBatchAnswers, row: int) -> dict[str, UnitFate]:
        """What became of the units of one phase, by province."""
        return read_fates(self.board, phases.rows[row], answers.fates[row], answers.retreats[row])

    def contested(self, answers: PhaseBatchAnswers, row: int) -> frozenset[str]:
        """The provinces that one phase leaves empty by a stand-off."""
        return frozenset(
            self.names.provinces[at] for at in np.flatnonzero(answers.fates[row, code.CONTESTED])
        )


def array_fits(array: NDArray[Any], kind: type[np.generic], shape: tuple[int, ...]) -> bool:
    """Whether compiled code may work on an array as it is."""
    return bool(array.shape == shape and array.dtype == kind and array.flags.c_contiguous)


__all__ = [
    "AcceptedOrders",
    "BatchAdjudicator",
    "FallbackReason",
    "NumbaMissingWarning",
    "PhaseBatch",
    "PhaseBatchAnswers",
    "UnitFate",
]
