"""The readable engine on games in arrays: what compiled code does not know, one game at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talleyrand.engine import adjustments, game
from talleyrand.engine.errors import Refusal
from talleyrand.engine.game import Setting
from talleyrand.engine.orders import Order, Waive
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import codes
from .codes import Cells
from .encoding import numbers
from .sheets import Reader, Row, row_of
from .tables import names
from .world import Games, read_position, write_position


class Readable:
    """Plays games of one setting by one book, until the end of the year `until`."""

    def __init__(self, setting: Setting, book: Rulebook, until: int | None) -> None:
        self.setting, self.board, self.book, self.until = setting, setting.board, book, until

    # steps

    def play(self, games: Games, at: int, sheets: Cells) -> int:
        """Play one phase of a game; gives how many orders were not legal."""
        position = read_position(self.setting, games, at)
        written = Reader(self.board, games.places[at], games.clock[at]).read(sheets[at])
        legal = {power: list(self._legal(position, power, orders)) for power, orders in written.items()}
        self._enter(games, at, game.play(self.setting, position, legal, self.book))
        given = int((sheets[at, codes.SHEET_ORDER] != codes.NONE).sum())
        return given - sum(map(len, legal.values()))

    def pass_on(self, games: Games, at: int) -> None:
        """Where a game has come to a phase of the variant's own: stay if somebody has a choice there."""
        position = read_position(self.setting, games, at)
        if self.setting.rules(position.phase).choosers(self.board, position, self.book):
            games.clock[at, codes.OVER] = self._late(position)
        else:
            self._enter(games, at, game.play(self.setting, position, {}, self.book))

    def _legal(self, position: Position, power: str, orders: Sequence[Order]) -> Iterator[Order]:
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
            write_position(self.setting, turn.next, games, at)
            games.clock[at, codes.OVER] = self._late(turn.next)
            return
        write_position(self.setting, turn.outcome.after, games, at)
        fallen = slice(codes.FALLEN_KIND, codes.FALLEN_BY + 1)
        games.places[at, fallen] = games.places[at, codes.BEFORE] = codes.NONE
        games.places[at, [codes.FALLEN_ROUTE, codes.SHUT]] = games.escapes[at] = 0
        games.clock[at, [codes.OVER, codes.COUNTED]] = 1, 0
        games.clock[at, codes.WINNER] = self.board.powers.index(turn.winner[0])

    def _late(self, position: Position) -> bool:
        return self.until is not None and position.phase.year > self.until

    # options

    def options(self, games: Games, at: int) -> Mapping[int, list[Row]]:
        """Every legal order of a game that the arrays can hold, by the number of its province."""
        position = read_position(self.setting, games, at)
        rules, winter = self.setting.rules(position.phase), position.phase.kind == "A"
        number, found = numbers(self.board), dict[int, list[Row]]()
        for power in self.board.powers:
            for order in _holdable(rules.options(self.board, position, power, self.book)):
                place = number.provinces[order.unit.province] if order.unit else -1
                found.setdefault(place, []).append(row_of(number, order, winter=winter))
        return found

    def due(self, games: Games, at: int) -> tuple[list[int], list[int]]:
        """The builds that each power may make now, and the removals it must make."""
        position = read_position(self.setting, games, at)
        powers = names(self.board).powers
        if position.phase.kind in "MR":
            return [0] * len(powers), [0] * len(powers)
        owed = [adjustments.balance(self.board, position, power, self.book) for power in powers]
        return [one.possible for one in owed], [one.removals for one in owed]


def _holdable(orders: Iterable[Order]) -> Iterator[Order]:
    for order in orders:
        if not isinstance(order, Waive) and not getattr(order, "path", ()):
            yield order
