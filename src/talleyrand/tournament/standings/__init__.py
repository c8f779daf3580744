"""The ranking of an event: points of games, what they count, and why. All is exact, nothing breaks a tie."""

from .calculation import compute_standings
from .scored_games import ScoredGame, UnscoredBoard
from .standing_values import (
    PersonStanding,
    ScoreFactor,
    StandingChange,
    StandingEntry,
    Standings,
    WorkingStep,
    ranking_basis,
    standings_difference,
)

__all__ = [
    "PersonStanding",
    "ScoreFactor",
    "ScoredGame",
    "StandingChange",
    "StandingEntry",
    "Standings",
    "UnscoredBoard",
    "WorkingStep",
    "compute_standings",
    "ranking_basis",
    "standings_difference",
]
