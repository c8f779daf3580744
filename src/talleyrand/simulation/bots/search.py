"""`search`: a bot that tries its orders out, against what the others may order, before it writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic

import numpy as np

from talleyrand.simulation.codes import (
    ADJUSTMENTS,
    CONVOY,
    HOLD,
    KIND,
    LOCATION,
    MOVE,
    MOVEMENT,
    NONE,
    SHEET_GOAL,
    SHEET_ORDER,
    STAGE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Cells,
)
from talleyrand.simulation.compiling import AVAILABLE
from talleyrand.simulation.world import Games

from .bot_protocol import Asked
from .facts import Facts
from .simple import Random
from .streams import Lots, Stream, started, starts
from .trying import Trial
from .values import Values
from .weights import Floats

Watch = Callable[[float], None]


@dataclass(frozen=True)
class Budget:
    """How much a bot thinks about a phase: the same on every machine, unless `seconds` cut it short.

    `sheets` of its own to begin with; `samples` of the others' orders, a few of which sort out the worst;
    `rounds` in which the best so far are varied, by so many `variants` each.
    """

    sheets: int
    samples: int
    rounds: int
    variants: int
    seconds: float

    def without_compiler(self) -> Budget:
        """What is left of it where a position takes hundreds of times as long."""
        return Budget(max(4, self.sheets // 6), max(2, self.samples // 8), 0, 0, self.seconds)


BUDGETS: Mapping[str, Budget] = {
    "easy": Budget(8, 4, 0, 0, 2.0),
    "normal": Budget(24, 12, 4, 16, 5.0),
    "hard": Budget(48, 32, 12, 24, 15.0),
}
# How many samples sort out the worst sheets, and how many sheets of a round are kept.
SORTING, KEPT = 4, 4
# The chance in the values of those who may write the orders, and of those who play on.
MODELS, PLAYED = (0.1, 0.3, 0.8), 0.25


def _unseen(done: float) -> None:
    """Nobody watches."""


class Search:
    """The bot. `watch` is told how much of a phase's thinking is done, from 0 to 1."""

    name = "search"

    def __init__(self, strength: str = "normal", budget: Budget | None = None) -> None:
        usual = BUDGETS[strength]
        self.budget = budget or (usual if AVAILABLE else usual.without_compiler())
        self.watch: Watch = _unseen
        self._player, self._random = Values(noise=PLAYED), Random()
        self._models = [Values(noise=noise) for noise in MODELS]

    def order(self, facts: Facts, games: Games, asked: Asked, orders: Cells, streams: Stream) -> None:
        """Write its orders (`registry.Bot`)."""
        for game, power in np.argwhere(asked & ~games.over[:, None]).tolist():
            trial = Trial(facts, games.take([game]), power, int(streams[game, power]), self._player)
            if trial.columns.any():
                sheet = tidied(trial, _Thought(self, trial).best())
                orders[game] = np.where(trial.columns, sheet, orders[game])

    # sheets to begin with

    def own(self, trial: Trial, count: int, seed: int, odd: int) -> Cells:
        """Sheets of the power that may be good: by worth with more and less chance, every `odd`th one at
        random (none where it is 0)."""
        asked = np.zeros((count, trial.root.rights.shape[1]), np.bool_)
        asked[:, trial.power] = True
        random = np.arange(count) % odd == odd - 1 if odd else np.zeros(count, np.bool_)
        sheets = self._written(trial, asked & ~random[:, None], seed)
        games, streams = trial.root.take([0] * count), starts(seed, range(count), 1, asked.shape[1])
        self._random.order(trial.facts, games, asked & random[:, None], sheets, streams)
        return sheets

    def others(self, trial: Trial, count: int) -> Cells:
        """Sheets that the others may write."""
        asked = np.ones((count, trial.root.rights.shape[1]), np.bool_)
        asked[:, trial.power] = False
        return self._written(trial, asked, started(trial.seed, 2))

    def _written(self, trial: Trial, asked: Asked, seed: int) -> Cells:
        count = len(asked)
        games, streams = trial.root.take([0] * count), starts(seed, range(count), 0, asked.shape[1])
        sheets = games.sheets()
        for number, model in enumerate(self._models):
            turn = asked & (np.arange(count) % len(self._models) == number)[:, None]
            model.order(trial.facts, games, turn, sheets, streams)
        return sheets


class _Thought:
    """The sheets tried so far for one power in one phase."""

    def __init__(self, bot: Search, trial: Trial) -> None:
        self.bot, self.trial, self.budget = bot, trial, bot.budget
        self.lots, self.begun = Lots(started(trial.seed, 3)), monotonic()
        self.known: set[bytes] = set()
        self.sheets = trial.root.take(()).sheets()
        self.worth: Floats = np.zeros((0, self.budget.samples))
        trial.suppose(bot.others(trial, self.budget.samples))

    def best(self) -> Cells:
        """The sheet that does best against what the others may order."""
        # Few retreats and builds are possible: chance finds those that worth alone would not.
        odd = 0 if self.trial.root.clock[0, STAGE] == MOVEMENT else 2
        self._try(self._new(self.bot.own(self.trial, self.budget.sheets, started(self.trial.seed, 1), odd)))
        for turn in range(self.budget.rounds if self._varies() else 0):
            self.bot.watch((turn + 1) / (self.budget.rounds + 1))
            if monotonic() - self.begun > self.budget.seconds:
                break
            self._try(self._new(self._variants()))
        self.bot.watch(1.0)
        best: Cells = self.sheets[self._order()[0]]
        return best

    def _varies(self) -> bool:
        return bool(self.trial.root.clock[0, STAGE] < ADJUSTMENTS)

    def _order(self) -> list[int]:
        """The sheets, the best first."""
        order: list[int] = np.argsort(-self.worth.mean(axis=1), kind="stable").tolist()
        return order

    def _new(self, sheets: Cells) -> Cells:
        """Those that were not tried yet."""
        fresh = []
        for sheet in np.where(self.trial.columns, sheets, self.trial.root.sheets()):
            if sheet.tobytes() not in self.known:
                self.known.add(sheet.tobytes())
                fresh.append(sheet)
        return np.array(fresh, np.uint16).reshape(-1, *self.sheets.shape[1:])

    def _try(self, sheets: Cells) -> None:
        """Try sheets against a few samples, the best of them against all, and keep the best of all."""
        if not len(sheets):
            return
        every, few = range(self.budget.samples), range(min(SORTING, self.budget.samples))
        first = self.trial.worth(sheets, few)
        keep = np.argsort(-first.mean(axis=1), kind="stable")[:KEPT]
        rest = self.trial.worth(sheets[keep], every[len(few) :]) if len(every) > len(few) else first[keep, :0]
        self.sheets = np.concatenate((self.sheets, sheets[keep]))
        self.worth = np.concatenate((self.worth, np.hstack((first[keep], rest))))
        order = self._order()[: 2 * KEPT]
        self.sheets, self.worth = self.sheets[order], self.worth[order]

    def _variants(self) -> Cells:
        """The best sheets with some units doing something else: as in another sheet, at random, together."""
        count, together = self.budget.variants, self.trial.root.clock[0, STAGE] == MOVEMENT
        fresh = self.bot.own(self.trial, count, started(self.lots.state), 2)
        parents = self.sheets[[self.lots.below(min(KEPT, len(self.sheets))) for _ in range(count)]]
        columns = np.flatnonzero(self.trial.columns).tolist()
        for sheet, other in zip(parents, fresh, strict=True):
            if together and self.lots.below(2):
                gather(self.trial, sheet, self.lots)
            else:
                changed = [self.lots.one(columns) for _ in range(1 + self.lots.below(3))]
                sheet[:, changed] = other[:, changed]
            self.lots.below(2)
        return parents


def tidied(trial: Trial, sheet: Cells) -> Cells:
    """The sheet without help for units of the power that do something else: who gave it holds."""
    if trial.root.clock[0, STAGE] != MOVEMENT:
        return sheet
    province, kept = trial.facts.ground.table.province, sheet.copy()
    for unit in np.flatnonzero(trial.columns):
        order, target, goal = (int(cell) for cell in sheet[:3, unit])
        if order in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY) and trial.columns[target]:
            moves = sheet[SHEET_ORDER, target] == MOVE
            there = moves and order != SUPPORT_HOLD and province[sheet[SHEET_GOAL, target]] == province[goal]
            if not there and (moves or order != SUPPORT_HOLD):
                kept[:, unit] = HOLD, NONE, NONE, 0
    return kept


def gather(trial: Trial, sheet: Cells, lots: Lots) -> None:
    """Have several units act on one province: one goes or stays there, others support it."""
    places, table = trial.root.places[0], trial.facts.ground.table
    units = np.flatnonzero(trial.columns)
    reach = table.reach[places[KIND, units], places[LOCATION, units]]
    goals = np.flatnonzero(reach.any(axis=0)).tolist()
    if not goals:
        return
    goal = lots.one(goals)
    near = lots.shuffled(units[reach[:, goal] > 0].tolist())
    if trial.columns[goal]:
        sheet[:, goal] = (HOLD, NONE, NONE, 0)
        helped = (SUPPORT_HOLD, goal, NONE, 0)
    else:
        first = near.pop()
        steps = table.near[places[KIND, first], places[LOCATION, first]]
        landing = lots.one([step for step in steps[steps != NONE] if table.province[step] == goal])
        sheet[:, first] = (MOVE, NONE, landing, 0)
        helped = (SUPPORT_MOVE, first, landing, 0)
    for unit in near[: 1 + lots.below(2)]:
        sheet[:, unit] = helped
