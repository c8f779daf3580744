"""Days and hours of an event as every page, screen and paper has them: in the zone of its place."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from talleyrand.tournament.model import Event
from talleyrand.tournament.round_timing import parse_time
from talleyrand.web.accounts import time_zones
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines import date_texts as dates

from .event_documents import event_days


def act_time() -> str:
    """The present moment, as acts keep it."""
    return timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z")


def event_zone(event: Event) -> ZoneInfo:
    """The zone of the place."""
    return time_zones.zone_named(event.announcement.zone)


def hour_text(event: Event, at: str) -> str:
    """The hour alone: "14 h", "14:00"; "" for what is no time."""
    local = _local(event, at)
    return dates.hour_text(local.hour * 60 + local.minute, display_names.reader_language()) if local else ""


def short_time(event: Event, at: str) -> str:
    """Today the hour alone, else with its day: "4 juillet, 14 h"; "" for what is no time."""
    local, today = _local(event, at), timezone.now().astimezone(event_zone(event)).date()
    if local is None or local.date() == today:
        return hour_text(event, at)
    return f"{_day(local.date(), year=local.year != today.year)}, {hour_text(event, at)}"


def dated_time(event: Event, at: str) -> str:
    """The hour with its day of the week: "samedi 4 juillet, 14 h"; "" for what is no time."""
    local = _local(event, at)
    if local is None:
        return ""
    language = display_names.reader_language()
    weekday = dates.weekday_name(local.weekday(), language)
    return f"{weekday} {_day(local.date(), year=False)}, {hour_text(event, at)}"


def full_time(event: Event, at: str) -> str:
    """All of it: "samedi 4 juillet 2026 à 14 h, heure de Paris"; "" for what is no time."""
    found = parse_time(at)
    return (
        dates.date_text_with_zone(found, str(event_zone(event)), display_names.reader_language(), begins=True)
        if found
        else ""
    )


def event_days_text(event: Event) -> str:
    """From the first day of the event to its last."""
    return days_text(*event_days(event).values())


def days_text(first: date | None, last: date | None) -> str:
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
    found = parse_time(at)
    return found.astimezone(event_zone(event)) if found else None


def _day(day: date, *, year: bool = True) -> str:
    told = day.isoformat() if year else day.isoformat()[-5:]
    return dates.day_text(told, display_names.reader_language())
