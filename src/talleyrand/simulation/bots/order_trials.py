"""Orders tried out: what whole sheets of all powers come to, and where sheets to try come from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, UInt16Array
from talleyrand.simulation.game_batch import GameBatch

from .bot_context import BotContext
from .bot_protocol import PowerMask
from .place_values import FloatArray
from .position_values import position_values
from .random_streams import RandomStream, stream_start, stream_starts
from .simple_bots import RandomBot
from .tidy_sheets import HOLD, keep_word, tidy_sheets
from .value_bot import ValueBot

# The chance in the values of those who write sheets to try, and of those who play on to the next moves.
MODELS, PLAYED = (0.1, 0.3, 0.8), 0.25


class OrderTrial:
    """One position, and what sheets of orders come to: (sheet, row, province) for all powers together.

    A sheet is played on to the end of the year, by the worth of places; then the position is valued. That is
    done with chances of a number: what is to be compared is given the same number, so that it is compared by
    what it is worth and not by its luck. `columns` (power, province): where a power writes;
    `acting`: the powers that write anything.
    """

    def __init__(self, facts: BotContext, root: GameBatch, seed: int) -> None:
        self.facts, self.root, self.seed = facts, root, seed
        self.columns = np.stack([_columns(root, power) for power in range(root.build_rights.shape[1])])
        self.acting: list[int] = np.flatnonzero(self.columns.any(axis=1)).tolist()
        self.is_movement = bool(root.clock[0, code.STAGE] == code.MOVEMENT)
        self._player = ValueBot(noise=PLAYED)

    @cached_property
    def owes_removals(self) -> PowerMask:
        """Which powers have more units than centres before their adjustments."""
        places, powers = self.root.places[0], np.arange(len(self.columns))[:, None]
        units = ((places[code.KIND] != code.NONE) & (places[code.POWER] == powers)).sum(axis=1)
        adjusts = self.root.clock[0, code.STAGE] >= code.ADJUSTMENTS
        return np.asarray(adjusts & (units > self.root.centres()[0]), np.bool_)

    @cached_property
    def blank(self) -> UInt16Array:
        """A sheet without orders."""
        sheet: UInt16Array = self.root.blank_orders()[0]
        return sheet

    @cached_property
    def owed_orders(self) -> UInt16Array:
        """A sheet with what the power that thinks has promised to order, and nothing else."""
        sheet, owed = self.root.blank_orders(), self.facts.owed
        self.facts.runner.write_orders({"": owed} if owed else {}, self.root, 0, sheet)
        found: UInt16Array = sheet[0]
        return found

    def values(self, sheets: UInt16Array, chances: Int64Array) -> FloatArray:
        """What each sheet is worth to each power, with the chances of a number each: (sheet, power)."""
        games, until = self.root.copy_games([0] * len(sheets)), self.root.clock[0, code.YEAR] + 1
        self.facts.runner.step(games, np.ascontiguousarray(sheets))
        phase, powers = 0, len(self.columns)
        while True:
            moves = games.clock[:, code.STAGE] == code.MOVEMENT
            games.clock[moves & (games.clock[:, code.YEAR] >= until), code.OVER] = 1
            if games.over.all():
                return position_values(self.facts, games)
            phase += 1
            streams = stream_starts(self.seed, range(int(chances.max()) + 1), phase, powers)[chances]
            written = games.blank_orders()
            asked = np.ones(streams.shape, np.bool_)
            self._player.write_orders(self.facts, games, asked, written, streams)
            self.facts.runner.step(games, written)

    def worth(self, power: int, own: UInt16Array, others: UInt16Array, chances: Sequence[int]) -> FloatArray:
        """What a power's own sheets are worth to it beside each of others' sheets: (own, others)."""
        numbers = np.tile(np.array(chances, np.int64), len(own))
        found = self.values(self.beside(power, own, others), numbers)[:, power]
        return found.reshape(len(own), len(others))

    def beside(self, power: int, own: UInt16Array, others: UInt16Array) -> UInt16Array:
        """Each of a power's own sheets with each of the others' sheets."""
        count = len(own)
        return np.where(
            self.columns[power], np.repeat(own, len(others), axis=0), np.tile(others, (count, 1, 1))
        )


def _columns(root: GameBatch, power: int) -> PowerMask:
    """The columns in which a power writes."""
    places, stage = root.places[0], root.clock[0, code.STAGE]
    stands = places[code.KIND] != code.NONE
    if stage == code.RETREATS:
        return np.asarray(
            (places[code.DISLODGED_KIND] != code.NONE) & (places[code.DISLODGED_POWER] == power), np.bool_
        )
    if stage == code.MOVEMENT:
        return np.asarray(stands & (places[code.POWER] == power), np.bool_)
    return np.asarray(np.where(stands, places[code.POWER] == power, places[code.CENTRE] == power), np.bool_)


class SheetMaker:
    """Makes sheets to try for the powers of a trial, the same for the same trial."""

    def __init__(self, trial: OrderTrial) -> None:
        self.trial, self.lots, self._asked = trial, RandomStream(stream_start(trial.seed, 3)), 0
        self._models, self._random = [ValueBot(noise=noise) for noise in MODELS], RandomBot()

    def written(self, count: int) -> UInt16Array:
        """Sheets of all powers by the worth of places, with more and less chance. Few retreats and builds are
        possible: half of them are random, which finds what worth alone would not. Who has more units than
        centres removes none at random: what a centre left open costs is beyond the end of the year."""
        self._asked += 1
        games = self.trial.root.copy_games([0] * count)
        streams = stream_starts(
            stream_start(self.trial.seed, 1, self._asked), range(count), 0, len(self.trial.columns)
        )
        sheets, random = games.blank_orders(), np.zeros(streams.shape, np.bool_)
        if not self.trial.is_movement:
            random[1::2] = ~self.trial.owes_removals
        for number, model in enumerate(self._models):
            turn = (np.arange(count) % len(self._models) == number)[:, None]
            model.write_orders(self.trial.facts, games, turn & ~random, sheets, streams)
        self._random.write_orders(self.trial.facts, games, random, sheets, streams)
        return sheets

    def tidy_samples(self, count: int) -> UInt16Array:
        """The same without careless orders."""
        written = self.written(count)
        found = np.repeat(self.trial.blank[None], count, axis=0)
        for power in self.trial.acting:
            found = np.where(self.trial.columns[power], self._tidy_part(power, written), found)
        return found

    def own_part(self, power: int, sheets: UInt16Array) -> UInt16Array:
        """What is a power's own in each sheet, without careless orders, each once."""
        return without_repeats(self._tidy_part(power, sheets))

    def _tidy_part(self, power: int, sheets: UInt16Array) -> UInt16Array:
        columns = self.trial.columns[power]
        parts = np.where(columns, sheets, self.trial.blank)
        if self.trial.is_movement:
            province = self.trial.facts.bot_board.board_arrays.province
            keep_word(self.trial.facts.given_word.closed[power], province, parts)
            owed = self.trial.owed_orders
            parts = np.where(columns & (owed[code.ORDER_KIND] != code.NONE), owed, parts)
            parts = tidy_sheets(province, np.flatnonzero(columns), parts)
        return parts

    def variants(self, power: int, parents: UInt16Array, count: int) -> UInt16Array:
        """Sheets with some units doing something else: as in another sheet, a step, help, together. Nobody
        helps a foreign unit by chance: it would mostly do something else."""
        fresh = self.written(count)
        sheets = parents[[self.lots.random_below(len(parents)) for _ in range(count)]]
        columns = np.flatnonzero(self.trial.columns[power]).tolist()
        for sheet, other in zip(sheets, fresh, strict=True):
            if self.trial.is_movement and self.lots.random_below(2):
                concentrate_on_province(self.trial, power, sheet, self.lots)
            else:
                for unit in [self.lots.choice(columns) for _ in range(1 + self.lots.random_below(3))]:
                    if self.trial.is_movement and self.lots.random_below(3):
                        vary_order(self.trial, power, sheet, unit, self.lots)
                    else:
                        sheet[:, unit] = other[:, unit]
        return self.own_part(power, sheets)


def without_repeats(sheets: UInt16Array, known: UInt16Array | None = None) -> UInt16Array:
    """Each sheet once, in the order in which they come first; none of those that are `known`."""
    seen = {sheet.tobytes() for sheet in known} if known is not None else set[bytes]()
    kept = []
    for at, sheet in enumerate(sheets):
        if (written := sheet.tobytes()) not in seen:
            seen.add(written)
            kept.append(at)
    return sheets[kept]


def vary_order(trial: OrderTrial, power: int, sheet: UInt16Array, unit: int, lots: RandomStream) -> None:
    """Have a unit take any step, or help another of its power to do as the sheet says; it stays if it can
    do neither."""
    places, table = trial.root.places[0], trial.facts.bot_board.board_arrays
    at = places[code.KIND, unit], places[code.LOCATION, unit]
    reach, found = table.reach[at], list[tuple[int, int, int, int]]()
    if lots.random_below(2):
        found = [(code.MOVE, int(code.NONE), step, 0) for step in table.near[at] if step != code.NONE]
    else:
        kinds, goals = sheet[code.ORDER_KIND], sheet[code.ORDER_GOAL]
        others = [one for one in np.flatnonzero(trial.columns[power]).tolist() if one != unit]
        going = [one for one in others if kinds[one] == code.MOVE]
        found = [
            (code.SUPPORT_MOVE, one, int(goals[one]), 0) for one in going if reach[table.province[goals[one]]]
        ]
        found += [
            (code.SUPPORT_HOLD, one, int(code.NONE), 0) for one in others if one not in going and reach[one]
        ]
    sheet[:, unit] = lots.choice(found) if found else HOLD


def concentrate_on_province(trial: OrderTrial, power: int, sheet: UInt16Array, lots: RandomStream) -> None:
    """Have several units of a power act on one province: one goes or stays there, others support it."""
    places, table = trial.root.places[0], trial.facts.bot_board.board_arrays
    units = np.flatnonzero(trial.columns[power])
    reach = table.reach[places[code.KIND, units], places[code.LOCATION, units]]
    goals = np.flatnonzero(reach.any(axis=0)).tolist()
    if not goals:
        return
    goal = lots.choice(goals)
    near = lots.shuffled(units[reach[:, goal] > 0].tolist())
    if trial.columns[power, goal]:
        sheet[:, goal] = HOLD
        helped = (code.SUPPORT_HOLD, goal, code.NONE, 0)
    else:
        first = near.pop()
        steps = table.near[places[code.KIND, first], places[code.LOCATION, first]]
        landing = lots.choice([step for step in steps[steps != code.NONE] if table.province[step] == goal])
        sheet[:, first] = (code.MOVE, code.NONE, landing, 0)
        helped = (code.SUPPORT_MOVE, first, landing, 0)
    for unit in near[: 1 + lots.random_below(2)]:
        sheet[:, unit] = helped
