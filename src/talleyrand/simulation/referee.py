"""Whole games in arrays, many at once, played as `engine.game.play` plays them.

referee = Referee(variants.load("classic").setting, rulebooks.load("datc").judge)
games = referee.start(64)
sheets = games.sheets()
...
step = referee.step(games, sheets)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from talleyrand.engine import game
from talleyrand.engine.errors import Refusal
from talleyrand.engine.game import Setting
from talleyrand.engine.orders import Order, Waive
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import codes
from .codes import Cells, Masks
from .encoding import numbers
from .judging import Reason
from .sheets import Reader, row_of, write_sheet
from .tables import names, tabulate
from .world import Games, read_position, write_position

Orders = Mapping[str, Sequence[Order]]


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


@dataclass(frozen=True)
class Step:
    """What a step was made of: for how many games the engine had to be asked, by reason, and how many
    orders were none, because they were not legal."""

    by_engine: Mapping[Reason, int]
    illegal: int


class Referee:
    """Leads games of one setting by one book; they end with the year `until`, if no power wins before."""

    def __init__(self, setting: Setting, book: Rulebook, until: int | None = None) -> None:
        self.setting, self.book, self.until = setting, book, until
        self.board = setting.board
        self.names, self.table = names(self.board), tabulate(self.board)

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
        """Every legal order of every game."""
        rows: list[tuple[int, ...]] = []
        first = np.zeros((len(games), len(self.names.provinces) + 1), np.int64)
        due = np.zeros((2, len(games), len(self.names.powers)), np.int64)
        for at in range(len(games)):
            self._list(games, at, rows, first[at])
        orders = np.array(rows, np.uint16).reshape(len(rows), codes.SHEET_ROWS)
        return Options(orders, first, due[0], due[1])

    def _list(self, games: Games, at: int, rows: list[tuple[int, ...]], first: Masks) -> None:
        by_place: dict[int, list[tuple[int, ...]]] = {}
        if not games.clock[at, codes.OVER]:
            position = self.read(games, at)
            number, winter = numbers(self.board), position.phase.kind == "A"
            for order in self._legal(position):
                place = number.provinces[order.unit.province] if order.unit else -1
                by_place.setdefault(place, []).append(row_of(number, order, winter=winter))
        for place in range(len(first) - 1):
            first[place] = len(rows)
            rows += by_place.get(place, ())
        first[-1] = len(rows)

    def _legal(self, position: Position) -> Iterator[Order]:
        rules = self.setting.rules(position.phase)
        for power in self.board.powers:
            for order in rules.options(self.board, position, power, self.book):
                if not isinstance(order, Waive) and not getattr(order, "path", ()):
                    yield order

    # steps

    def step(self, games: Games, sheets: Cells) -> Step:
        """Play one phase of every game that is not over, each its own, and walk on to the next choice."""
        reasons: Counter[Reason] = Counter()
        illegal = 0
        for at in np.flatnonzero(games.clock[:, codes.OVER] == 0):
            illegal += self._play(games, int(at), sheets)
            reasons[Reason.NO_NUMBA] += 1
        return Step(dict(reasons), illegal)

    def _play(self, games: Games, at: int, sheets: Cells) -> int:
        """One phase by the engine; how many orders were not legal."""
        position = self.read(games, at)
        written = self.orders_of(games, at, sheets)
        legal = {power: list(self._possible(position, power, orders)) for power, orders in written.items()}
        turn = game.play(self.setting, position, legal, self.book)
        self._enter(games, at, turn)
        given = int((sheets[at, codes.SHEET_ORDER] != codes.NONE).sum())
        return given - sum(map(len, legal.values()))

    def _possible(self, position: Position, power: str, orders: Iterable[Order]) -> Iterator[Order]:
        """The orders that are legal as they stand."""
        rules = self.setting.rules(position.phase)
        if position.phase.kind != "M":
            listed = set(rules.options(self.board, position, power, self.book))
            yield from (order for order in orders if order in listed)
            return
        for order in orders:
            checked = rules.check(self.board, position, power, order, self.book)
            if not isinstance(checked, Refusal) and checked == order:
                yield order

    def _enter(self, games: Games, at: int, turn: game.Turn) -> None:
        if turn.next is not None:
            self.write(turn.next, games, at)
            games.clock[at, codes.OVER] = self.until is not None and turn.next.phase.year > self.until
            return
        self.write(turn.outcome.after, games, at)
        games.places[at, codes.FALLEN_KIND] = codes.NONE
        games.places[at, codes.SHUT] = games.escapes[at] = 0
        games.clock[at, codes.OVER] = 1
        games.clock[at, codes.WINNER] = self.names.powers.index(turn.winner[0])
        games.clock[at, codes.COUNTED] = 0


__all__ = ["Games", "Options", "Orders", "Referee", "Step"]
