"""Dates and hours in forms: typed and shown in the zone of the place, kept in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.tournament.round_timing import parse_time
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines.zone_names import zone_text

from .desk_texts import event_zone


def date_from_field(event: Event, typed: str) -> str:
    """A time as acts keep it, from what a field gives; nothing stays nothing.

    Raises ActRefused (`act_bad_time`).
    """
    if not typed.strip():
        return ""
    try:
        found = datetime.fromisoformat(typed.strip()[:40])
    except ValueError:
        raise ActRefused("act_bad_time", time=typed[:40]) from None
    local = found if found.tzinfo else found.replace(tzinfo=event_zone(event))
    if not 1950 < local.year < 2200:
        raise ActRefused("act_bad_time", time=typed[:40])
    return local.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def date_for_field(event: Event, at: str) -> str:
    """A kept time as a field shows it."""
    found = parse_time(at)
    return found.astimezone(event_zone(event)).strftime("%Y-%m-%dT%H:%M") if found else ""


def zone_name(event: Event) -> str:
    """What people call the zone of the place."""
    return zone_text(str(event_zone(event)), display_names.reader_language())
