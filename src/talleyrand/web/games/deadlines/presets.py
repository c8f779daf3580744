"""The usual paces, by name: a rule for movements, and one for retreats and adjustments."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from .rhythm import Rhythm
from .rules import ByHand, Days, Every, Rule

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
PRESETS: dict[str, tuple[Rule, Rule | None]] = {
    "friday": (Days((4,), 24 * 60), Every(timedelta(hours=48))),
    "daily": (Days(EVERY_DAY, 20 * 60), None),
    "two_days": (Every(timedelta(hours=48)), Every(timedelta(hours=24))),
    "live": (Every(timedelta(minutes=15)), Every(timedelta(minutes=5))),
    "hand": (ByHand(), None),
}


def preset(movement: Rule, between: Rule | None) -> str:
    """The name of the pace that these rules are; "" where they are somebody’s own."""
    return next((name for name, known in PRESETS.items() if known == (movement, between)), "")


def usual_proposals(movement: Rule) -> Rule:
    """When proposals are due where nobody says it: three days before the one day of movements, else alike."""
    if isinstance(movement, Days) and len(movement.days) == 1:
        return Days(((movement.days[0] - 3) % 7,), movement.minute)
    return movement


def for_board(rhythm: Rhythm, proposes: bool) -> Rhythm:
    """The rule for dates with one for proposals on a board that has them, and on no other."""
    own = rhythm.proposals or usual_proposals(rhythm.movement)
    return replace(rhythm, proposals=own if proposes else None)


def usual_minimum(movement: Rule, between: Rule | None) -> timedelta:
    """What a phase lasts at least where nobody says it: one played early on the day itself shall not leave
    the next one an evening.
    """
    if not isinstance(movement, Days):
        return timedelta(hours=12 if isinstance(between, Days) else 0)
    weekly = len(movement.days) == 1 and not isinstance(between, Days)
    return timedelta(days=2) if weekly else timedelta(hours=12)
