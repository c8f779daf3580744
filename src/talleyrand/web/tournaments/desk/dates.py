"""Dates and hours in forms: typed and shown in the zone of the place, kept in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.tournament.timing import moment
from talleyrand.web.boards import wording
from talleyrand.web.games.deadlines.zones import said_zone

from .words import zone


def kept(event: Event, typed: str) -> str:
    """A time as acts keep it, from what a field gives; nothing stays nothing.

    Raises Refused (`act_bad_time`).
    """
    if not typed.strip():
        return ""
    try:
        found = datetime.fromisoformat(typed.strip()[:40])
    except ValueError:
        raise Refused("act_bad_time", time=typed[:40]) from None
    local = found if found.tzinfo else found.replace(tzinfo=zone(event))
    if not 1950 < local.year < 2200:
        raise Refused("act_bad_time", time=typed[:40])
    return local.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def shown(event: Event, at: str) -> str:
    """A kept time as a field shows it."""
    found = moment(at)
    return found.astimezone(zone(event)).strftime("%Y-%m-%dT%H:%M") if found else ""


def zone_name(event: Event) -> str:
    """What people call the zone of the place."""
    return said_zone(str(zone(event)), wording.language())
