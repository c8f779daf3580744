"""`search`: a bot that tries its orders out, against what the others may order, before it writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.game_batch import GameBatch
from talleyrand.simulation.numba_compiler import NUMBA_AVAILABLE

from .bot_context import BotContext
from .bot_protocol import PowerMask
from .place_values import FloatArray
from .random_streams import RandomStream, StreamArray, stream_start, stream_starts
from .simple_bots import RandomBot
from .tidy_sheets import tidy_sheets
from .value_bot import ValueBot

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


Watch = Callable[[float], None]


@dataclass(frozen=True)
class SearchBudget:
    """How much a bot thinks about a phase: the same on every machine, unless `seconds` cut it short.

    `sheets` of its own to begin with; `samples` of the others' orders, a few of which sort out the worst;
    `rounds` in which the best so far are varied, by so many `variants` each.
    """

    sheets: int
    samples: int
    rounds: int
    variants: int
    seconds: float

    def without_compiler(self) -> SearchBudget:
        """What is left of it where a position takes hundreds of times as long."""
        return SearchBudget(max(4, self.sheets // 6), max(2, self.samples // 8), 0, 0, self.seconds)


BUDGETS: Mapping[str, SearchBudget] = {
    "easy": SearchBudget(8, 4, 0, 0, 2.0),
    "normal": SearchBudget(24, 12, 4, 16, 5.0),
    "hard": SearchBudget(48, 32, 12, 24, 15.0),
}
# How many samples sort out the worst sheets, and how many sheets of a round are kept.
SORTING, KEPT = 4, 4
# The chance in the values of those who may write the orders, and of those who play on.
MODELS, PLAYED = (0.1, 0.3, 0.8), 0.25


def _unseen(done: float) -> None:
    """Nobody watches."""


class SearchBot:
    """The bot. `on_progress` is told how much of a phase's thinking is done, from 0 to 1."""

    name = "search"

    def __init__(self, strength: str = "normal", budget: SearchBudget | None = None) -> None:
        usual = BUDGETS[strength]
        self.budget = budget or (usual if NUMBA_AVAILABLE else usual.without_compiler())
        self.on_progress: Watch = _unseen
        self._player, self._random = ValueBot(noise=PLAYED), RandomBot()
        self._models = [ValueBot(noise=noise) for noise in MODELS]

    def write_orders(
        self, facts: BotContext, games: GameBatch, asked: PowerMask, orders: UInt16Array, streams: StreamArray
    ) -> None:
        """Write its orders (`bot_protocol.Bot`)."""
        for game, power in np.argwhere(asked & ~games.over[:, None]).tolist():
            trial = Rollout(facts, games.copy_games([game]), power, int(streams[game, power]), self._player)
            if trial.columns.any():
                sheet = _SearchState(self, trial).best()
                orders[game] = np.where(trial.columns, sheet, orders[game])

    # sheets to begin with

    def own_candidates(self, trial: Rollout, count: int, seed: int, odd: int) -> UInt16Array:
        """Sheets of the power that may be good: by worth with more and less chance, every `odd`th one at
        random (none where it is 0)."""
        asked = np.zeros((count, trial.root.build_rights.shape[1]), np.bool_)
        asked[:, trial.power] = True
        random = np.arange(count) % odd == odd - 1 if odd else np.zeros(count, np.bool_)
        sheets = self._written(trial, asked & ~random[:, None], seed)
        games, streams = (
            trial.root.copy_games([0] * count),
            stream_starts(seed, range(count), 1, asked.shape[1]),
        )
        self._random.write_orders(trial.facts, games, asked & random[:, None], sheets, streams)
        return sheets

    def opponent_samples(self, trial: Rollout, count: int) -> UInt16Array:
        """Sheets that the others may write."""
        asked = np.ones((count, trial.root.build_rights.shape[1]), np.bool_)
        asked[:, trial.power] = False
        return self._written(trial, asked, stream_start(trial.seed, 2))

    def _written(self, trial: Rollout, asked: PowerMask, seed: int) -> UInt16Array:
        count = len(asked)
        games, streams = (
            trial.root.copy_games([0] * count),
            stream_starts(seed, range(count), 0, asked.shape[1]),
        )
        sheets = games.blank_orders()
        for number, model in enumerate(self._models):
            turn = asked & (np.arange(count) % len(self._models) == number)[:, None]
            model.write_orders(trial.facts, games, turn, sheets, streams)
        return sheets


class _SearchState:
    """The sheets tried so far for one power in one phase."""

    def __init__(self, bot: SearchBot, trial: Rollout) -> None:
        self.bot, self.trial, self.budget = bot, trial, bot.budget
        self.lots, self.begun = RandomStream(stream_start(trial.seed, 3)), monotonic()
        self.known: set[bytes] = set()
        self.sheets = trial.root.copy_games(()).blank_orders()
        self.worth: FloatArray = np.zeros((0, self.budget.samples))
        trial.add_samples(bot.opponent_samples(trial, self.budget.samples))

    def best(self) -> UInt16Array:
        """The sheet that does best against what the others may order."""
        # Few retreats and builds are possible: chance finds those that worth alone would not.
        odd = 0 if self.trial.root.clock[0, code.STAGE] == code.MOVEMENT else 2
        self._try(
            self._new(
                self.bot.own_candidates(self.trial, self.budget.sheets, stream_start(self.trial.seed, 1), odd)
            )
        )
        varies = self.trial.root.clock[0, code.STAGE] < code.ADJUSTMENTS
        for turn in range(self.budget.rounds if varies else 0):
            self.bot.on_progress((turn + 1) / (self.budget.rounds + 1))
            if monotonic() - self.begun > self.budget.seconds:
                break
            self._try(self._new(self._variants()))
        self.bot.on_progress(1.0)
        best: UInt16Array = self.sheets[self._order()[0]]
        return best

    def _order(self) -> list[int]:
        """The sheets, the best first."""
        order: list[int] = np.argsort(-self.worth.mean(axis=1), kind="stable").tolist()
        return order

    def _new(self, sheets: UInt16Array) -> UInt16Array:
        """Those that were not tried yet, without careless orders."""
        fresh, own = [], np.where(self.trial.columns, sheets, self.trial.root.blank_orders())
        if self.trial.root.clock[0, code.STAGE] == code.MOVEMENT:
            province = self.trial.facts.bot_board.board_arrays.province
            own = tidy_sheets(province, np.flatnonzero(self.trial.columns), own)
        for sheet in own:
            if sheet.tobytes() not in self.known:
                self.known.add(sheet.tobytes())
                fresh.append(sheet)
        return np.array(fresh, np.uint16).reshape(-1, *self.sheets.shape[1:])

    def _try(self, sheets: UInt16Array) -> None:
        """Try sheets against a few samples, the best of them against all, and keep the best of all."""
        if not len(sheets):
            return
        every, few = range(self.budget.samples), range(min(SORTING, self.budget.samples))
        first = self.trial.order_values(sheets, few)
        keep = np.argsort(-first.mean(axis=1), kind="stable")[:KEPT]
        rest = (
            self.trial.order_values(sheets[keep], every[len(few) :])
            if len(every) > len(few)
            else first[keep, :0]
        )
        self.sheets = np.concatenate((self.sheets, sheets[keep]))
        self.worth = np.concatenate((self.worth, np.hstack((first[keep], rest))))
        order = self._order()[: 2 * KEPT]
        self.sheets, self.worth = self.sheets[order], self.worth[order]

    def _variants(self) -> UInt16Array:
        """The best sheets with some units doing something else: as in another sheet, at random, together."""
        count, together = self.budget.variants, self.trial.root.clock[0, code.STAGE] == code.MOVEMENT
        fresh = self.bot.own_candidates(self.trial, count, stream_start(self.lots.state), 2)
        parents = self.sheets[[self.lots.random_below(min(KEPT, len(self.sheets))) for _ in range(count)]]
        columns = np.flatnonzero(self.trial.columns).tolist()
        for sheet, other in zip(parents, fresh, strict=True):
            if together and self.lots.random_below(2):
                concentrate_on_province(self.trial, sheet, self.lots)
            else:
                changed = [self.lots.choice(columns) for _ in range(1 + self.lots.random_below(3))]
                sheet[:, changed] = other[:, changed]
            self.lots.random_below(2)
        return parents


def concentrate_on_province(trial: Rollout, sheet: UInt16Array, lots: RandomStream) -> None:
    """Have several units act on one province: one goes or stays there, others support it."""
    places, table = trial.root.places[0], trial.facts.bot_board.board_arrays
    units = np.flatnonzero(trial.columns)
    reach = table.reach[places[code.KIND, units], places[code.LOCATION, units]]
    goals = np.flatnonzero(reach.any(axis=0)).tolist()
    if not goals:
        return
    goal = lots.choice(goals)
    near = lots.shuffled(units[reach[:, goal] > 0].tolist())
    if trial.columns[goal]:
        sheet[:, goal] = (code.HOLD, code.NONE, code.NONE, 0)
        helped = (code.SUPPORT_HOLD, goal, code.NONE, 0)
    else:
        first = near.pop()
        steps = table.near[places[code.KIND, first], places[code.LOCATION, first]]
        landing = lots.choice([step for step in steps[steps != code.NONE] if table.province[step] == goal])
        sheet[:, first] = (code.MOVE, code.NONE, landing, 0)
        helped = (code.SUPPORT_MOVE, first, landing, 0)
    for unit in near[: 1 + lots.random_below(2)]:
        sheet[:, unit] = helped
