"""A day and an hour that people type, in French or English: "vendredi 13 mars à 20 h", "Friday 8 pm"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from . import typed_durations
from .date_texts import WEEKDAYS
from .deadline_calendar import MIDNIGHT_MINUTE, DeadlineCalendar, named_zone
from .deadline_errors import InvalidDeadlineSettings

_HOUR = re.compile(
    r"(?:^|[\s,]+)(?:(?:a|at|vers)\s+)?"
    r"(minuit|midnight|midi|noon|\d{1,2}\s?[h:]\s?(?:\d\d)?(?:\s?[ap]m)?|\d{1,2}\s?[ap]m)$"
)
_LEAD = re.compile(r"^(?:le|on|the|ce|this)\s+")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")
_NEAR = {"aujourd'hui": 0, "today": 0, "demain": 1, "tomorrow": 1}
KNOWN_YEARS = range(2000, 3001)
YEARS_AHEAD = 8  # within so many every day of a year has come, also 29 February


def parse_moment(text: str, now: datetime, zone_name: str) -> datetime:
    """The first such moment after `now`, in UTC; without an hour the day’s end.

    A year that is written is taken as it is. Raises InvalidDeadlineSettings: moment, weekday (another day of
    the week than the one written), past, and what `typed.hour` raises.
    """
    named, minute = _split(re.sub(r"(\d)t(\d)", r"\1 \2", typed_durations.unaccented(text[:100])))
    almanac = DeadlineCalendar(zone_name)
    for day in _days(named, now.astimezone(named_zone(zone_name)).date()):
        found = almanac.moment(day, minute)
        if found > now:
            return found
    raise InvalidDeadlineSettings("past")


def _split(plain: str) -> tuple[str, int]:
    """The day as it is written, and the minute of the day."""
    hour = _HOUR.search(plain)
    if hour is None:
        return plain, MIDNIGHT_MINUTE
    return plain[: hour.start()].rstrip(" ,"), typed_durations.parse_hour(hour[1])


def _days(named: str, today: date) -> Iterator[date]:
    """The days that are meant, in their order."""
    weekday, rest = _weekday(_LEAD.sub("", named))
    rest = _LEAD.sub("", rest)
    if rest in _NEAR:
        yield today + timedelta(days=_NEAR[rest])
    elif not rest and weekday is not None:
        first = today + timedelta(days=(weekday - today.weekday()) % 7)
        yield from (first, first + timedelta(days=7))
    else:
        yield from _dated(rest, weekday, today)


def _weekday(named: str) -> tuple[int | None, str]:
    word, _space, rest = named.partition(" ")
    word = word.rstrip(".,")
    for names in WEEKDAYS.values():
        for number, known in enumerate(names):
            if len(word) >= 3 and known.casefold().startswith(word):
                return number, rest.strip()
    return None, named


def _dated(rest: str, weekday: int | None, today: date) -> Iterator[date]:
    told = _day(rest)
    years = [int(told[:4])] if len(told) > 5 else range(today.year, today.year + YEARS_AHEAD)
    found = [day for year in years if (day := _date(year, told[-5:])) is not None]
    if not found:
        raise InvalidDeadlineSettings("moment")
    if weekday is not None and _next(found, today).weekday() != weekday:
        raise InvalidDeadlineSettings("weekday")
    yield from found


def _day(rest: str) -> str:
    """As periods have it: "03-13" or "2026-03-13"."""
    american = _MONTH_FIRST.fullmatch(rest)
    if american:
        rest = " ".join(part for part in (american[2], american[1], american[3]) if part)
    try:
        return typed_durations.parse_day(rest)
    except InvalidDeadlineSettings:
        raise InvalidDeadlineSettings("moment") from None


def _date(year: int, told: str) -> date | None:
    if year not in KNOWN_YEARS:
        return None
    try:
        return date(year, int(told[:2]), int(told[3:]))
    except ValueError:
        return None


def _next(days: list[date], today: date) -> date:
    """The one that is meant: the first to come."""
    return next((day for day in days if day >= today), days[-1])
