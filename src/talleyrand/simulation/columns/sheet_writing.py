"""Recorded orders written on the sheets of games in arrays, and what is unusual about them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.rulebooks import LoadedRulebook
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import NONE, UInt16Array
from talleyrand.simulation.board_arrays import board_arrays
from talleyrand.simulation.game_batch import GameBatch

from .read_orders import ORDER_COLUMNS, SHEET, WAIVE, NumberedOrder
from .recorded_games import GameSetting, RecordedPhase

COLUMN = NumberedOrder(*range(len(ORDER_COLUMNS)))
Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]


class WrittenSheets(NamedTuple):
    """The sheets of games; which of them are `sound`, so that their phase may be played from arrays; the
    builds that were waived (game, power); the removals on the sheets that nobody wrote (game, province)."""

    sheets: UInt16Array
    sound: Flags
    waived: Whole
    supplied: Flags


class _Orders(NamedTuple):
    """Orders: for which game, by which power, and a row of ORDER_COLUMNS each."""

    game: Whole
    power: Whole
    rows: UInt16Array


class SheetWriter:
    """Writes the sheets of games of one setting."""

    def __init__(self, setting: GameSetting) -> None:
        self._numbers, self._board = setting.numbers, board_arrays(setting.variant.board)
        book = setting.header.loaded_rulebook.adjudication_rules
        self._supplies_orders = supplies_orders(setting.header.loaded_rulebook)
        self._knows_winters = book.adjust_balance != "gross" and book.unused_builds not in (
            "kept",
            "must_build",
        )

    def write(self, games: GameBatch, received: Sequence[RecordedPhase]) -> WrittenSheets:
        """The sheets with what was received for each game's phase.

        A game is sound where each order is that of a unit which stands as it says, about a unit which stands
        as it says, none is for a unit that has another, and the book makes nothing of those without; a
        winter, where all that is due and nothing else was ordered.
        """
        orders = self._flat(received)
        stage = games.clock[:, code.STAGE]
        waiving = orders.rows[:, COLUMN.order] == WAIVE
        waived = np.stack((orders.game[waiving], orders.power[waiving]))
        given = _Orders(*(part[~waiving] for part in orders))
        sheets, sound = games.blank_orders(), np.ones(len(games), np.bool_)
        sound[given.game[~_fitting(games, given)]] = False
        sound[waived[0][stage[waived[0]] != code.ADJUSTMENTS]] = False
        sheets[given.game, :, given.rows[:, COLUMN.province]] = self._followed(given, stage)
        written = (sheets[:, code.ORDER_KIND] != NONE).sum(axis=1)
        sound &= written == np.bincount(given.game, minlength=len(games))
        if self._supplies_orders:
            units = (games.places[:, code.KIND] != NONE).sum(axis=1)
            sound &= (stage != code.MOVEMENT) | (written == units)
        sound[stage == code.ADJUSTMENTS] &= self._knows_winters
        supplied = _supply_removals(games, sheets)
        sound &= (stage != code.ADJUSTMENTS) | _as_due(games, sheets, waived)
        return WrittenSheets(sheets, sound, waived, supplied)

    def _followed(self, orders: _Orders, stage: Whole) -> UInt16Array:
        """The rows of a sheet, as the orders will be followed: units are removed in winter, and a move that
        can only go by sea need not say so."""
        rows = orders.rows[:, SHEET].copy()
        winter = stage[orders.game] == code.ADJUSTMENTS
        rows[winter & (rows[:, code.ORDER_KIND] == code.DISBAND), code.ORDER_KIND] = code.REMOVE
        sailing = np.flatnonzero(rows[:, code.ORDER_VIA] == 1)
        kind, location = orders.rows[sailing, COLUMN.unit_kind], orders.rows[sailing, COLUMN.location]
        goal = self._board.province[rows[sailing, code.ORDER_GOAL]]
        rows[sailing, code.ORDER_VIA] = self._board.reach[kind, location, goal] > 0
        return rows

    def _flat(self, received: Sequence[RecordedPhase]) -> _Orders:
        lines = [phase.lines for phase in received]
        table, many = self._numbers.table(), sum(map(len, lines))
        game = np.repeat(np.arange(len(received)), [len(one) for one in lines])
        power = np.fromiter(chain.from_iterable(phase.powers for phase in received), np.int64, many)
        return _Orders(game, power, table[np.fromiter(chain.from_iterable(lines), np.int64, many)])


def supplies_orders(book: LoadedRulebook) -> bool:
    """Whether a book has a unit without order follow what the others of its power say of it."""
    options = book.reading_options
    convoys = options.get("implicit_convoy") == "if_only_possible"
    return convoys or options.get("implicit_orders") == "allowed"


def _fitting(games: GameBatch, orders: _Orders) -> Flags:
    """Which orders suit their phase, their own unit and the one that they help."""
    game, rows = orders.game, orders.rows
    stage, what, here = games.clock[game, code.STAGE], rows[:, COLUMN.order], rows[:, COLUMN.province]
    first = np.where(stage == code.RETREATS, code.DISLODGED_KIND, code.KIND)
    own = games.places[game, first, here] == rows[:, COLUMN.unit_kind]
    own &= games.places[game, first + 1, here] == orders.power
    own &= games.places[game, first + 2, here] == rows[:, COLUMN.location]
    own = np.where(what == code.BUILD, games.places[game, code.CENTRE, here] == orders.power, own)
    disbands = what == code.DISBAND
    suits = (what <= code.CONVOY, (what == code.RETREAT) | disbands, (what == code.BUILD) | disbands)
    fitting: Flags = own & np.choose(stage.clip(0, 3), (*suits, np.zeros_like(disbands)))
    helping = np.flatnonzero(rows[:, COLUMN.target_kind] != NONE)
    target, beside = rows[helping, COLUMN.target], game[helping]
    fitting[helping] &= games.places[beside, code.KIND, target] == rows[helping, COLUMN.target_kind]
    fitting[helping] &= games.places[beside, code.LOCATION, target] == rows[helping, COLUMN.target_location]
    return fitting


def _supply_removals(games: GameBatch, sheets: UInt16Array) -> Flags:
    """Remove in winter every unit of a power that has no centre left and wrote nothing; says which."""
    supplied = np.zeros((len(games), sheets.shape[2]), np.bool_)
    winters = np.flatnonzero(games.clock[:, code.STAGE] == code.ADJUSTMENTS)
    if not len(winters):
        return supplied
    places, what = games.places[winters], sheets[winters, code.ORDER_KIND]
    powers = np.arange(games.build_rights.shape[1])[:, None]
    stands = places[:, code.POWER, None] == powers
    left = (places[:, code.CENTRE, None] == powers).any(axis=2)
    left |= (stands & (what == code.REMOVE)[:, None]).any(axis=2)
    supplied[winters] = (stands & ~left[:, :, None]).any(axis=1)
    sheets[:, code.ORDER_KIND][supplied] = code.REMOVE
    return supplied


def _as_due(games: GameBatch, sheets: UInt16Array, waived: Whole) -> Flags:
    """Whether no power builds or waives more than it may, and each removes what it must."""
    winters = np.flatnonzero(games.clock[:, code.STAGE] == code.ADJUSTMENTS)
    as_due = np.zeros(len(games), np.bool_)
    if not len(winters):
        return as_due
    places, what = games.places[winters], sheets[winters, code.ORDER_KIND]
    powers = np.arange(games.build_rights.shape[1])[:, None]
    owned, stands = places[:, code.CENTRE, None] == powers, places[:, code.POWER, None] == powers
    builds = (owned & (what == code.BUILD)[:, None]).sum(axis=2)
    removals = (stands & (what == code.REMOVE)[:, None]).sum(axis=2)
    refrained = np.zeros_like(games.build_rights)
    np.add.at(refrained, (waived[0], waived[1]), 1)
    balance = owned.sum(axis=2) - stands.sum(axis=2)
    within = builds + refrained[winters] <= balance.clip(0)
    as_due[winters] = (within & (removals == (-balance).clip(0))).all(axis=1)
    return as_due
