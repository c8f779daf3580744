"""The three kinds of rule for the date of a phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from .deadline_calendar import MIDNIGHT_MINUTE, DeadlineCalendar
from .deadline_errors import InvalidDeadlineSettings

QUARTER = timedelta(minutes=15)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LONGEST = timedelta(days=90)


@dataclass(frozen=True)
class WeekdayRule:
    """On these weekdays (0 is Monday) at a minute of the day, from 1 to 1440, which is 24 h."""

    days: tuple[int, ...]
    minute: int

    def __post_init__(self) -> None:
        known = all(type(day) is int and 0 <= day <= 6 for day in self.days)
        if not known or not self.days or list(self.days) != sorted(set(self.days)):
            raise InvalidDeadlineSettings("days")
        if type(self.minute) is not int or not 0 < self.minute <= MIDNIGHT_MINUTE:
            raise InvalidDeadlineSettings("hour")

    def dates(
        self, opened: datetime, almanac: DeadlineCalendar, minimum: timedelta, first: timedelta
    ) -> Iterator[datetime]:
        """The dates of the grid after a phase opens, none nearer than the minimum."""
        least, last = max(minimum, first), opened
        for day in almanac.days(opened):
            if day.weekday() not in self.days or not almanac.is_counted(day):
                continue
            date = almanac.moment(day, self.minute)
            if date > last and date - opened >= least:
                last = date
                yield date

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"days": list(self.days), "minute": self.minute}


@dataclass(frozen=True)
class IntervalRule:
    """So long after the phase opened, as time really passes."""

    length: timedelta

    def __post_init__(self) -> None:
        if not MINUTE <= self.length <= LONGEST:
            raise InvalidDeadlineSettings("length")

    @property
    def step(self) -> timedelta:
        """How far a phase is extended where the rule says nothing."""
        return min(self.length, DAY)

    def dates(
        self, opened: datetime, almanac: DeadlineCalendar, minimum: timedelta, first: timedelta
    ) -> Iterator[datetime]:
        """The end of the phase, then where it may move to: a day at a time, or its length if shorter."""
        del minimum  # of a rule by weekdays alone
        if self.length >= HOUR:
            # the moment that judging takes shall not make the hour drift from phase to phase
            opened = opened.replace(second=0, microsecond=0)
        date = almanac.time_after(opened, max(self.length, first))
        while date is not None:
            yield date
            date = almanac.time_after(date, max(self.step, QUARTER))

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"seconds": int(self.length.total_seconds())}


@dataclass(frozen=True)
class ManualRule:
    """No date: the game master says when."""

    def dates(
        self, opened: datetime, almanac: DeadlineCalendar, minimum: timedelta, first: timedelta
    ) -> Iterator[datetime]:
        """None."""
        del opened, almanac, minimum, first
        return iter(())

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"by": "hand"}


DeadlineRule = WeekdayRule | IntervalRule | ManualRule


def rule_from_json(kept: Mapping[str, Any]) -> DeadlineRule:
    """A rule from JSON. Raises InvalidDeadlineSettings."""
    if kept.get("by") == "hand":
        return ManualRule()
    if "days" in kept:
        return WeekdayRule(tuple(kept["days"]), kept.get("minute", MIDNIGHT_MINUTE))
    return IntervalRule(duration_from_json(kept.get("seconds"), "length"))


def duration_from_json(kept: Any, code: str) -> timedelta:
    """A length from JSON. Raises InvalidDeadlineSettings with this code."""
    try:
        return timedelta(seconds=kept)
    except (TypeError, OverflowError, ValueError):
        raise InvalidDeadlineSettings(code) from None
