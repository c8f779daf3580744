"""The readable engine on games in arrays: what compiled code does not know, one game at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talleyrand.engine import adjustments, game
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order, Waive
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from . import array_layout
from .array_layout import UInt16Array
from .board_arrays import board_names
from .game_batch import GameBatch, read_position, write_position
from .order_encoding import OrderRowReader, Row, order_row
from .phase_encoding import board_numbers


class EngineFallback:
    """Plays games of one setting by one book, until the end of the year `until`."""

    def __init__(self, setting: GameDefinition, book: Rulebook, until: int | None) -> None:
        self.setting, self.board, self.book, self.until = setting, setting.board, book, until

    # steps

    def play(self, games: GameBatch, at: int, sheets: UInt16Array) -> int:
        """Play one phase of a game; gives how many orders were not legal."""
        position = read_position(self.setting, games, at)
        written = OrderRowReader(self.board, games.places[at], games.clock[at]).read(sheets[at])
        legal = {power: list(self._legal(position, power, orders)) for power, orders in written.items()}
        self._enter(games, at, game.play_phase(self.setting, position, legal, self.book))
        given = int((sheets[at, array_layout.ORDER_KIND] != array_layout.NONE).sum())
        return given - sum(map(len, legal.values()))

    def enter_variant_phase(self, games: GameBatch, at: int) -> None:
        """Where a game has come to a phase of the variant's own: stay if somebody has a choice there."""
        position = read_position(self.setting, games, at)
        if self.setting.rules_for(position.phase).powers_with_choices(self.board, position, self.book):
            games.clock[at, array_layout.OVER] = self._late(position)
        else:
            self._enter(games, at, game.play_phase(self.setting, position, {}, self.book))

    def _legal(self, position: Position, power: str, orders: Sequence[Order]) -> Iterator[Order]:
        """The orders that are legal as they stand."""
        rules = self.setting.rules_for(position.phase)
        if position.phase.kind != "M":
            listed = set(rules.legal_orders(self.board, position, power, self.book))
            yield from (order for order in orders if order in listed)
            return
        for order in orders:
            checked = rules.check_order(self.board, position, power, order, self.book)
            if not isinstance(checked, OrderRefusal) and checked == order:
                yield order

    def _enter(self, games: GameBatch, at: int, turn: game.ResolvedPhase) -> None:
        if turn.next_position is not None:
            write_position(self.setting, turn.next_position, games, at)
            games.clock[at, array_layout.OVER] = self._late(turn.next_position)
            return
        write_position(self.setting, turn.outcome.position_after, games, at)
        fallen = slice(array_layout.DISLODGED_KIND, array_layout.DISLODGED_BY + 1)
        games.places[at, fallen] = games.places[at, array_layout.BEFORE] = array_layout.NONE
        games.places[at, [array_layout.DISLODGED_BY_SEA, array_layout.STANDOFF]] = games.retreat_options[
            at
        ] = 0
        games.clock[at, [array_layout.OVER, array_layout.BEFORE_IS_KNOWN]] = 1, 0
        games.clock[at, array_layout.WINNER] = self.board.powers.index(turn.winner[0])

    def _late(self, position: Position) -> bool:
        return self.until is not None and position.phase.year > self.until

    # options

    def legal_orders(self, games: GameBatch, at: int) -> Mapping[int, list[Row]]:
        """Every legal order of a game that the arrays can hold, by the number of its province."""
        position = read_position(self.setting, games, at)
        rules, winter = self.setting.rules_for(position.phase), position.phase.kind == "A"
        number, found = board_numbers(self.board), dict[int, list[Row]]()
        for power in self.board.powers:
            for order in _holdable(rules.legal_orders(self.board, position, power, self.book)):
                place = number.provinces[order.unit.province] if order.unit else -1
                found.setdefault(place, []).append(order_row(number, order, winter=winter))
        return found

    def due_adjustments(self, games: GameBatch, at: int) -> tuple[list[int], list[int]]:
        """The builds that each power may make now, and the removals it must make."""
        position = read_position(self.setting, games, at)
        powers = board_names(self.board).powers
        if position.phase.kind in "MR":
            return [0] * len(powers), [0] * len(powers)
        owed = [adjustments.adjustment_count(self.board, position, power, self.book) for power in powers]
        return [one.possible for one in owed], [one.removals for one in owed]


def _holdable(orders: Iterable[Order]) -> Iterator[Order]:
    for order in orders:
        if not isinstance(order, Waive) and not getattr(order, "path", ()):
            yield order
