"""Sets the dates of the open phase on the game’s row; whoever calls saves it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from .deadlines import Rhythm
from .models import Game

# Sheets that arrived in time may still be waiting for their turn to be written.
SETTLING = timedelta(seconds=2)


def rhythm(game: Game) -> Rhythm:
    return Rhythm.read(game.terms.rhythm)


def open_phase(game: Game, phase: str, now: datetime) -> None:
    """A phase opens: when it is due, and when the clock has to look."""
    game.phase, game.opened, game.extended = phase, now, 0
    set_due(game, rhythm(game).due(phase[-1], now))


def set_due(game: Game, due: datetime | None) -> None:
    """Another date for the open phase."""
    game.due = due
    game.sweep = due + SETTLING if due else None
    game.version = F("version") + 1
