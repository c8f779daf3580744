"""What becomes of a position if a power orders this and the others order that: short games played on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from talleyrand.simulation.codes import (
    CENTRE,
    FALLEN_KIND,
    FALLEN_POWER,
    KIND,
    MOVEMENT,
    NONE,
    OVER,
    PHASE,
    POWER,
    RETREATS,
    STAGE,
    WINNER,
    YEAR,
    Cells,
)
from talleyrand.simulation.world import Games

from .bot_protocol import Asked
from .facts import Facts
from .streams import starts
from .values import Values
from .weights import Floats

# The least movement phases that a position is played on for, before its centres are counted.
LEAST_MOVES = 3


class Trial:
    """One position, one power with something to decide, and the others' orders as they may be.

    `others` (sample, row, province) are whole sheets; the power's own `columns` of a sheet are replaced.
    The sample of a number is always played on with the same chances, whatever the power orders, so that
    two sheets are compared by what they are worth and not by their luck.
    """

    def __init__(self, facts: Facts, root: Games, power: int, seed: int, player: Values) -> None:
        self.facts, self.root, self.power, self.seed, self.player = facts, root, power, seed, player
        self.columns = _columns(root, power)
        self.until = int(root.clock[0, YEAR]) + _years(facts, int(root.clock[0, PHASE]))
        self.others = root.take(()).sheets()

    def suppose(self, others: Cells) -> None:
        """Add samples of what the others may order."""
        self.others = np.concatenate((self.others, others))

    def worth(self, sheets: Cells, samples: Sequence[int]) -> Floats:
        """What each sheet of the power is worth beside each of these samples: (sheets, samples)."""
        numbers = list(samples) * len(sheets)
        games = self.root.take([0] * len(numbers))
        own = np.repeat(sheets, len(samples), axis=0)
        self.facts.referee.step(games, np.where(self.columns, own, self.others[numbers]))
        self._play_on(games, numbers)
        return share(games, self.power).reshape(len(sheets), len(samples))

    def _play_on(self, games: Games, numbers: list[int]) -> None:
        powers, phase = games.rights.shape[1], 0
        while True:
            games.clock[games.clock[:, YEAR] >= self.until, OVER] = 1
            if games.over.all():
                return
            phase += 1
            # One stream a sample and power: made once, and taken for every sheet that is tried.
            streams = starts(self.seed, range(len(self.others)), phase, powers)[numbers]
            sheets = games.sheets()
            self.player.order(self.facts, games, np.ones(streams.shape, np.bool_), sheets, streams)
            self.facts.referee.step(games, sheets)


def _years(facts: Facts, phase: int) -> int:
    """How many years to play on."""
    left, years = int(facts.ground.moves_left[phase]), 1
    while left < LEAST_MOVES:
        left, years = left + int(facts.ground.moves_left.max()), years + 1
    return years


def _columns(root: Games, power: int) -> Asked:
    """The columns in which a power writes."""
    places, stage = root.places[0], root.clock[0, STAGE]
    stands = places[KIND] != NONE
    if stage == RETREATS:
        return np.asarray((places[FALLEN_KIND] != NONE) & (places[FALLEN_POWER] == power), np.bool_)
    if stage == MOVEMENT:
        return np.asarray(stands & (places[POWER] == power), np.bool_)
    return np.asarray(np.where(stands, places[POWER] == power, places[CENTRE] == power), np.bool_)


def share(games: Games, power: int) -> Floats:
    """What a power has of the squares of all centres; everything for a win, nothing for another's."""
    squares = games.centres().astype(np.float64) ** 2
    part: Floats = squares[:, power] / np.maximum(1.0, squares.sum(axis=1))
    winner = games.clock[:, WINNER]
    return np.where(winner >= 0, (winner == power).astype(np.float64), part)
