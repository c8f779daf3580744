"""From a table that gathers to the first phase."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import adjudicator

from . import game_log, phase_deadlines
from .game_history import opening_situation
from .models import Game, GameState, PhaseRevision


class GameNotReady(Exception):
    """The game cannot begin; `code` says why: started."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def open_first_phase(game: Game, now: datetime, by: Person | None = None) -> Game:
    """Open the first phase; the seats are there already. Raises GameNotReady, and QuestionRefusal."""
    situation = opening_situation(game)
    adjudicator.check_question(adjudicator.make_question(game.variant, game.rulebook, game.seed, situation))
    with transaction.atomic():
        fresh = Game.objects.select_for_update().get(pk=game.pk)
        if fresh.state != GameState.GATHERING:
            raise GameNotReady("started")
        PhaseRevision.objects.create(
            game=fresh, phase_number=0, revision=1, kind="start", digest="", next_situation=situation
        )
        fresh.state, fresh.started_at, fresh.phase_number = GameState.PLAYING, now, 1
        phase_deadlines.open_phase(fresh, situation["phase"], now)
        fresh.save()
        game_log.add_log_entry(fresh, "begun", by=by)
    return fresh
