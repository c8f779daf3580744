"""Days and clocks of one place: which days count, and when an hour of theirs comes.

An hour that comes twice (October), or never (March), is read in favour of whoever is late: the later of
the two moments it may mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from .deadline_errors import InvalidDeadlineSettings
from .rest_days import RestDays

MIDNIGHT_MINUTE = 24 * 60  # the minute of the day at which it ends: 24 h
# Beyond that no date is looked for: nothing but a rest without end goes on so long.
HORIZON_DAYS = 12 * 366


@lru_cache(maxsize=64)
def named_zone(name: str) -> ZoneInfo:
    """A zone by its IANA name; raises InvalidDeadlineSettings."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        raise InvalidDeadlineSettings("zone") from None


def day_ending_at(moment: datetime, place: ZoneInfo) -> date:
    """The day that a moment belongs to; midnight ends a day, and begins none."""
    local = moment.astimezone(place)
    before = (moment - timedelta(microseconds=1)).astimezone(place).date()
    starts = local.time() == time() or before < local.date()
    return local.date() - timedelta(days=1) if starts else local.date()


@dataclass(frozen=True)
class DeadlineCalendar:
    """A zone (by its IANA name) with its days of rest. Raises InvalidDeadlineSettings."""

    time_zone: str
    rest_days: RestDays = field(default_factory=RestDays)

    def __post_init__(self) -> None:
        self._place  # noqa: B018 (a name that no zone has is refused here)

    @property
    def _place(self) -> ZoneInfo:
        return named_zone(self.time_zone)

    def moment(self, day: date, minute: int) -> datetime:
        """When a minute of a day comes, in UTC; minute 1440 is the end of the day."""
        wall = datetime.combine(day, time()) + timedelta(minutes=minute)
        both = (wall.replace(tzinfo=self._place, fold=fold).astimezone(UTC) for fold in (0, 1))
        return max(both)

    def days(self, since: datetime) -> Iterator[date]:
        """The days from the one before `since` on, up to the horizon."""
        first = since.astimezone(self._place).date() - timedelta(days=1)
        return (first + timedelta(days=number) for number in range(HORIZON_DAYS))

    def is_counted(self, day: date) -> bool:
        """Whether it is no day of rest."""
        return not self.rest_days.includes(day)

    def time_after(self, opened: datetime, length: timedelta) -> datetime | None:
        """When so much time will have passed, days of rest not counted; None: beyond the horizon."""
        if self.rest_days == RestDays():
            return opened + length
        at, left = opened, length
        for day in self.days(opened):
            end = self.moment(day, MIDNIGHT_MINUTE)
            if end <= at:
                continue
            if self.is_counted(day):
                if end - at >= left:
                    return at + left
                left -= end - at
            at = end
        return None
