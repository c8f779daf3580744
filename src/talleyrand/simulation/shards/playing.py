"""Playing the games of a shard, all of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from talleyrand import __version__
from talleyrand.simulation import codes
from talleyrand.simulation.bots.answering import answer
from talleyrand.simulation.bots.bot_protocol import Bot
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.streams import started, starts
from talleyrand.simulation.codes import Cells
from talleyrand.simulation.referee import Referee
from talleyrand.simulation.world import rounds

from .by_engine import EngineShard
from .faults import ShardError
from .lines import Lines, Whole, given
from .plan import Plan
from .recording import Recording, write
from .seats import called

Watch = Callable[[float], None]
Flags = NDArray[np.bool_]


def play_shard(plan: Plan, shard: int, watch: Watch) -> bytes:
    """The file of a shard. `watch` is told how much is done, from 0 to 1, and may raise Stopped.

    Raises ShardError (`other_version`) where the plan was made by another version than plays here.
    """
    if plan.version != __version__:
        raise ShardError("other_version", plan=plan.version, here=__version__)
    played = begun(plan, shard)
    while played.going:
        played.step()
        watch(played.progress())
    return write(played.recorded(), plan, shard, played.facts)


def rehearse(plan: Plan) -> None:
    """Play one phase of one game, so that the code is compiled once and not by every process."""
    begun(replace(plan, games=1, shards=1), 1).step()


def begun(plan: Plan, shard: int) -> Shard | EngineShard:
    """The games of a shard at their beginning: in arrays, where these hold all that a game remembers."""
    return Shard(plan, shard) if plan.loaded.setting.politics is None else EngineShard(plan, shard)


class Shard:
    """The games of a shard on their way, and what was recorded of them."""

    def __init__(self, plan: Plan, shard: int) -> None:
        self.plan, self.numbers = plan, plan.games_of(shard)
        self.board = plan.loaded.board
        self.referee = Referee(plan.loaded.setting, plan.book.judge, plan.until)
        self.games = self.referee.start(len(self.numbers), [seed_of(plan, game) for game in self.numbers])
        self.recording, self.lines = Recording(), Lines(self.board)
        years = plan.until - plan.first_year + 1
        self._centres = np.full((len(self.games), years, len(self.board.powers)), -1, np.int64)
        self._rounds, self._steps = rounds(plan.loaded.setting), 0
        self.facts: Counter[str] = Counter()
        self._bot_facts = Facts(plan.loaded.setting, plan.book.judge)
        self._bots = [(called(bot), self._seats_of(bot)) for bot in dict.fromkeys(plan.bots)]

    def _seats_of(self, bot: str) -> Flags:
        """Which powers a bot plays, game by game."""
        powers, bot_of = self.board.powers, self.plan.bot_of
        return np.array([[bot_of(game, power) == bot for power in powers] for game in self.numbers])

    @property
    def going(self) -> bool:
        """Whether a game is not over."""
        return not self.games.over.all()

    def progress(self) -> float:
        """How much of the years is played."""
        years = self.plan.until - self.plan.first_year + 1
        passed = (self.games.clock[:, codes.YEAR] - self.plan.first_year) / years
        return float(np.where(self.games.over, 1.0, np.clip(passed, 0.0, 1.0)).mean())

    def step(self) -> None:
        """Have every bot write its orders, and play one phase of every game that is not over."""
        sheets = self._ordered()
        going = np.flatnonzero(~self.games.over)
        years = self.games.clock[going, codes.YEAR] - self.plan.first_year
        self._record(going, sheets)
        done = self.referee.step(self.games, sheets)
        self._centres[going, years] = self.games.centres()[going]
        self.facts.update({f"by_engine.{reason}": count for reason, count in done.by_engine.items()})
        self.facts.update(phases=len(going), illegal=done.illegal)
        self._steps += 1

    def _ordered(self) -> Cells:
        """The sheets of every game, each bot having written its powers'."""
        games, sheets = self.games, self.games.sheets()
        lots = starts(self.plan.seed, self.numbers, self._steps, len(self.board.powers))
        known = ~games.over & (games.clock[:, codes.STAGE] != codes.OWN_PHASE)
        for bot, seats in self._bots:
            asked = seats & known[:, None]
            if asked.any():
                bot.order(self._bot_facts, games, asked, sheets, lots)
            for at in np.flatnonzero(~games.over & ~known):
                self._answer(bot, seats[at], int(at), sheets)
        return sheets

    def _answer(self, bot: Bot, seats: Flags, at: int, sheets: Cells) -> None:
        """The orders of a bot in a phase of the variant's own, by the engine's values."""
        setting, book = self.plan.loaded.setting, self.plan.book.judge
        position = self.referee.read(self.games, at)
        seed = started(self.plan.seed, self.numbers[at])
        for power in setting.rules(position.phase).choosers(self.board, position, book):
            if seats[self.board.powers.index(power)]:
                orders = answer(setting, book, position, power, bot, seed)
                self.referee.write_orders({power: orders}, self.games, at, sheets)

    # what is recorded

    def _record(self, going: Whole, sheets: Cells) -> None:
        """Note which phase each game is in, and what is ordered."""
        text = self.recording.text
        rounds, clock = self._rounds, self.games.clock
        phases = [
            f"{rounds[clock[at, codes.PHASE]][0]}{clock[at, codes.YEAR]}{rounds[clock[at, codes.PHASE]][1]}"
            for at in going
        ]
        self.recording.phases.add(going, self._steps, [text(phase) for phase in phases])
        orders = given(self.games, going, sheets)
        different, which = np.unique(orders.line, return_inverse=True)
        numbers = np.array([text(line) for line in self.lines.texts(different)], np.int64)
        self.recording.orders.add(orders.game, self._steps, orders.power, orders.place, numbers[which])

    def recorded(self) -> Recording:
        """Everything, once the games are over."""
        games, years, powers = np.nonzero(self._centres >= 0)
        centres = self._centres[games, years, powers]
        self.recording.centres.add(games, years + self.plan.first_year, powers, centres)
        self.recording.ends.add(np.arange(len(self.games)), self.games.clock[:, codes.WINNER])
        return self.recording


def seed_of(plan: Plan, game: int) -> str:
    """What settles the lots of a game."""
    return f"{plan.seed}/{game}"
