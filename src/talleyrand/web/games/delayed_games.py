"""A game in progress as onlookers see it, where its settings show it late."""

from __future__ import annotations

from datetime import datetime

from .models import DelayedGame, Game, PhaseRevision


def delayed_game(game: Game, now: datetime) -> DelayedGame:
    """Where the game was: so many phases ago, and before every phase that was published too lately."""
    told = list(
        PhaseRevision.objects.filter(game=game)
        .order_by("phase_number")
        .values_list("phase_number", "phase", "published_at", "is_current")
    )
    terms, until = game.settings, now - game.settings.delay
    fresh = (number for number, _phase, at, counts in told if number and counts and at > until)
    number = min((max(game.phase_number - terms.delay_phases, 1), *fresh))
    phases = {at: phase for at, phase, _published, counts in told if counts}
    opened = min(
        (at for before, _phase, at, _counts in told if before == number - 1), default=game.started_at
    )
    seen = DelayedGame()
    vars(seen).update(vars(game))
    seen.seen_until = min(until, opened or until) if terms.delay_phases else until
    if number < game.phase_number:
        seen.phase, seen.phase_number, seen.phase_opened_at = phases[number], number, opened
        seen.deadline = seen.time_left_when_paused = None
        seen.is_waiting, seen.adjudication_error = False, ""
    return seen
