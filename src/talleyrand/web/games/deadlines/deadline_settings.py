"""The rule by which the deadlines of a game follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, pairwise
from typing import Any

from . import deadline_rules
from .deadline_calendar import DeadlineCalendar
from .deadline_errors import InvalidDeadlineSettings
from .deadline_rules import DAY, DeadlineRule, IntervalRule, ManualRule, WeekdayRule
from .rest_days import RestDays

NO_TIME = timedelta(0)
# A phase opens a little after the date of the one before: a week is a week all the same.
SLACK = timedelta(minutes=10)
LARGEST_GAP = timedelta(days=366)
# What each length may be at most.
LONGEST_LENGTHS = {
    "grace": timedelta(days=7),
    "first": timedelta(days=90),
    "minimum": timedelta(days=30),
    "extension": timedelta(days=30),
}
LONGEST_TURN = timedelta(hours=24)
"""How long somebody may take over one choice of a draft, where moves take longer."""

DRAFT = "draft"
"""Stands for the kind of a phase that is one turn of many (`Calendar.repeated`)."""

AbsencePeriod = tuple[datetime, datetime]


@dataclass(frozen=True)
class PlannedDeadlines:
    """A deadline to come for movements, and the one for retreats if some follow."""

    movement: datetime
    between: datetime | None


@dataclass(frozen=True)
class DeadlineSettings:
    """`movement` dates the movements, `between` retreats and adjustments, `proposals` what is proposed before
    movements where a board has that (None: by the same rule as movements).

    `plays_early`: as soon as nobody is waited for, else never before the date; the dates by weekdays stay the
    same either way. `grace`: how long a late sheet is still taken. `first`: the least time of a game's
    first phase; `minimum`: a weekday's date that is nearer goes to the next one. `extension`: how far a
    phase is extended by itself; 0: by a day, or the length of the phase if that is shorter.

    Raises InvalidDeadlineSettings.
    """

    movement: DeadlineRule = field(default_factory=lambda: IntervalRule(timedelta(hours=72)))
    between: DeadlineRule | None = None
    time_zone: str = "Europe/Paris"
    plays_early: bool = True
    grace: timedelta = NO_TIME
    first: timedelta = NO_TIME
    minimum: timedelta = NO_TIME
    extension: timedelta = NO_TIME
    rest_days: RestDays = field(default_factory=RestDays)
    proposals: DeadlineRule | None = None

    def __post_init__(self) -> None:
        for name, most in LONGEST_LENGTHS.items():
            if not NO_TIME <= getattr(self, name) <= most:
                raise InvalidDeadlineSettings(name)
        self.calendar  # noqa: B018 (a zone that does not exist is refused here)

    @property
    def calendar(self) -> DeadlineCalendar:
        """The clocks and days of rest that count."""
        return DeadlineCalendar(self.time_zone, self.rest_days)

    @property
    def rules(self) -> tuple[DeadlineRule, DeadlineRule, DeadlineRule]:
        """For movements, for retreats and adjustments, for proposals."""
        return self.movement, self.between or self.movement, self.proposals or self.movement

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> DeadlineSettings:
        """From JSON; `{"hours": n}` is so long for every phase, and 0 by hand. Raises
        InvalidDeadlineSettings.
        """
        lengths = {
            name: deadline_rules.duration_from_json(kept.get(name, 0), name) for name in LONGEST_LENGTHS
        }
        between, proposals = kept.get("between"), kept.get("proposals")
        return cls(
            movement=_movement(kept),
            between=deadline_rules.rule_from_json(between) if between else None,
            proposals=deadline_rules.rule_from_json(proposals) if proposals else None,
            time_zone=kept.get("zone", "Europe/Paris"),
            plays_early=bool(kept.get("early", True)),
            rest_days=RestDays.from_json(kept.get("resting", {})),
            **lengths,
        )

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "movement": self.movement.as_json(),
            "between": self.between.as_json() if self.between else None,
            **({"proposals": self.proposals.as_json()} if self.proposals else {}),
            "zone": self.time_zone,
            "early": self.plays_early,
            **{name: int(getattr(self, name).total_seconds()) for name in LONGEST_LENGTHS},
            "resting": self.rest_days.as_json(),
        }

    def rule_for(self, kind: str) -> DeadlineRule:
        """The rule for a kind of phase: M, R, A, P, or DRAFT."""
        movement, between, proposals = self.rules
        if kind == DRAFT:
            return _turn_rule(between)
        return {"M": movement, "P": proposals, "": ManualRule()}.get(kind, between)

    def next_deadline(
        self,
        kind: str,
        opened: datetime,
        *,
        absences: Iterable[AbsencePeriod] = (),
        most: timedelta = timedelta(days=14),
        first: bool = False,
    ) -> datetime | None:
        """When a phase of this kind (M, R, A, P) that opens now is due; None: when the game master says.

        A date that lies in an absence announced goes to the first date after it, at most `most` later.
        `first`: it is the first phase of the game.
        """
        minimum = max(self.minimum - SLACK - self.grace, NO_TIME)
        dates = self._dates(kind, opened, minimum, self.first if first else NO_TIME)
        return _present(dates, list(absences), most)

    def extended_deadline(self, due: datetime, kind: str = "M") -> datetime:
        """Where a deadline moves that is extended by itself: later in any case."""
        rule, almanac = self.rule_for(kind), self.calendar
        if self.extension:
            return almanac.time_after(due, self.extension) or due + self.extension
        step = rule.step if isinstance(rule, IntervalRule) else DAY
        return almanac.time_after(due, step) or due + step

    def resumed_deadline(self, left: timedelta, now: datetime, kind: str = "M") -> datetime:
        """The deadline of a phase that had so much time left when it was paused."""
        left = max(left, deadline_rules.MINUTE)
        if isinstance(self.rule_for(kind), WeekdayRule):
            return next(self._dates(kind, now, left), now + left)
        return self.calendar.time_after(now, left) or now + left

    def planned_deadlines(self, after: datetime, count: int = 5) -> list[PlannedDeadlines]:
        """The dates to come of a game that begins then, if every phase takes all its time."""
        found: list[PlannedDeadlines] = []
        opened = after
        while len(found) < count:
            movement = self.next_deadline("M", opened, first=not found)
            if movement is None:
                break
            found.append(PlannedDeadlines(movement, self.next_deadline("R", movement)))
            opened = found[-1].between or movement
        return found

    def check_leaves_dates(self, now: datetime) -> None:
        """Raises InvalidDeadlineSettings (`never`) for a rule that leaves no date for over a year."""
        if isinstance(self.movement, ManualRule):
            return
        planned = self.planned_deadlines(now)
        by_hand = isinstance(self.between, ManualRule)
        if len(planned) < 5 or (not by_hand and any(one.between is None for one in planned)):
            raise InvalidDeadlineSettings("never")
        dates = [now, *(one.movement for one in planned)]
        if any(later - sooner > LARGEST_GAP for sooner, later in pairwise(dates)):
            raise InvalidDeadlineSettings("never")

    def _dates(
        self, kind: str, opened: datetime, minimum: timedelta = NO_TIME, first: timedelta = NO_TIME
    ) -> Iterator[datetime]:
        return self.rule_for(kind).dates(opened, self.calendar, minimum, first)


def _turn_rule(between: DeadlineRule) -> DeadlineRule:
    """The rule for one turn of a draft: as between movements, and no longer than a day."""
    if isinstance(between, IntervalRule):
        return IntervalRule(min(between.length, LONGEST_TURN))
    return between if isinstance(between, ManualRule) else IntervalRule(LONGEST_TURN)


def _movement(kept: Mapping[str, Any]) -> DeadlineRule:
    if "movement" in kept:
        return deadline_rules.rule_from_json(kept["movement"])
    hours = kept.get("hours", 72)
    if type(hours) not in (int, float) or not 0 <= hours <= 24 * 90:
        raise InvalidDeadlineSettings("length")
    return IntervalRule(timedelta(hours=hours)) if hours else ManualRule()


def _present(dates: Iterator[datetime], absences: list[AbsencePeriod], most: timedelta) -> datetime | None:
    """The first date at which nobody is away; the last one that is not too far where there is none."""
    plain = chosen = next(dates, None)
    if plain is None:
        return None
    for date in chain([plain], dates):
        if date - plain > most:
            break
        chosen = date
        if not any(since <= date <= until for since, until in absences):
            break
    return chosen
