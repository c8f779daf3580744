"""Who plays what on which board: the draw of a round, its judge, and whole events planned ahead."""

from .drawing import draw
from .errors import Impossible, Unseatable
from .judging import judge
from .planning import plan
from .values import (
    Apart,
    Barred,
    Draw,
    Game,
    Lock,
    Meeting,
    Pair,
    Past,
    Plan,
    PowerAgain,
    Request,
    Rule,
    Seats,
    Team,
    Twice,
    Weights,
    Wishes,
    pair,
)

__all__ = [
    "Apart",
    "Barred",
    "Draw",
    "Game",
    "Impossible",
    "Lock",
    "Meeting",
    "Pair",
    "Past",
    "Plan",
    "PowerAgain",
    "Request",
    "Rule",
    "Seats",
    "Team",
    "Twice",
    "Unseatable",
    "Weights",
    "Wishes",
    "draw",
    "judge",
    "pair",
    "plan",
]
