"""Games brought to a phase by their clock, for tests."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games.models import Game, PhaseRevision
from tests.web.built_once import built_once
from tests.web.cast import table

from .acting import all_hand_in, fresh, hand_in, sweep_at_deadline

SLOW: dict[str, Any] = {"hours": 72, "early": False}
EARLY: dict[str, Any] = {"hours": 72, "early": True}
GRACE: dict[str, Any] = {**SLOW, "grace": 6 * 3600}


@built_once
def second_phase(**terms: Any) -> Game:
    """A game whose first movement has been played by all."""
    game = table(**{"rhythm": SLOW, **terms})
    all_hand_in(game)
    sweep_at_deadline(game)
    assert fresh(game).phase == "F1901M"
    return fresh(game)


def published(game: Game, number: int) -> PhaseRevision:
    return PhaseRevision.objects.get(game=game, phase_number=number, is_current=True)


def to_next_movement(game: Game) -> None:
    """Let the clock play this phase, and what comes before the next movement."""
    sweep_at_deadline(game)
    for _ in range(2):
        if not fresh(game).phase.endswith("M"):
            sweep_at_deadline(game)
    assert fresh(game).phase.endswith("M")


@built_once
def first_winter(**terms: Any) -> Game:
    """A game in which France may build one unit, and Marseilles is its one free home."""
    game = table(**{"rhythm": SLOW, **terms})
    all_hand_in(game, but=["FRANCE"])
    hand_in(game, "FRANCE", ["A Mar - Spa"])
    sweep_at_deadline(game)
    all_hand_in(game, lines=[])
    sweep_at_deadline(game)
    assert fresh(game).phase == "W1901A"
    return fresh(game)
