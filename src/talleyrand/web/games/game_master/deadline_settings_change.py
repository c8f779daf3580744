"""Another rule for the dates of a game that is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from talleyrand import variants
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_lifecycle, phase_deadlines
from talleyrand.web.games.deadlines import DeadlineSettings
from talleyrand.web.games.deadlines.deadline_presets import deadline_settings_for_board
from talleyrand.web.games.models import ENDED_STATES, Game, GameState

from .action_base import GameMasterActor, GameMasterRefusal, locked_game


@dataclass(frozen=True)
class DeadlineSettingsChange:
    """The rule from now on; `moves_open_phase`: the open phase is due by it too, as if it opened now."""

    deadline_settings: DeadlineSettings
    moves_open_phase: bool = False

    def new_deadline(self, game: Game, now: datetime) -> datetime | None:
        """When the open phase is due then; None where it keeps its date, or has none."""
        is_moved = self.moves_open_phase and game.state == GameState.PLAYING
        return self.for_board(game).next_deadline(game.phase[-1:], now) if is_moved else None

    def for_board(self, game: Game) -> DeadlineSettings:
        """The rule as it holds for the game's phases."""
        proposes = bool(variants.load(game.variant).definition.calendar.optional)
        return deadline_settings_for_board(self.deadline_settings, proposes)

    def save(self, game: Game, *, hand: GameMasterActor, now: datetime) -> None:
        """Keep it. Raises GameMasterRefusal: over, already."""
        _keep(game, self, hand, now)


@write_transaction
def _keep(game: Game, ruling: DeadlineSettingsChange, hand: GameMasterActor, now: datetime) -> None:
    with locked_game(game) as fresh:
        if fresh.state in ENDED_STATES:
            raise GameMasterRefusal("over")
        terms = replace(fresh.settings, rhythm=ruling.for_board(fresh).as_json())
        if terms == fresh.settings and not ruling.moves_open_phase:
            raise GameMasterRefusal("already")
        fresh.settings_json = terms.as_json()
        fresh.save(update_fields=["settings_json"])
        hand.log(fresh, "ruled")
        if ruling.moves_open_phase and fresh.state == GameState.PLAYING:
            game_lifecycle.save_deadline_and_notify(
                fresh, phase_deadlines.deadline_settings_of(fresh).next_deadline(fresh.phase[-1:], now), now
            )
