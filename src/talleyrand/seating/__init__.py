"""Who plays what on which board: the draw of a round, its judge, and whole events planned ahead."""

from .draw_evaluation import evaluate_draw
from .event_planning import plan
from .round_draw import draw
from .seating_errors import ImpossibleSeating, SeatingError
from .seating_request import (
    ApartRule,
    BarredPowerRule,
    EventPlan,
    HardRule,
    LockRule,
    Pair,
    PastGame,
    RepeatedMeeting,
    RepeatedPower,
    RoundDraw,
    SeatingHistory,
    SeatingRequest,
    Seats,
    SoftRules,
    SoftRuleWeights,
    TeamRule,
    TwoBoardsRule,
    pair,
)

__all__ = [
    "ApartRule",
    "BarredPowerRule",
    "EventPlan",
    "HardRule",
    "ImpossibleSeating",
    "LockRule",
    "Pair",
    "PastGame",
    "RepeatedMeeting",
    "RepeatedPower",
    "RoundDraw",
    "SeatingError",
    "SeatingHistory",
    "SeatingRequest",
    "Seats",
    "SoftRuleWeights",
    "SoftRules",
    "TeamRule",
    "TwoBoardsRule",
    "draw",
    "evaluate_draw",
    "pair",
    "plan",
]
