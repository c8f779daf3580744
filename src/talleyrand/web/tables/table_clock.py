"""The clock of a table: how long people talk, how long they write, and what starts a phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.games.deadlines.deadline_rules import IntervalRule, ManualRule
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings

LEAST_MINUTES, MOST_MINUTES = 1, 24 * 60


@dataclass(frozen=True)
class TableClock:
    """Minutes. `first` and `moves`: of the first movement phase and of the others, the last `writing` of them
    to write in silence; `between`: retreats, adjustments and what else is decided between movements.

    `by_hand`: each phase waits until somebody starts the clock (people read the results first). `outside`:
    the table has no clock of its own but follows another one, which says when (see `outside_clock`).
    """

    first: int = 30
    moves: int = 15
    writing: int = 5
    between: int = 3
    by_hand: bool = True
    outside: bool = False

    def deadline_settings(self) -> DeadlineSettings:
        """As the game keeps it. Raises InvalidDeadlineSettings for lengths out of range."""
        if self.outside:
            return DeadlineSettings(movement=ManualRule(), between=ManualRule(), plays_early=True)
        return DeadlineSettings(
            movement=IntervalRule(timedelta(minutes=self.moves)),
            between=IntervalRule(timedelta(minutes=self.between)),
            first=timedelta(minutes=self.first),
            plays_early=True,
        )

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> TableClock:
        """From JSON; what is missing is as usual."""
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in kept.items() if name in known})


CLOCKS = {
    "talk_and_write": TableClock(first=30, moves=15, writing=5),  # after 001 IV
    "by_the_book": TableClock(first=35, moves=20, writing=5),  # 30 and 15 to talk, then 5 more: 001 IV, XIV
    "anjou_feu": TableClock(first=18, moves=16, writing=2),  # 004
    "anjou_feu_short": TableClock(first=17, moves=15, writing=2),  # 004
}
OWN_CLOCK = "own"
CLASS_CLOCKS = {
    "lesson": TableClock(first=12, moves=8, writing=3, between=2),
    "long_lesson": TableClock(first=20, moves=12, writing=4, between=3),
    "quick": TableClock(first=8, moves=5, writing=2, between=2),
}


def clock_text(clock: TableClock) -> str:
    """A clock in a few words."""
    return _("%(first)s minutes, then %(moves)s; the last %(writing)s to write") % clock.as_json()
