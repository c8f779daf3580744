"""The ranking of an event: points of games, what they count, and why. All is exact, nothing breaks a tie.

of(event)                   the standings, each figure with its line
of(event, measure=…)        the same coefficients on something else that games give (the traveller)
difference(before, after)   who moves
basis(event)                the event without what moves nobody
"""

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
