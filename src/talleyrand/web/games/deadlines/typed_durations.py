"""What people type: lengths, hours, and periods, in French or English."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta

from .date_texts import MONTHS
from .deadline_calendar import MIDNIGHT_MINUTE
from .deadline_errors import InvalidDeadlineSettings
from .rest_days import MOST_PERIODS, RestPeriod

_UNIT = {
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "w": timedelta(weeks=1),
}
_LENGTH = re.compile(
    r"(?:(?P<w>\d{1,6})(?:semaines?|sem|weeks?|w))?(?:(?P<d>\d{1,6})(?:jours?|j|days?|d))?"
    r"(?:(?P<h>\d{1,6})(?:heures?|h|hours?)(?:(?P<bare>\d\d)$)?)?(?:(?P<m>\d{1,6})(?:minutes?|mins?|mn|m))?",
)
_HOUR = re.compile(r"(\d{1,2})(?:[h:.](\d\d)?)?(am|pm)?")
_DAY = re.compile(
    r"(?:(\d{1,2})(?:er|st|nd|rd|th)?[/. -]+(\d{1,2}|[^\W\d]+)\.?(?:[/. ]+(\d{4}))?|(\d{4})-(\d\d)-(\d\d))"
)
_SPLIT = re.compile(r"\s+(?:au|to|[-–—→])\s+")
_LEAD = re.compile(r"^(?:du|from|le|on)\s+")
_JOINED = re.compile(r"\s+|\bet\b|\band\b|,")


def parse_duration(text: str) -> timedelta:
    """ "48 h", "3 jours", "2 hours 30 minutes", "une semaine"… nothing typed is no time. Raises
    InvalidDeadlineSettings.
    """
    plain = _JOINED.sub("", re.sub(r"\b(une?|one|an?)\b", "1", text.casefold()))
    found = _LENGTH.fullmatch(plain)
    if not found:
        raise InvalidDeadlineSettings("not_a_length")
    told = {unit: int(found[unit] or 0) for unit in _UNIT}
    told["m"] += int(found["bare"] or 0)
    return sum((_UNIT[unit] * number for unit, number in told.items()), timedelta())


def parse_hour(text: str) -> int:
    """ "24 h", "20 h 30", "20:30", "8 pm", "minuit": the minute of the day, 1 to 1440. Raises
    InvalidDeadlineSettings.
    """
    plain = re.sub(r"\s+", "", text.casefold())
    plain = {"minuit": "24h", "midnight": "24:00", "midi": "12h", "noon": "12:00"}.get(plain, plain)
    found = _HOUR.fullmatch(plain)
    if not found:
        raise InvalidDeadlineSettings("not_an_hour")
    hours, minutes = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hours <= 12:
            raise InvalidDeadlineSettings("not_an_hour")
        hours = hours % 12 + (12 if found[3] == "pm" else 0)
    if minutes > 59 or hours * 60 + minutes > MIDNIGHT_MINUTE:
        raise InvalidDeadlineSettings("not_an_hour")
    if hours == minutes == 0:
        raise InvalidDeadlineSettings("which_midnight")
    return hours * 60 + minutes


def parse_rest_periods(text: str) -> tuple[RestPeriod, ...]:
    """One a line: "20/12 – 3/1", "du 20 décembre au 3 janvier", "2026-12-20 to 2027-01-03". Raises
    InvalidDeadlineSettings.
    """
    lines = [line for line in text.casefold().splitlines() if line.strip()]
    if len(lines) > MOST_PERIODS:
        raise InvalidDeadlineSettings("periods")
    return tuple(_period(" ".join(line.split())) for line in lines)


def _period(line: str) -> RestPeriod:
    ends = [parse_day(_LEAD.sub("", end.strip())) for end in _SPLIT.split(line)]
    if len(ends) > 2:
        raise InvalidDeadlineSettings("period")
    return RestPeriod(ends[0], ends[-1])


def parse_day(text: str) -> str:
    """ "20/12", "20 décembre", "2026-12-20", in small letters: a day as periods have it. Raises
    InvalidDeadlineSettings.
    """
    found = _DAY.fullmatch(text)
    if not found:
        raise InvalidDeadlineSettings("period")
    if found[4]:
        return text
    month = int(found[2]) if found[2].isdigit() else _month(found[2])
    told = f"{month:02}-{int(found[1]):02}"
    return f"{found[3]}-{told}" if found[3] else told


def _month(name: str) -> int:
    for names in MONTHS.values():
        for number, known in enumerate(names, 1):
            if len(name) >= 3 and (known.casefold().startswith(name) or unaccented(known).startswith(name)):
                return number
    raise InvalidDeadlineSettings("period")


def unaccented(text: str) -> str:
    """In small letters without accents, typographic apostrophes and spaces made plain."""
    split = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    return " ".join("".join(one for one in split if not unicodedata.combining(one)).split())
