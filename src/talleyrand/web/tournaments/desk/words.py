"""Words of the desk: names, places, hours, and why something is refused."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.tournament.model import Event
from talleyrand.tournament.timing import moment
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import naming

names, points, refusal = naming.names, naming.points, naming.refusal
variant_name, zone = naming.variant_name, naming.zone


def name_of(event: Event, number: int | str | None) -> str:
    """Somebody by his name; his number where nobody has it any more."""
    if number is None:
        return _("nobody")
    known = event.people.get(int(number)) if str(number).isdecimal() else None
    return known.name if known else _("number %(number)s") % {"number": number}


def in_order(event: Event, people: Iterable[int] | None = None) -> list[int]:
    """People as one alphabetical list has them; everybody where nobody is said."""
    return naming.in_order(event, event.people if people is None else people)


def power(code: str) -> str:
    """A power by its name."""
    return wording.power(variants.load("classic"), code) if code else ""


def board_name(number: int) -> str:
    """A board by its number."""
    return _("Board %(number)s") % {"number": number}


def hour(event: Event, at: str) -> str:
    """A time of the event as its place reads it: "19 h 42", with the day where it is another."""
    found = moment(at)
    if found is None:
        return ""
    local = found.astimezone(zone(event))
    day = local.date() == datetime.now(zone(event)).date()
    return date_format(local, "TIME_FORMAT" if day else "SHORT_DATETIME_FORMAT")


def by_name(event: Event, by: str) -> str:
    """Who entered or confirmed something: somebody by his name, or the desk."""
    return name_of(event, by) if by.isdecimal() else _("the desk")


def season(text: str) -> str:
    """ "Spring 1904"."""
    return wording.season(variants.load("classic"), f"{text}M")
