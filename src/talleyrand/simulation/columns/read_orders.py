"""Orders in normal form as numbers, each different line looked at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from talleyrand.engine.orders import Convoy, Order, Support
from talleyrand.formats.game_record import GameRecord
from talleyrand.notation import load_name_index, only_sentence, plain_order
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import NONE
from talleyrand.simulation.order_encoding import order_row
from talleyrand.simulation.phase_encoding import BoardNumbers, board_numbers

NOT_PLAIN = -1
WAIVED_BUILD = "WAIVE"
WAIVE = 9  # in the place of an order of `array_layout`
MOST_LINES = 1 << 16  # kept; a board knows some ten thousand orders
MOST_LETTERS = 60  # of a line


class NumberedOrder(NamedTuple):
    """An order in numbers: what is to be done, by which unit (kind, location and province), and for whom
    (kind and location); then the rows of a sheet (`array_layout.ORDER_KIND` …)."""

    unit_kind: int
    location: int
    province: int
    target_kind: int
    target_location: int
    order: int
    target: int
    goal: int
    via: int


ORDER_COLUMNS = NumberedOrder._fields
SHEET = slice(ORDER_COLUMNS.index("order"), None)


class ReadOrders(dict[object, int]):
    """The number of each line: NOT_PLAIN for one that is not an order in normal form, or whose names mean
    something else in the names of a game."""

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._variant = record.variant
        self._index = load_name_index(record.variant, record.naming, record.loaded_rulebook.naming)
        self._number = board_numbers(record.variant.board)
        waive = NumberedOrder._make([int(NONE)] * 5 + [WAIVE, int(NONE), int(NONE), 0])
        self._rows, self._table = [waive], np.empty((0, len(ORDER_COLUMNS)), np.uint16)
        self._orders = dict[str, Order]()
        self[WAIVED_BUILD] = 0

    def __missing__(self, line: object) -> int:
        if not isinstance(line, str):
            raise TypeError(line)
        short = len(line) <= MOST_LETTERS and len(self._rows) < MOST_LINES
        order = plain_order(line, self._variant, self._index) if short else None
        row = None if order is None else numbered_order(self._number, order)
        if row is None:
            return NOT_PLAIN
        assert order is not None
        self._rows.append(row)
        self._orders[line] = order
        self[line] = len(self._rows) - 1
        return self[line]

    def order(self, line: str) -> Order | None:
        """The order of a unit that a line in normal form gives; None of any other line."""
        return self._orders.get(line) if self[line] != NOT_PLAIN else None

    def has_one_reading(self, line: str) -> bool:
        """Whether a line in normal form can only be about the unit that it names, whoever stands there."""
        return only_sentence(line, self._index) is not None

    def table(self) -> code.UInt16Array:
        """A row of ORDER_COLUMNS for each number."""
        if len(self._table) != len(self._rows):
            self._table = np.array(self._rows, np.uint16)
        return self._table


def numbered_order(number: BoardNumbers, order: Order) -> NumberedOrder | None:
    """An order in numbers; None of one that arrays do not hold or whose places the board lacks."""
    target = order.target if isinstance(order, Support | Convoy) else None
    try:
        assert order.unit is not None
        sheet = order_row(number, order)
        unit = number.kinds[order.unit.kind], number.locations[order.unit.location]
        helped = (
            (int(NONE),) * 2
            if target is None
            else (number.kinds[target.kind], number.locations[target.location])
        )
        return NumberedOrder(*unit, number.provinces[order.unit.province], *helped, *sheet)
    except (KeyError, ValueError):
        return None
