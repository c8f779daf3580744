"""Games that are over, and their players counted."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from talleyrand.variants import load
from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.endings import game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game
from talleyrand.web.games.player_records import record_queue
from tests.web.cast import BEGUN, PLAYERS


def play(game: Game, silent: Collection[str] = (), at: datetime = BEGUN, **lines: list[str]) -> Game:
    """The open phase published, with orders of all powers but those that are silent."""
    game.refresh_from_db()
    for power in PLAYERS:
        if power not in silent:
            key = f"{game.phase_number}-{power}"
            order_submission.submit_orders(
                game,
                power,
                lines.get(power, []),
                number=game.phase_number,
                key=key,
                origin="text",
                at=at,
            )
    phase_adjudication.adjudicate_phase(game, game.phase_number, at)
    game.refresh_from_db()
    return game


def end(
    game: Game, winners: Collection[str] = tuple(PLAYERS), at: datetime = BEGUN, *, counted: bool = True
) -> Game:
    """The game over with these winners, and its players counted."""
    game.refresh_from_db()
    situation = GameHistory(game).situation(game.phase_number) or {}
    kind = "solo" if len(winners) == 1 else "draw"
    result = game_results.make_result(kind, load(game.variant).definition, situation, winners)
    game_lifecycle.end_game(game, result, at)
    if counted:
        record_queue.count_finished_games()
    game.refresh_from_db()
    return game


def day(number: int) -> datetime:
    return BEGUN + timedelta(days=number)
