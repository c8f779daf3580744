"""Playing the games of a shard, all of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from talleyrand import __version__
from talleyrand.simulation import array_layout
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.batch_adjudicator import FallbackReason
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.bot_protocol import Bot, ThinkingBot
from talleyrand.simulation.bots.power_orders import orders_for_power
from talleyrand.simulation.bots.random_streams import stream_start, stream_starts
from talleyrand.simulation.engine_game import EngineGame
from talleyrand.simulation.game_batch import phase_codes
from talleyrand.simulation.game_runner import GameRunner

from .order_columns import Int64Column, OrderTexts, order_columns
from .shard_recording import ShardRecording, write_shard
from .simulation_plan import ShardError, SimulationPlan, create_bot


class EngineShard:
    """The games of a shard on their way, and what was recorded of them (as `playing.Shard`)."""

    def __init__(self, plan: SimulationPlan, shard: int) -> None:
        self.plan = plan
        self.board = plan.loaded_variant.board
        facts = BotContext(plan.loaded_variant.definition, plan.loaded_rulebook.adjudication_rules)
        bots = {bot: create_bot(bot) for bot in dict.fromkeys(plan.bots)}
        self.games = [
            EngineGame(
                facts,
                {
                    seat: bots[bot]
                    for seat in plan.loaded_variant.definition.seats
                    if (bot := plan.bot_of(game, seat)) in bots
                },
                plan.seed,
                game,
                plan.until,
                frozenset(plan.loaded_split.absent),
            )
            for game in plan.games_of(shard)
        ]
        self.recording = ShardRecording()
        self.facts: Counter[str] = Counter()
        self._centres: dict[tuple[int, int], list[int]] = {}

    @property
    def is_running(self) -> bool:
        """Whether a game is not over."""
        return not all(game.over for game in self.games)

    def progress(self) -> float:
        """How much of the years is played."""
        years = self.plan.until - self.plan.first_year + 1
        passed = [
            1.0 if game.over else (game.position.phase.year - self.plan.first_year) / years
            for game in self.games
        ]
        return sum(passed) / len(passed)

    def step(self, watch: Watch) -> None:  # noqa: ARG002 (one game at a time)
        """Play one phase of the first game that is not over."""
        at, game = next((at, game) for at, game in enumerate(self.games) if not game.over)
        phase, step = game.position.phase, game.steps
        illegal = len(game.step().outcome.refused)
        self.facts.update({"phases": 1, "illegal": illegal, f"by_engine.{FallbackReason.OWN_PHASE}": 1})
        self.recording.phases.add(at, step, self.recording.text(str(phase)))
        for seat, orders in game.orders.items():
            texts = [self.recording.text(str(order)) for order in orders]
            if texts:
                seated = self.board.seats.index(seat)
                self.recording.orders.add(at, step, seated, np.arange(len(texts)), texts)
        self._centres[at, phase.year] = [len(game.position.owned_by(power)) for power in self.board.powers]
        if game.over:
            for winner in game.winner:
                self.recording.ends.add(at, self.board.powers.index(winner))

    def recorded(self) -> ShardRecording:
        """Everything, once the games are over."""
        for (at, year), centres in sorted(self._centres.items()):
            self.recording.centres.add(at, year, np.arange(len(centres)), centres)
        return self.recording


Watch = Callable[[float], None]
Flags = NDArray[np.bool_]


def play_shard(plan: SimulationPlan, shard: int, watch: Watch) -> bytes:
    """The file of a shard. `watch` is told how much is done, from 0 to 1, and may raise ShardStopped.

    Raises ShardError (`other_version`) where the plan was made by another version than plays here.
    """
    if plan.version != __version__:
        raise ShardError("other_version", plan=plan.version, here=__version__)
    played = begin_shard(plan, shard)
    while played.is_running:
        played.step(watch)
        watch(played.progress())
    return write_shard(played.recorded(), plan, shard, played.facts)


def precompile_plan(plan: SimulationPlan) -> None:
    """Play one phase of one game, so that the code is compiled once and not by every process."""
    begin_shard(replace(plan, games=1, shards=1), 1).step(lambda done: None)  # noqa: ARG005 (nobody watches)


def begin_shard(plan: SimulationPlan, shard: int) -> Shard | EngineShard:
    """The games of a shard at their beginning: in arrays, where these hold all that a game remembers."""
    setting, split = plan.loaded_variant.definition, plan.loaded_split
    # bots in arrays know the usual rules, and a script's powers as others that play by them
    unusual = not setting.has_standard_phases and not setting.scripted_powers
    beyond = setting.politics is not None or split.passive or split.absent or unusual
    return EngineShard(plan, shard) if beyond else Shard(plan, shard)


class Shard:
    """The games of a shard on their way, and what was recorded of them."""

    def __init__(self, plan: SimulationPlan, shard: int) -> None:
        self.plan, self.numbers = plan, plan.games_of(shard)
        self.board = plan.loaded_variant.board
        self.runner = GameRunner(
            plan.loaded_variant.definition, plan.loaded_rulebook.adjudication_rules, plan.until
        )
        self.games = self.runner.start(len(self.numbers), [game_seed(plan, game) for game in self.numbers])
        self.recording, self.lines = ShardRecording(), OrderTexts(self.board)
        years = plan.until - plan.first_year + 1
        self._centres = np.full((len(self.games), years, len(self.board.powers)), -1, np.int64)
        self._rounds, self._steps = phase_codes(plan.loaded_variant.definition), 0
        self.facts: Counter[str] = Counter()
        self._bot_facts = BotContext(plan.loaded_variant.definition, plan.loaded_rulebook.adjudication_rules)
        self._bots = [(create_bot(bot), self._seats_of(bot)) for bot in dict.fromkeys(plan.bots)]

    def _seats_of(self, bot: str) -> Flags:
        """Which powers a bot plays, game by game."""
        powers, bot_of = self.board.powers, self.plan.bot_of
        return np.array([[bot_of(game, power) == bot for power in powers] for game in self.numbers])

    @property
    def is_running(self) -> bool:
        """Whether a game is not over."""
        return not self.games.over.all()

    def progress(self, ordered: float = 0.0) -> float:
        """How much of the years is played, where so much of the phase is ordered."""
        years, clock = self.plan.until - self.plan.first_year + 1, self.games.clock
        phases = (clock[:, array_layout.PHASE] + ordered) / len(self._rounds)
        passed = (clock[:, array_layout.YEAR] - self.plan.first_year + phases) / years
        return float(np.where(self.games.over, 1.0, np.clip(passed, 0.0, 1.0)).mean())

    def step(self, watch: Watch) -> None:
        """Have every bot write its orders, and play one phase of every game that is not over."""
        sheets = self._ordered(watch)
        going = np.flatnonzero(~self.games.over)
        years = self.games.clock[going, array_layout.YEAR] - self.plan.first_year
        self._record(going, sheets)
        done = self.runner.step(self.games, sheets)
        self._centres[going, years] = self.games.centres()[going]
        self.facts.update({f"by_engine.{reason}": count for reason, count in done.left_to_engine.items()})
        self.facts.update(phases=len(going), illegal=done.illegal)
        self._steps += 1

    def _ordered(self, watch: Watch) -> UInt16Array:
        """The sheets of every game, each bot having written its powers'; `watch` hears of each power for
        which one took its time."""
        games, sheets = self.games, self.games.blank_orders()
        lots = stream_starts(self.plan.seed, self.numbers, self._steps, len(self.board.powers))
        known = ~games.over & (games.clock[:, array_layout.STAGE] != array_layout.VARIANT_PHASE_KIND)
        for bot, seats in self._bots:
            asked = seats & known[:, None]
            if isinstance(bot, ThinkingBot):
                for power in np.flatnonzero(asked.any(axis=0)):
                    one = asked & (np.arange(len(self.board.powers)) == power)
                    bot.write_orders(self._bot_facts, games, one, sheets, lots)
                    watch(self.progress((power + 1) / len(self.board.powers)))
            elif asked.any():
                bot.write_orders(self._bot_facts, games, asked, sheets, lots)
            for at in np.flatnonzero(~games.over & ~known):
                self._answer(bot, seats[at], int(at), sheets)
        return sheets

    def _answer(self, bot: Bot, seats: Flags, at: int, sheets: UInt16Array) -> None:
        """The orders of a bot in a phase of the variant's own, by the engine's values."""
        setting, book = self.plan.loaded_variant.definition, self.plan.loaded_rulebook.adjudication_rules
        position = self.runner.read(self.games, at)
        seed = stream_start(self.plan.seed, self.numbers[at])
        for power in setting.rules_for(position.phase).powers_with_choices(self.board, position, book):
            if seats[self.board.powers.index(power)]:
                orders = orders_for_power(setting, book, position, power, bot, seed)
                self.runner.write_orders({power: orders}, self.games, at, sheets)

    # what is recorded

    def _record(self, going: Int64Column, sheets: UInt16Array) -> None:
        """Note which phase each game is in, and what is ordered."""
        text = self.recording.text
        played = self.games.clock[going][:, [array_layout.PHASE, array_layout.YEAR]]
        rounds = [(self._rounds[phase], year) for phase, year in played]
        phases = [text(f"{season}{year}{stage}") for (season, stage), year in rounds]
        self.recording.phases.add(going, self._steps, phases)
        orders = order_columns(self.games, going, sheets)
        different, which = np.unique(orders.line, return_inverse=True)
        numbers = np.array([text(line) for line in self.lines.texts(different)], np.int64)
        self.recording.orders.add(orders.game, self._steps, orders.power, orders.place, numbers[which])

    def recorded(self) -> ShardRecording:
        """Everything, once the games are over."""
        games, years, powers = np.nonzero(self._centres >= 0)
        centres = self._centres[games, years, powers]
        self.recording.centres.add(games, years + self.plan.first_year, powers, centres)
        self.recording.ends.add(np.arange(len(self.games)), self.games.clock[:, array_layout.WINNER])
        return self.recording


def game_seed(plan: SimulationPlan, game: int) -> str:
    """What settles the lots of a game."""
    return f"{plan.seed}/{game}"
