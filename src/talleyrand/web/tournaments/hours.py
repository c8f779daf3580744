"""Days and hours of an event as every page, screen and paper has them: in the zone of its place."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from talleyrand.tournament.model import Event
from talleyrand.tournament.timing import moment
from talleyrand.web.accounts import zones
from talleyrand.web.boards import wording
from talleyrand.web.games.deadlines import words as dates

from .documents import days_of


def zone(event: Event) -> ZoneInfo:
    """The zone of the place."""
    return zones.zone(event.announcement.zone)


def hour(event: Event, at: str) -> str:
    """The hour alone: "14 h", "14:00"; "" for what is no time."""
    local = _local(event, at)
    return dates.hour(local.hour * 60 + local.minute, wording.language()) if local else ""


def lately(event: Event, at: str) -> str:
    """Today the hour alone, else with its day: "4 juillet, 14 h"; "" for what is no time."""
    local, today = _local(event, at), timezone.now().astimezone(zone(event)).date()
    if local is None or local.date() == today:
        return hour(event, at)
    return f"{_day(local.date(), year=local.year != today.year)}, {hour(event, at)}"


def dated(event: Event, at: str) -> str:
    """The hour with its day of the week: "samedi 4 juillet, 14 h"; "" for what is no time."""
    local = _local(event, at)
    if local is None:
        return ""
    language = wording.language()
    return f"{dates.weekday(local.weekday(), language)} {_day(local.date(), year=False)}, {hour(event, at)}"


def said(event: Event, at: str) -> str:
    """All of it: "samedi 4 juillet 2026 à 14 h, heure de Paris"; "" for what is no time."""
    found = moment(at)
    return dates.said(found, str(zone(event)), wording.language(), begins=True) if found else ""


def when(event: Event) -> str:
    """From the first day of the event to its last."""
    return days(*days_of(event).values())


def days(first: date | None, last: date | None) -> str:
    """From the first day to the last: "4–5 juillet 2026", "31 mai – 1er juin 2026"; "" for none."""
    held = [day for day in dict.fromkeys((first, last)) if day is not None]
    if len(held) < 2:
        return "".join(map(_day, held))
    begins, ends = held
    if (begins.year, begins.month) == (ends.year, ends.month):
        only = _day(begins).split(" ")[0]
        return f"{only}–{_day(ends)}"
    return f"{_day(begins, year=begins.year != ends.year)} – {_day(ends)}"


def _local(event: Event, at: str) -> datetime | None:
    found = moment(at)
    return found.astimezone(zone(event)) if found else None


def _day(day: date, *, year: bool = True) -> str:
    told = day.isoformat() if year else day.isoformat()[-5:]
    return dates.day(told, wording.language())
