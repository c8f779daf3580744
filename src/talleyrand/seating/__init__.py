"""Who plays what on which board: the draw of a round, its judge, and whole events planned ahead."""

from typing import TYPE_CHECKING

from talleyrand.engine.deprecated_names import renamed_in

from .draw_evaluation import evaluate_draw
from .event_planning import plan
from .round_draw import draw
from .seating_request import (
    ApartRule,
    BarredPowerRule,
    EventPlan,
    HardRule,
    ImpossibleSeating,
    LockRule,
    Pair,
    PastGame,
    RepeatedMeeting,
    RepeatedPower,
    RoundDraw,
    SeatingError,
    SeatingHistory,
    SeatingRequest,
    Seats,
    SoftRules,
    SoftRuleWeights,
    TeamRule,
    TwoBoardsRule,
    pair,
)

if not TYPE_CHECKING:
    __getattr__ = renamed_in(
        __name__,
        {
            "Apart": "ApartRule",
            "Barred": "BarredPowerRule",
            "Draw": "RoundDraw",
            "Game": "PastGame",
            "Impossible": "ImpossibleSeating",
            "Lock": "LockRule",
            "Meeting": "RepeatedMeeting",
            "Past": "SeatingHistory",
            "Plan": "EventPlan",
            "Request": "SeatingRequest",
            "Rule": "HardRule",
            "Team": "TeamRule",
            "Twice": "TwoBoardsRule",
            "Weights": "SoftRuleWeights",
            "judge": "evaluate_draw",
        },
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
