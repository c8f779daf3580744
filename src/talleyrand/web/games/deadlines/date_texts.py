"""Dates, hours and lengths of time in words, French and English."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from .deadline_calendar import MIDNIGHT_MINUTE, day_ending_at, named_zone
from .deadline_errors import InvalidDeadlineSettings
from .zone_names import zone_text

NO_BREAK_SPACE = "\u00a0"  # the space that keeps a number and its unit on one line
WEEKDAYS = {
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
MONTHS = {
    "fr": (
        *("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août"),
        *("septembre", "octobre", "novembre", "décembre"),
    ),
    "en": (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    ),
}
# One, and several; hours are "h" in French where there are several.
UNITS = {
    "fr": {
        "day": ("un jour", "jours"),
        "hour": ("une heure", "h"),
        "minute": ("une minute", "minutes"),
        "second": ("une seconde", "secondes"),
    },
    "en": {
        "day": ("one day", "days"),
        "hour": ("one hour", "hours"),
        "minute": ("one minute", "minutes"),
        "second": ("one second", "seconds"),
    },
}
TIME_LEFT = {
    "fr": {"left": "encore {time}", "last": "moins d’une minute", "over": "l’échéance est passée"},
    "en": {"left": "{time} left", "last": "less than a minute left", "over": "the deadline has passed"},
}
LAST_SEPARATOR = {"fr": " et ", "en": " and "}


def join_names(names: Sequence[str], language: str, last: str = "") -> str:
    """ "lundi, mercredi et vendredi"."""
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + (last or LAST_SEPARATOR[language]) + names[-1]


def weekday_name(number: int, language: str) -> str:
    return WEEKDAYS[language][number]


def month_name(number: int, language: str) -> str:
    return MONTHS[language][number - 1]


def hour_text(minute: int, language: str) -> str:
    """A minute of the day: "20 h 30", "24 h"; "20:30", "24:00"."""
    hours, minutes = divmod(minute, 60)
    if language == "en":
        return f"{hours:02}:{minutes:02}"
    return f"{hours}{NO_BREAK_SPACE}h{NO_BREAK_SPACE}{minutes:02}" if minutes else f"{hours}{NO_BREAK_SPACE}h"


def day_text(text: str, language: str) -> str:
    """A day as rests have them: "12-20" or "2026-12-20"."""
    *year, month_number, number = text.split("-")
    name = month_name(int(month_number), language)
    first = "1er" if language == "fr" and number == "01" else str(int(number))
    return " ".join([first, name, *year])


def count_text(number: int, unit: str, language: str) -> str:
    """ "une heure", "48 h", "10 jours"."""
    one, several = UNITS[language][unit]
    return one if number == 1 else f"{number}{NO_BREAK_SPACE}{several}"


def duration_text(delta: timedelta, language: str, *, days_from: int = 2) -> str:
    """A length as a rule has it: "15 minutes", "24 h", "2 h 30", "10 jours"; in days from so many on."""
    minutes, seconds = divmod(int(delta.total_seconds()), 60)
    if seconds:
        return count_text(minutes * 60 + seconds, "second", language)
    if minutes >= days_from * MIDNIGHT_MINUTE and minutes % MIDNIGHT_MINUTE == 0:
        return count_text(minutes // MIDNIGHT_MINUTE, "day", language)
    if minutes and minutes % 60 == 0:
        return count_text(minutes // 60, "hour", language)
    if minutes <= 120:
        return count_text(minutes, "minute", language)
    if language == "fr":
        return hour_text(minutes, language)
    hours, rest = divmod(minutes, 60)
    return join_names([count_text(hours, "hour", language), count_text(rest, "minute", language)], language)


def time_left_text(left: timedelta, language: str) -> str:
    """The time left, in its two largest units: "encore 3 jours et 4 h"."""
    minutes = int(left.total_seconds() // 60)
    words = TIME_LEFT[language]
    if not minutes or left <= timedelta(0):
        return words["last" if left > timedelta(0) else "over"]
    days, rest = divmod(minutes, MIDNIGHT_MINUTE)
    parts = [("day", days), ("hour", rest // 60), ("minute", rest % 60)]
    while not parts[0][1]:
        del parts[0]
    told = join_names([count_text(number, unit, language) for unit, number in parts[:2] if number], language)
    return words["left"].format(time=told)


def time_left_words(language: str) -> dict[str, Any]:
    """What a script needs to go on saying it as `time_left_text` does."""
    return {**TIME_LEFT[language], "and": LAST_SEPARATOR[language], "units": UNITS[language]}


def date_text_with_zone(moment: datetime, zone_name: str, language: str, *, begins: bool = False) -> str:
    """ "vendredi 27 novembre 2026 à 24 h, heure de Paris"; midnight ends its day, or begins one.

    In universal time where there is no such zone.
    """
    try:
        named_zone(zone_name)
    except InvalidDeadlineSettings:
        zone_name = "UTC"
    return f"{date_text(moment, zone_name, language, begins=begins)}, {zone_text(zone_name, language)}"


def date_text(moment: datetime, zone_name: str, language: str, *, begins: bool = False) -> str:
    """ "vendredi 27 novembre 2026 à 24 h". Raises InvalidDeadlineSettings."""
    place = named_zone(zone_name)
    local = moment.astimezone(place)
    on = local.date() if begins else day_ending_at(moment, place)
    # the first minute of a day ends the one before, even where clocks skip from 24 h to 1 h
    minute = local.hour * 60 + local.minute if on == local.date() else MIDNIGHT_MINUTE
    told = f"{weekday_name(on.weekday(), language)} {day_text(on.isoformat(), language)}"
    at = f"{told} {'à' if language == 'fr' else 'at'} {hour_text(minute, language)}"
    return f"{at}{_hour_fold_text(local)}"


def _hour_fold_text(local: datetime) -> str:
    """Which of the two, where an hour comes twice."""
    first, second = (local.replace(fold=fold).utcoffset() for fold in (0, 1))
    if first is None or second is None or first <= second:
        return ""
    offset = f"{local:%z}"
    hours, minutes = int(offset[1:3]), offset[3:5]
    sign = "+" if offset[0] == "+" else "−"
    return f" (UTC{sign}{hours}{'' if minutes == '00' else ':' + minutes})"
