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

from talleyrand.engine.game import Setting
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import codes, compiling
from .codes import ARRIVED, LOT, OWN, PARADOX, TOO_LARGE, UNCOMPILED, UNKNOWN, Bytes, Cells, Masks
from .courses import course
from .judging import Reason, SlowJudge, fit
from .menu import list_all, menu
from .playing import play_all, workspace
from .readable import Readable
from .rules import rules
from .sheets import Reader, write_sheet
from .tables import names, tabulate
from .world import Games, read_position, write_position

ORDERS_EXPECTED = 500
Orders = Mapping[str, Sequence[Order]]
WHY = {
    PARADOX: Reason.PARADOX,
    TOO_LARGE: Reason.TOO_LARGE,
    LOT: Reason.LOT,
    OWN: Reason.OWN_PHASE,
    ARRIVED: Reason.OWN_PHASE,
    UNKNOWN: Reason.UNKNOWN_OPTION,
    UNCOMPILED: Reason.NO_NUMBA,
}


@dataclass(frozen=True)
class Options:
    """The legal orders of games: those for a province of a game are `orders[first[g, p] : first[g, p + 1]]`,
    each a row of order, target, goal and way (`codes.SHEET_ORDER` …).

    `builds` and `removals` (game, power): how many units a power may build now, and must remove.
    """

    orders: Cells
    first: Masks
    builds: Masks
    removals: Masks

    def choose(self, fractions: NDArray[np.float64]) -> Cells:
        """Sheets with one legal order for each province that has any: the one at a fraction (0 to 1, game
        and province) of the way through them. Raises ValueError for fractions of another shape."""
        count, provinces = self.first.shape[0], self.first.shape[1] - 1
        if fractions.shape != (count, provinces):
            raise ValueError(f"fractions of the shape {fractions.shape} do not fit {count} games")
        sheets = np.full((count, codes.SHEET_ROWS, provinces), codes.NONE, np.uint16)
        many = np.diff(self.first, axis=1)
        game, at = np.nonzero(many)
        place = (fractions[game, at] * many[game, at]).astype(np.int64)
        chosen = np.minimum(place, many[game, at] - 1)
        sheets[game, :, at] = self.orders[self.first[game, at] + chosen]
        return sheets


@dataclass(frozen=True)
class Step:
    """What a step was made of: for how many games the engine had to be asked, by reason, and how many
    orders were none, because they were not legal."""

    by_engine: Mapping[Reason, int]
    illegal: int


class Referee:
    """Leads games of one setting by one book; they end with the year `until`, if no power wins before.

    Threads may share it, and wait for each other. Raises ValueError for a setting with politics, which arrays
    do not hold.
    """

    def __init__(self, setting: Setting, book: Rulebook, until: int | None = None) -> None:
        if setting.politics is not None:
            raise ValueError("games in arrays hold no politics: see simulation.by_engine")
        self.setting, self.book, self.until = setting, book, until
        self.board = setting.board
        self.names, self.table = names(self.board), tabulate(self.board)
        self.course = course(setting, book, until)
        self._space = workspace(len(self.names.provinces), len(self.names.powers), rules(book))
        self._menu, self._room = menu(self._space.chart, self._space.ledger.due), ORDERS_EXPECTED
        self._engine = Readable(setting, book, until)
        self._lock = Lock()
        if not compiling.AVAILABLE:
            warnings.warn("Numba is not installed: the engine plays every phase", SlowJudge, stacklevel=2)

    # the engine's values

    def start(self, count: int, seeds: Sequence[str] = ()) -> Games:
        """So many games at the beginning."""
        one = Games.blank(self.board, 1)
        self.write(self.setting.start, one, 0)
        games = one.take([0] * count)
        games.seeds[: len(seeds)] = seeds
        return games

    def read(self, games: Games, at: int) -> Position:
        """Where a game stands."""
        return read_position(self.setting, games, at)

    def write(self, position: Position, games: Games, at: int) -> None:
        """Put a game where a position stands.

        Raises BadPosition for one that cannot stand, ValueError for one of which the arrays cannot hold
        everything (`world.missing`).
        """
        write_position(self.setting, position, games, at)

    def orders_of(self, games: Games, at: int, sheets: Cells) -> Mapping[str, list[Order]]:
        """The orders of one game's sheet, by power, legal or not; what means nothing is left out."""
        return Reader(self.board, games.places[at], games.clock[at]).read(sheets[at])

    def write_orders(self, orders: Orders, games: Games, at: int, sheets: Cells) -> None:
        """Write orders into the sheet of one game; the columns of other units stay as they are.

        Raises ValueError for an order that the arrays cannot hold: its places or units are unknown, or it
        names its seas.
        """
        winter = bool(games.clock[at, codes.STAGE] == codes.ADJUSTMENTS)
        for listed in orders.values():
            write_sheet(self.board, listed, sheets[at], winter=winter)

    # options

    def options(self, games: Games) -> Options:
        """Every legal order of every game; of one that is over, none."""
        self._check(games)
        first = np.zeros((len(games), len(self.names.provinces) + 1), np.int64)
        builds, removals = np.zeros_like(games.rights), np.zeros_like(games.rights)
        status = np.zeros(len(games), np.uint8)
        if self.setting.scripted:
            rows, status[:] = np.empty((0, codes.SHEET_ROWS), np.uint16), ~games.over
        else:
            with self._lock:
                rows = self._list(games, first, builds, removals, status)
        options = Options(rows, first, builds, removals)
        return self._insert(games, options, status) if status.any() else options

    def _list(self, games: Games, first: Masks, builds: Masks, removals: Masks, status: Bytes) -> Cells:
        """The options that compiled code finds, in as much room as they need."""
        arrays = games.places, games.escapes, games.clock, games.rights
        rows, at, count = np.empty((self._room * len(games), codes.SHEET_ROWS), np.uint16), 0, 0
        while True:
            at, count, _ = list_all(
                self.table, self.course, self._menu, *arrays, rows, first, builds, removals, status, at, count
            )
            if at == len(games):
                return rows[:count]
            self._room *= 2
            rows = np.concatenate((rows[:count], np.empty_like(rows), np.empty_like(rows)))

    def _insert(self, games: Games, options: Options, status: Bytes) -> Options:
        """The options with those that the engine finds for games that compiled code has left."""
        parts, moved, last = [], 0, 0
        for at in range(len(games)):
            options.first[at] += moved
            if status[at]:
                start = int(options.first[at, 0]) - moved
                found = self._engine.options(games, at)
                listed = [row for place in sorted(found) if place >= 0 for row in found[place]]
                parts += [
                    options.orders[last:start],
                    np.array(listed, np.uint16).reshape(-1, codes.SHEET_ROWS),
                ]
                lengths = [len(found.get(place, ())) for place in range(len(self.names.provinces))]
                options.first[at, 1:] += np.cumsum(lengths)
                options.builds[at], options.removals[at] = self._engine.due(games, at)
                moved, last = moved + len(listed), start
        return replace(options, orders=np.concatenate((*parts, options.orders[last:])))

    # steps

    def step(self, games: Games, sheets: Cells) -> Step:
        """Play one phase of every game that is not over, each its own, and walk on to the next choice.

        Raises ValueError for arrays of another shape or kind.
        """
        self._check(games)
        if not fit(sheets, np.uint16, (len(games), codes.SHEET_ROWS, len(self.names.provinces))):
            raise ValueError(f"sheets of the shape {sheets.shape}, or not in order, do not fit these games")
        left_out = OWN if self.setting.scripted else UNCOMPILED
        status, illegal = np.where(games.over, 0, left_out).astype(np.uint8), np.zeros(1, np.int64)
        if compiling.AVAILABLE and not self.setting.scripted:
            arrays = games.places, games.escapes, games.clock, games.rights
            with self._lock:
                play_all(self.table, self.course, self._space, *arrays, sheets, status, illegal)
        left = np.flatnonzero(status)
        wrong = sum(self._by_engine(games, int(at), sheets, int(status[at])) for at in left)
        return Step(dict(Counter(WHY[int(status[at])] for at in left)), wrong + int(illegal[0]))

    def _by_engine(self, games: Games, at: int, sheets: Cells, status: int) -> int:
        if status != ARRIVED:
            return self._engine.play(games, at, sheets)
        self._engine.pass_on(games, at)
        return 0

    def _check(self, games: Games) -> None:
        count, provinces = len(games), len(self.names.provinces)
        fits = (
            fit(games.places, np.uint16, (count, codes.STATE_ROWS, provinces)),
            fit(games.escapes, np.int64, (count, provinces)),
            fit(games.clock, np.int64, (count, codes.CLOCK_COLUMNS)),
            fit(games.rights, np.int64, (count, len(self.names.powers))),
        )
        if not all(fits):
            raise ValueError(
                f"games of the shape {games.places.shape}, or not in order, do not fit this board"
            )


__all__ = ["Games", "Options", "Orders", "Referee", "Step"]
