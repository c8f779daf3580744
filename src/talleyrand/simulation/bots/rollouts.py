"""What becomes of a position if a power orders this and the others order that: short games played on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.game_batch import GameBatch

from .bot_context import BotContext
from .bot_protocol import PowerMask
from .random_streams import stream_starts
from .value_bot import ValueBot
from .value_weights import FloatArray

# The least movement phases that a position is played on for, before its centres are counted.
LEAST_MOVES = 3


class Rollout:
    """One position, one power with something to decide, and the others' orders as they may be.

    `others` (sample, row, province) are whole sheets; the power's own `columns` of a sheet are replaced.
    The sample of a number is always played on with the same chances, whatever the power orders, so that
    two sheets are compared by what they are worth and not by their luck.
    """

    def __init__(self, facts: BotContext, root: GameBatch, power: int, seed: int, player: ValueBot) -> None:
        self.facts, self.root, self.power, self.seed, self.player = facts, root, power, seed, player
        self.columns = _columns(root, power)
        self.until = int(root.clock[0, code.YEAR]) + _years(facts, int(root.clock[0, code.PHASE]))
        self.others = root.copy_games(()).blank_orders()

    def add_samples(self, others: UInt16Array) -> None:
        """Add samples of what the others may order."""
        self.others = np.concatenate((self.others, others))

    def order_values(self, sheets: UInt16Array, samples: Sequence[int]) -> FloatArray:
        """What each sheet of the power is worth beside each of these samples: (sheets, samples)."""
        numbers = list(samples) * len(sheets)
        games = self.root.copy_games([0] * len(numbers))
        own = np.repeat(sheets, len(samples), axis=0)
        self.facts.runner.step(games, np.where(self.columns, own, self.others[numbers]))
        self._play_on(games, numbers)
        return share_of_squares(games, self.power).reshape(len(sheets), len(samples))

    def _play_on(self, games: GameBatch, numbers: list[int]) -> None:
        powers, phase = games.build_rights.shape[1], 0
        while True:
            games.clock[games.clock[:, code.YEAR] >= self.until, code.OVER] = 1
            if games.over.all():
                return
            phase += 1
            # One stream a sample and power: made once, and taken for every sheet that is tried.
            streams = stream_starts(self.seed, range(len(self.others)), phase, powers)[numbers]
            sheets = games.blank_orders()
            self.player.write_orders(self.facts, games, np.ones(streams.shape, np.bool_), sheets, streams)
            self.facts.runner.step(games, sheets)


def _years(facts: BotContext, phase: int) -> int:
    """How many years to play on."""
    left, years = int(facts.bot_board.moves_left[phase]), 1
    while left < LEAST_MOVES:
        left, years = left + int(facts.bot_board.moves_left.max()), years + 1
    return years


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


def share_of_squares(games: GameBatch, power: int) -> FloatArray:
    """What a power has of the squares of all centres; everything for a win, nothing for another's."""
    squares = games.centres().astype(np.float64) ** 2
    part: FloatArray = squares[:, power] / np.maximum(1.0, squares.sum(axis=1))
    winner = games.clock[:, code.WINNER]
    return np.where(winner >= 0, (winner == power).astype(np.float64), part)
