"""Whole games in arrays, many at once, played as `engine.game.play` plays them.

    referee = Referee(variants.load("classic").setting, rulebooks.load("datc").judge)
    games = referee.start(64)
    sheets = games.sheets()
    ...
    step = referee.step(games, sheets)

Compiled code plays what it can. What it leaves goes to the readable engine, and `Step.by_engine` says how
many games for which reason; without Numba that is every one of them. Options are listed by the same code,
compiled or not.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import array_layout as code
from . import numba_compiler
from .array_layout import Int64Array, UInt8Array, UInt16Array, rulebook_numbers
from .batch_adjudicator import FallbackReason, NumbaMissingWarning, PhaseBatchAnswers, array_fits
from .board_arrays import board_arrays, board_names
from .engine_fallback import EngineFallback
from .game_batch import GameBatch, read_position, write_position
from .kernel_games import kernel_workspace, play_all_games
from .kernel_legal_orders import legal_orders_workspace, list_legal_orders
from .order_encoding import OrderRowReader, write_order_rows
from .setup_arrays import setup_arrays

ORDERS_EXPECTED = 500
OrdersOfPowers = Mapping[str, Sequence[Order]]
FALLBACK_REASONS = {
    code.PARADOX: FallbackReason.PARADOX,
    code.TOO_LARGE: FallbackReason.TOO_LARGE,
    code.NEEDS_RANDOM_DRAW: FallbackReason.LOT,
    code.IN_VARIANT_PHASE: FallbackReason.OWN_PHASE,
    code.AT_VARIANT_PHASE: FallbackReason.OWN_PHASE,
    code.UNKNOWN_OPTION: FallbackReason.UNKNOWN_OPTION,
    code.NO_NUMBA: FallbackReason.NO_NUMBA,
}


@dataclass(frozen=True)
class LegalOrders:
    """The legal orders of games: those for a province of a game are `orders[first[g, p] : first[g, p + 1]]`,
    each a row of order, target, goal and way (`codes.SHEET_ORDER` …).

    `builds` and `removals` (game, power): how many units a power may build now, and must remove.
    """

    orders: UInt16Array
    first: Int64Array
    builds: Int64Array
    removals: Int64Array

    def choose(self, fractions: NDArray[np.float64]) -> UInt16Array:
        """Sheets with one legal order for each province that has any: the one at a fraction (0 to 1, game
        and province) of the way through them. Raises ValueError for fractions of another shape."""
        count, provinces = self.first.shape[0], self.first.shape[1] - 1
        if fractions.shape != (count, provinces):
            raise ValueError(f"fractions of the shape {fractions.shape} do not fit {count} games")
        sheets = np.full((count, code.ORDER_ROWS, provinces), code.NONE, np.uint16)
        many = np.diff(self.first, axis=1)
        game, at = np.nonzero(many)
        place = (fractions[game, at] * many[game, at]).astype(np.int64)
        chosen = np.minimum(place, many[game, at] - 1)
        sheets[game, :, at] = self.orders[self.first[game, at] + chosen]
        return sheets


@dataclass(frozen=True)
class BatchStep:
    """What a step was made of: for how many games the engine had to be asked, by reason, and how many
    orders were none, because they were not legal."""

    left_to_engine: Mapping[FallbackReason, int]
    illegal: int

    by_engine = renamed_attribute("by_engine", "left_to_engine")


class GameRunner:
    """Leads games of one setting by one book; they end with the year `until`, if no power wins before.

    Threads may share it, and wait for each other. Raises ValueError for a setting with politics, which arrays
    do not hold.
    """

    def __init__(self, setting: GameDefinition, book: Rulebook, until: int | None = None) -> None:
        if setting.politics is not None:
            raise ValueError("games in arrays hold no politics: see simulation.by_engine")
        self.setting, self.book, self.until = setting, book, until
        self.board = setting.board
        self.names, self.table = board_names(self.board), board_arrays(self.board)
        self.course = setup_arrays(setting, book, until)
        self._space = kernel_workspace(
            len(self.names.provinces), len(self.names.powers), rulebook_numbers(book)
        )
        self._menu, self._room = (
            legal_orders_workspace(self._space.chart, self._space.ledger.due),
            ORDERS_EXPECTED,
        )
        self._engine = EngineFallback(setting, book, until)
        self._lock = Lock()
        if not numba_compiler.NUMBA_AVAILABLE:
            warnings.warn(
                "Numba is not installed: the engine plays every phase", NumbaMissingWarning, stacklevel=2
            )

    # the engine's values

    def start(self, count: int, seeds: Sequence[str] = ()) -> GameBatch:
        """So many games at the beginning."""
        one = GameBatch.blank(self.board, 1)
        self.write(self.setting.start, one, 0)
        games = one.copy_games([0] * count)
        games.seeds[: len(seeds)] = seeds
        return games

    def read(self, games: GameBatch, at: int) -> Position:
        """Where a game stands."""
        return read_position(self.setting, games, at)

    def write(self, position: Position, games: GameBatch, at: int) -> None:
        """Put a game where a position stands.

        Raises InvalidPosition for one that cannot stand, ValueError for one of which the arrays cannot hold
        everything (`world.missing`).
        """
        write_position(self.setting, position, games, at)

    def orders_of(self, games: GameBatch, at: int, sheets: UInt16Array) -> Mapping[str, list[Order]]:
        """The orders of one game's sheet, by power, legal or not; what means nothing is left out."""
        return OrderRowReader(self.board, games.places[at], games.clock[at]).read(sheets[at])

    def write_orders(self, orders: OrdersOfPowers, games: GameBatch, at: int, sheets: UInt16Array) -> None:
        """Write orders into the sheet of one game; the columns of other units stay as they are.

        Raises ValueError for an order that the arrays cannot hold: its places or units are unknown, or it
        names its seas.
        """
        winter = bool(games.clock[at, code.STAGE] == code.ADJUSTMENTS)
        for listed in orders.values():
            write_order_rows(self.board, listed, sheets[at], winter=winter)

    # options

    def legal_orders(self, games: GameBatch) -> LegalOrders:
        """Every legal order of every game; of one that is over, none."""
        self._check(games)
        first = np.zeros((len(games), len(self.names.provinces) + 1), np.int64)
        builds, removals = np.zeros_like(games.build_rights), np.zeros_like(games.build_rights)
        status = np.zeros(len(games), np.uint8)
        if not self.setting.has_standard_phases:
            rows, status[:] = np.empty((0, code.ORDER_ROWS), np.uint16), ~games.over
        else:
            with self._lock:
                rows = self._list(games, first, builds, removals, status)
        options = LegalOrders(rows, first, builds, removals)
        return self._insert(games, options, status) if status.any() else options

    def _list(
        self,
        games: GameBatch,
        first: Int64Array,
        builds: Int64Array,
        removals: Int64Array,
        status: UInt8Array,
    ) -> UInt16Array:
        """The options that compiled code finds, in as much room as they need."""
        arrays = games.places, games.retreat_options, games.clock, games.build_rights
        rows, at, count = np.empty((self._room * len(games), code.ORDER_ROWS), np.uint16), 0, 0
        while True:
            at, count, _ = list_legal_orders(
                self.table, self.course, self._menu, *arrays, rows, first, builds, removals, status, at, count
            )
            if at == len(games):
                return rows[:count]
            self._room *= 2
            rows = np.concatenate((rows[:count], np.empty_like(rows), np.empty_like(rows)))

    def _insert(self, games: GameBatch, options: LegalOrders, status: UInt8Array) -> LegalOrders:
        """The options with those that the engine finds for games that compiled code has left."""
        parts, moved, last = [], 0, 0
        for at in range(len(games)):
            options.first[at] += moved
            if status[at]:
                start = int(options.first[at, 0]) - moved
                found = self._engine.legal_orders(games, at)
                listed = [row for place in sorted(found) if place >= 0 for row in found[place]]
                parts += [
                    options.orders[last:start],
                    np.array(listed, np.uint16).reshape(-1, code.ORDER_ROWS),
                ]
                lengths = [len(found.get(place, ())) for place in range(len(self.names.provinces))]
                options.first[at, 1:] += np.cumsum(lengths)
                options.builds[at], options.removals[at] = self._engine.due_adjustments(games, at)
                moved, last = moved + len(listed), start
        return replace(options, orders=np.concatenate((*parts, options.orders[last:])))

    # steps

    def step(self, games: GameBatch, sheets: UInt16Array) -> BatchStep:
        """Play one phase of every game that is not over, each its own, and walk on to the next choice.

        Raises ValueError for arrays of another shape or kind.
        """
        self._check(games)
        if not array_fits(sheets, np.uint16, (len(games), code.ORDER_ROWS, len(self.names.provinces))):
            raise ValueError(f"sheets of the shape {sheets.shape}, or not in order, do not fit these games")
        status, illegal = self.play_compiled(games, sheets)
        left = np.flatnonzero(status)
        wrong = sum(self._by_engine(games, int(at), sheets, int(status[at])) for at in left)
        return BatchStep(
            dict(Counter(FALLBACK_REASONS[int(status[at])] for at in left)), wrong + int(illegal.sum())
        )

    def play_compiled(
        self, games: GameBatch, sheets: UInt16Array, told: PhaseBatchAnswers | None = None
    ) -> tuple[UInt8Array, Int64Array]:
        """The same by compiled code alone, for arrays trusted to fit: gives for each game SETTLED, or why it
        is left to the engine, and how many orders were not legal. What became of the units in the moves or
        the retreats of a settled phase is written into `told`."""
        compiled = self.setting.has_standard_phases
        left_out = code.NO_NUMBA if compiled else code.IN_VARIANT_PHASE
        status = np.where(games.over, code.SETTLED, left_out).astype(np.uint8)
        illegal = np.zeros(len(games), np.int64)
        if numba_compiler.NUMBA_AVAILABLE and compiled:
            arrays = games.places, games.retreat_options, games.clock, games.build_rights
            room = told or PhaseBatchAnswers.blank(0, len(self.names.provinces))
            with self._lock:
                play_all_games(
                    *(self.table, self.course, self._space, *arrays, sheets),
                    *(status, illegal, room.fates, room.retreats),
                )
        return status, illegal

    def _by_engine(self, games: GameBatch, at: int, sheets: UInt16Array, status: int) -> int:
        if status != code.AT_VARIANT_PHASE:
            return self._engine.play(games, at, sheets)
        self._engine.enter_variant_phase(games, at)
        return 0

    def _check(self, games: GameBatch) -> None:
        count, provinces = len(games), len(self.names.provinces)
        fits = (
            array_fits(games.places, np.uint16, (count, code.STATE_ROWS, provinces)),
            array_fits(games.retreat_options, np.int64, (count, provinces)),
            array_fits(games.clock, np.int64, (count, code.CLOCK_COLUMNS)),
            array_fits(games.build_rights, np.int64, (count, len(self.names.powers))),
        )
        if not all(fits):
            raise ValueError(
                f"games of the shape {games.places.shape}, or not in order, do not fit this board"
            )


__all__ = ["BatchStep", "GameBatch", "GameRunner", "LegalOrders", "OrdersOfPowers"]
