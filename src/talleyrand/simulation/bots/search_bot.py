"""`search`: a bot that tries its orders out, against what the others may order, before it writes them.

What the others may order it finds by thinking for each of them first, in little: of some sheets by the worth
of places, the best of them varied, those that are worth most beside samples of everybody's sheets by worth.
Then it answers that, thinking longer: of its own sheets, the one that is worth most beside many samples, some
of the others' answers, some by worth alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.numba_compiler import NUMBA_AVAILABLE

from .bot_context import BotContext
from .bot_protocol import PowerMask
from .order_trials import OrderTrial, SheetMaker, without_repeats
from .place_values import FloatArray
from .random_streams import StreamArray

# How many samples sort out the worst sheets, and how many of those tried at once are kept.
SORTING, KEPT = 8, 4
Watch = Callable[[float], None]


@dataclass(frozen=True)
class SearchBudget:
    """How much a bot thinks about a phase: the same on every machine, unless `seconds` cut it short.

    `sheets` to begin with, `samples` of the others' orders, `rounds` in which the best so far are varied, by
    so many `variants` each. `others`: how much it thinks for each of the others, who answer sheets by the
    worth of places, and where `levels` is 2 also each other's answers (None: for nobody). A third of
    what it expects is by the worth of places all the same.
    """

    sheets: int
    samples: int
    rounds: int
    variants: int
    seconds: float
    others: SearchBudget | None = None
    levels: int = 1

    def without_compiler(self) -> SearchBudget:
        """What is left of it where a position takes hundreds of times as long."""
        return SearchBudget(8, 4, 0, 0, self.seconds)


_IN_LITTLE = SearchBudget(18, 12, 3, 12, inf)
BUDGETS: Mapping[str, SearchBudget] = {
    "easy": SearchBudget(18, 12, 3, 12, 2.0),
    "normal": SearchBudget(24, 24, 4, 16, 8.0, _IN_LITTLE),
    "hard": SearchBudget(48, 96, 16, 32, 30.0, SearchBudget(24, 24, 5, 16, inf), levels=2),
}


def _unseen(done: float) -> None:
    """Nobody watches."""


def share_of_squares(games: GameBatch, power: int) -> FloatArray:
    """What a power has of the squares of all centres; everything for a win, nothing for another's."""
    squares = games.centres().astype(np.float64) ** 2
    part: FloatArray = squares[:, power] / np.maximum(1.0, squares.sum(axis=1))
    winner = games.clock[:, code.WINNER]
    return np.where(winner >= 0, (winner == power).astype(np.float64), part)


class SearchBot:
    """The bot. `on_progress` is told how much of a phase's thinking is done, from 0 to 1."""

    name = "search"

    def __init__(self, strength: str = "normal", budget: SearchBudget | None = None) -> None:
        usual = BUDGETS[strength]
        self.budget = budget or (usual if NUMBA_AVAILABLE else usual.without_compiler())
        self.on_progress: Watch = _unseen

    def write_orders(
        self, facts: BotContext, games: GameBatch, asked: PowerMask, orders: UInt16Array, streams: StreamArray
    ) -> None:
        """Write its orders (`bot_protocol.Bot`)."""
        for game, power in np.argwhere(asked & ~games.over[:, None]).tolist():
            trial = OrderTrial(facts, games.copy_games([game]), int(streams[game, power]))
            if trial.columns[power].any():
                sheet = _Thinking(self, trial, power).best()
                orders[game] = np.where(trial.columns[power], sheet, orders[game])


class _Thinking:
    """One power's thinking about one phase."""

    def __init__(self, bot: SearchBot, trial: OrderTrial, power: int) -> None:
        self.bot, self.trial, self.power, self.budget = bot, trial, power, bot.budget
        self.maker, self._begun, self._done = SheetMaker(trial), monotonic(), 0
        expected = self.budget.levels * len(trial.acting) if self.budget.others else 0
        self._steps = self.budget.rounds + expected

    def best(self) -> UInt16Array:
        """The sheet that does best against what the others may order."""
        own = _SheetSearch(self.trial, self.maker, self.power, self.budget, self._expected())
        own.improve(self._goes_on)
        self.bot.on_progress(1.0)
        best: UInt16Array = own.sheets[0]
        return best

    def _goes_on(self) -> bool:
        """Whether there is time for more; tells how far it is."""
        self._done += 1
        self.bot.on_progress(min(1.0, self._done / self._steps))
        return monotonic() - self._begun <= self.budget.seconds

    def _expected(self) -> UInt16Array:
        """What the others may order: a third by the worth of places, the rest answers of each level."""
        levels = [self.maker.tidy_samples(self.budget.samples)]
        for level in range(self.budget.levels if self.budget.others else 0):
            # Its own orders are only expected by others that think a level further.
            ours = level + 1 < self.budget.levels
            powers = [power for power in self.trial.acting if ours or power != self.power]
            levels.append(self._answered(levels[-1], powers))
        rows, expected = np.arange(self.budget.samples)[:, None, None], levels[-1]
        for power in self.trial.acting:
            # Four of each in twelve samples, for other powers in other ones.
            turn = np.minimum((7 * rows + 3 * power) % 12 // 4, len(levels) - 1)
            for level, orders in enumerate(levels):
                expected = np.where(self.trial.columns[power] & (turn == level), orders, expected)
        return expected

    def _answered(self, samples: UInt16Array, powers: Sequence[int]) -> UInt16Array:
        """What some powers may order who expect such samples."""
        little, answered = self.budget.others, samples
        for power in powers:
            if little and self._goes_on():
                search = _SheetSearch(self.trial, self.maker, power, little, samples[: little.samples])
                search.improve(lambda: True)
                drawn = search.drawn(len(samples))
                answered = np.where(self.trial.columns[power], drawn, answered)
        return answered


class _SheetSearch:
    """The sheets tried so far for one power, beside samples of the others' orders; the best first."""

    def __init__(
        self, trial: OrderTrial, maker: SheetMaker, power: int, budget: SearchBudget, samples: UInt16Array
    ) -> None:
        self.trial, self.maker, self.power, self.budget, self.samples = trial, maker, power, budget, samples
        self.sheets: UInt16Array = trial.blank[None][:0]
        self.known = self.sheets
        self.worth: FloatArray = np.zeros((0, len(samples)))

    def improve(self, goes_on: Callable[[], bool]) -> None:
        """Try sheets, and variants of the best, as long as it goes on."""
        self._try(self.maker.own_part(self.power, self.maker.written(self.budget.sheets)), 2 * KEPT)
        for _ in range(self.budget.rounds):
            if not goes_on():
                break
            self._try(self.maker.variants(self.power, self.sheets[:KEPT], self.budget.variants), KEPT)

    def drawn(self, count: int) -> UInt16Array:
        """So many sheets as somebody may choose who has seen some of the samples, each time others."""
        seen = [[self.maker.lots.random_below(len(self.samples)) for _ in self.samples] for _ in range(count)]
        chosen: UInt16Array = self.sheets[[int(np.argmax(self.worth[:, some].mean(axis=1))) for some in seen]]
        return chosen

    def _try(self, sheets: UInt16Array, kept: int) -> None:
        """Try sheets against a few samples, the best of them against all, and keep the best of all."""
        fresh = without_repeats(sheets, self.known)
        if not len(fresh):
            return
        self.known = np.concatenate((self.known, fresh))
        few, every = min(SORTING, len(self.samples)), len(self.samples)
        first = self._tried(fresh, range(few))
        best = np.argsort(-first.mean(axis=1), kind="stable")[:kept]
        rest = self._tried(fresh[best], range(few, every)) if few < every else first[best, :0]
        self.sheets = np.concatenate((self.sheets, fresh[best]))
        self.worth = np.concatenate((self.worth, np.hstack((first[best], rest))))
        order = np.argsort(-self.worth.mean(axis=1), kind="stable")[: 2 * KEPT]
        self.sheets, self.worth = self.sheets[order], self.worth[order]

    def _tried(self, sheets: UInt16Array, samples: range) -> FloatArray:
        return self.trial.worth(self.power, sheets, self.samples[samples], samples)
