"""The games of a shard in a variant with politics: by the engine's values, one game after another."""

from __future__ import annotations

from collections import Counter

import numpy as np

from talleyrand.simulation.batch_adjudicator import FallbackReason
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.engine_game import EngineGame

from .bot_seating import create_bot
from .shard_recording import ShardRecording
from .simulation_plan import SimulationPlan


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
                {seat: bots[plan.bot_of(game, seat)] for seat in self.board.seats},
                plan.seed,
                game,
                plan.until,
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

    def step(self) -> None:
        """Play one phase of the first game that is not over."""
        at, game = next((at, game) for at, game in enumerate(self.games) if not game.over)
        phase, step = game.position.phase, game.steps
        game.step()
        self.facts.update({"phases": 1, "illegal": 0, f"by_engine.{FallbackReason.OWN_PHASE}": 1})
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
