"""Points of a game, in exact fractions: systems as data, and the working of each score."""

from .game_ending import GameEnding, InvalidGameEnding
from .score_parts import ScoreLine
from .scoring_system import Score, ScoringSystem
from .system_files import (
    InvalidScoringSystem,
    ScoringExample,
    examples,
    load,
    names,
    read_examples,
    read_system,
)

__all__ = [
    "GameEnding",
    "InvalidGameEnding",
    "InvalidScoringSystem",
    "Score",
    "ScoreLine",
    "ScoringExample",
    "ScoringSystem",
    "examples",
    "load",
    "names",
    "read_examples",
    "read_system",
]
