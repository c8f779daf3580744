"""The days on which no deadline falls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from .deadline_errors import InvalidDeadlineSettings
from .holiday_countries import HOLIDAY_COUNTRIES

MOST_PERIODS = 20


@dataclass(frozen=True)
class RestPeriod:
    """From a day to a day, both included: of every year ("12-20", "01-03") or of one ("2026-12-20")."""

    since: str
    until: str

    def __post_init__(self) -> None:
        first, last = _known(self.since), _known(self.until)
        if len(self.since) != len(self.until) or (self.is_of_one_year and first > last):
            raise InvalidDeadlineSettings("period")
        if self.is_of_one_year and (last - first).days > 366:
            raise InvalidDeadlineSettings("period_long")

    @property
    def is_of_one_year(self) -> bool:
        """Whether it is of one year alone."""
        return len(self.since) == len("2026-12-20")

    def includes(self, day: date) -> bool:
        """Whether the day lies in it."""
        text = day.isoformat() if self.is_of_one_year else f"{day:%m-%d}"
        if self.since <= self.until:
            return self.since <= text <= self.until
        return text >= self.since or text <= self.until


def _known(text: str) -> date:
    try:
        # a day of every year may be 29 February
        return date.fromisoformat(f"2000-{text}" if len(text) == len("12-20") else text)
    except ValueError:
        raise InvalidDeadlineSettings("period") from None


@dataclass(frozen=True)
class RestDays:
    """Weekdays (0 is Monday), months (1 is January), periods, and the public holidays of a country."""

    weekdays: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    periods: tuple[RestPeriod, ...] = ()
    country: str = ""

    def __post_init__(self) -> None:
        _check(self.weekdays, range(7), "weekdays")
        _check(self.months, range(1, 13), "months")
        if len(self.periods) > MOST_PERIODS:
            raise InvalidDeadlineSettings("periods")
        if self.country and self.country not in HOLIDAY_COUNTRIES:
            raise InvalidDeadlineSettings("country")

    def includes(self, day: date) -> bool:
        """Whether it is a day of rest."""
        named = day.weekday() in self.weekdays or day.month in self.months
        return named or any(period.includes(day) for period in self.periods) or self._holiday(day)

    def _holiday(self, day: date) -> bool:
        return bool(self.country) and day in public_holidays(self.country, day.year)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> RestDays:
        """From JSON. Raises InvalidDeadlineSettings."""
        return cls(
            tuple(kept.get("weekdays", ())),
            tuple(kept.get("months", ())),
            tuple(RestPeriod(since, until) for since, until in kept.get("periods", ())),
            kept.get("country", ""),
        )

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "weekdays": list(self.weekdays),
            "months": list(self.months),
            "periods": [[period.since, period.until] for period in self.periods],
            "country": self.country,
        }


def _check(values: Iterable[int], known: range, code: str) -> None:
    told = list(values)
    if any(type(one) is not int or one not in known for one in told) or told != sorted(set(told)):
        raise InvalidDeadlineSettings(code)


@lru_cache(maxsize=256)
def public_holidays(country: str, year: int) -> frozenset[date]:
    """The public holidays of a country in a year."""
    from holidays import country_holidays

    return frozenset(country_holidays(country, years=year))
