"""Unusual orders of games in arrays: the readable engine reads them and settles what each is worth, so that
compiled code plays their phase all the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from talleyrand.engine import legality
from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.legality import SettledOrders
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Position, UnitName
from talleyrand.formats.question_input import Question
from talleyrand.formats.received_orders import read_received_orders
from talleyrand.notation import DISTANCE_STEPS, MAX_SHEET_LINES, PIECE_STEPS
from talleyrand.simulation import array_layout as code
from talleyrand.simulation import numba_compiler
from talleyrand.simulation.array_layout import Int64Array, UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.game_runner import GameRunner
from talleyrand.simulation.order_encoding import write_order_rows
from talleyrand.simulation.phase_encoding import board_numbers

from .recorded_games import GameSetting
from .sheet_writing import WrittenSheets, supplies_orders

Written = Mapping[str, Sequence[str] | None]


class ReadPhase(NamedTuple):
    """A phase of a game: the position, the orders of powers that are all legal, one a unit, and those of the
    others, as the judge receives them."""

    position: Position
    legal: dict[str, list[Order]]
    received: dict[str, list[Order]]


class UnusualOrders:
    """Reads the orders of games of one setting."""

    def __init__(self, setting: GameSetting, runner: GameRunner) -> None:
        self._header, self._runner, self._numbers = setting.header, runner, setting.numbers
        self._book = setting.header.loaded_rulebook.adjudication_rules
        self._setting, self._board = setting.variant.definition, setting.variant.board
        self._provinces = board_numbers(self._board).provinces
        self._supplies_orders = supplies_orders(setting.header.loaded_rulebook)

    def read(
        self, games: GameBatch, written: Mapping[int, Written]
    ) -> tuple[dict[int, ReadPhase], WrittenSheets]:
        """The phases of some games, by their number, and the sheets on which their orders stand.

        A game is sound where the sheet says all that its orders come to. Left out are phases of the variant's
        own and those in which a book may draw lots, for these hang on the whole record, and one with a fault.
        """
        sheets, sound = games.blank_orders(), np.zeros(len(games), np.bool_)
        read = dict[int, ReadPhase]()
        last = code.RETREATS if self._book.missing_removals == "random" else code.ADJUSTMENTS
        which = [at for at in written if games.clock[at, code.STAGE] <= last]
        counted = (
            self._runner.legal_orders(games.copy_games(which)).first
            if numba_compiler.NUMBA_AVAILABLE
            else None
        )
        for number, at in enumerate(which):
            try:
                first = None if counted is None else counted[number]
                read[at] = found = self._phase(self._runner.read(games, at), written[at], first)
                sound[at] = self._write(found, sheets[at])
            except Exception:  # noqa: BLE001 the engine tells what is wrong when it plays the phase
                read.pop(at, None)
        waived, supplied = np.empty((2, 0), np.int64), np.zeros((len(games), sheets.shape[2]), np.bool_)
        return read, WrittenSheets(sheets, sound, waived, supplied)

    def _phase(self, position: Position, written: Written, first: Int64Array | None) -> ReadPhase:
        header, kind = self._header, position.phase.kind
        sheets = {power: (tuple(lines or ()),) for power, lines in written.items()}
        question = Question(header.variant, header.loaded_rulebook, position, sheets, header.naming)
        # an order by named seas is an option that arrays do not hold
        if first is None or kind == "A" or self._book.convoy_path == "required":
            return ReadPhase(position, {}, read_received_orders(question).orders())
        options = _Options(
            position, self._board, dict(zip(self._provinces, np.diff(first).tolist(), strict=True))
        )
        legal, known = dict[str, list[Order]](), dict[str, int]()
        for power, (lines,) in sheets.items():
            found = self._known(position, power, lines, options)
            if found is not None:
                legal[power], known[power] = found
        received = read_received_orders(question, count_options=options.count, known=known)
        if received.cut_short:
            return ReadPhase(position, {}, read_received_orders(question).orders())
        return ReadPhase(position, legal, received.orders())

    def _known(
        self, position: Position, power: str, lines: Sequence[str], options: _Options
    ) -> tuple[list[Order], int] | None:
        """The orders of a power whose lines are legal, one a unit, or about no unit of its own; and the
        effort that reading them takes at most. None of any others."""
        if len(lines) > MAX_SHEET_LINES:
            return None
        legal, steps = dict[str, Order](), sum(map(len, lines)) // 8
        verify = self._setting.rules_for(position.phase).check_order
        for line in lines:
            order = self._numbers.order(line)
            if order is None or order.unit is None:
                return None
            province = order.unit.province
            steps += len(line) // 8 + PIECE_STEPS + len(line)
            if options.owners.get(province) != power:
                if not self._numbers.has_one_reading(line):
                    return None
                steps += DISTANCE_STEPS * options.count(power, None)
            elif province in legal or verify(self._board, position, power, order, self._book) != order:
                return None
            else:
                legal[province] = order
        if self._supplies_orders and len(legal) < options.units[power]:
            return None
        return list(legal.values()), steps

    def _write(self, read: ReadPhase, sheet: UInt16Array) -> bool:
        """Write the orders that count of a phase of moves or retreats; False where they are not all."""
        settled = None if read.position.phase.kind == "A" else self._settled(read)
        if settled is None:
            return False
        orders = chain(settled.accepted.values(), *read.legal.values())
        try:
            write_order_rows(self._board, orders, sheet)
        except ValueError:  # seas are named
            return False
        return True

    def _settled(self, read: ReadPhase) -> SettledOrders | None:
        """The orders that count of those received; None where it makes a difference that others do not."""
        board, position, book = self._board, read.position, self._book
        rules = self._setting.rules_for(position.phase)

        def verify(power: str, order: Order) -> Order | OrderRefusal:
            return rules.check_order(board, position, power, order, book)

        if position.phase.kind == "M":
            settled = legality.settle_movement_orders(verify, read.received, book)
            spoilt = book.illegal_order == "ignored_and_hold"
            return None if spoilt and legality.misordered_provinces(position, settled) else settled
        settled = legality.settle_retreat_orders(verify, read.received, book)
        several = any(entry.refusal.code == "multiple_orders" for entry in settled.refused)
        return None if several else settled


class _Options:
    """How many legal orders there are in a phase of moves or retreats: `counts` by province."""

    def __init__(self, position: Position, board: Board, counts: Mapping[str, int]) -> None:
        moves = position.phase.kind == "M"
        units = position.units if moves else [fallen.unit for fallen in position.dislodged]
        self.by_province, self._counts = {unit.province: unit for unit in units}, counts
        self.owners = {unit.province: unit.power for unit in units}
        self.units, self._powers = dict.fromkeys(board.seats, 0), dict.fromkeys(board.seats, 0)
        for unit in units:
            self.units[unit.power] += 1
            self._powers[unit.power] += counts[unit.province]

    def count(self, power: str | None, name: UnitName | None) -> int:
        """What `OptionCount` says."""
        unit = self.by_province.get(name.province) if name else None
        if unit and (unit.power, unit.name) == (power, name) and self._counts[unit.province] > 1:
            return self._counts[unit.province]
        return self._powers[power] if power else sum(self._powers.values())
