"""The usual paces, by name: a rule for movements, and one for retreats and adjustments."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from .deadline_rules import DeadlineRule, IntervalRule, ManualRule, WeekdayRule
from .deadline_settings import DeadlineSettings

EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
DEADLINE_PRESETS: dict[str, tuple[DeadlineRule, DeadlineRule | None]] = {
    "friday": (WeekdayRule((4,), 24 * 60), IntervalRule(timedelta(hours=48))),
    "daily": (WeekdayRule(EVERY_DAY, 20 * 60), None),
    "two_days": (IntervalRule(timedelta(hours=48)), IntervalRule(timedelta(hours=24))),
    "live": (IntervalRule(timedelta(minutes=15)), IntervalRule(timedelta(minutes=5))),
    "hand": (ManualRule(), None),
}


def preset_name(movement: DeadlineRule, between: DeadlineRule | None) -> str:
    """The name of the pace that these rules are; "" where they are somebody’s own."""
    return next((name for name, known in DEADLINE_PRESETS.items() if known == (movement, between)), "")


def default_proposal_rule(movement: DeadlineRule) -> DeadlineRule:
    """When proposals are due where nobody says it: three days before the one day of movements, else alike."""
    if isinstance(movement, WeekdayRule) and len(movement.days) == 1:
        return WeekdayRule(((movement.days[0] - 3) % 7,), movement.minute)
    return movement


def deadline_settings_for_board(rhythm: DeadlineSettings, proposes: bool) -> DeadlineSettings:
    """The rule for dates with one for proposals on a board that has them, and on no other."""
    own = rhythm.proposals or default_proposal_rule(rhythm.movement)
    return replace(rhythm, proposals=own if proposes else None)


def default_minimum(movement: DeadlineRule, between: DeadlineRule | None) -> timedelta:
    """What a phase lasts at least where nobody says it: one played early on the day itself shall not leave
    the next one an evening.
    """
    if not isinstance(movement, WeekdayRule):
        return timedelta(hours=12 if isinstance(between, WeekdayRule) else 0)
    weekly = len(movement.days) == 1 and not isinstance(between, WeekdayRule)
    return timedelta(days=2) if weekly else timedelta(hours=12)
