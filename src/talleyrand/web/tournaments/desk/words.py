"""Words of the desk, and those that all pages of a tournament share."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from talleyrand.tournament.model import Event
from talleyrand.tournament.numbers import natural
from talleyrand.web.tournaments import hours, naming

names, points, refusal = naming.names, naming.points, naming.refusal
board_name, round_name, variant_name = naming.board_name, naming.round_name, naming.variant_name
power, province, seasons = naming.power, naming.province, naming.seasons
moment_title = naming.moment_title
zone, hour, short_hour = hours.zone, hours.lately, hours.hour


def name_of(event: Event, number: int | str | None) -> str:
    """Somebody by his name; his number where nobody has it any more."""
    if number is None:
        return _("nobody")
    known = event.people.get(natural(str(number)) or 0)
    return known.name if known else _("number %(number)s") % {"number": number}


def in_order(event: Event, people: Iterable[int] | None = None) -> list[int]:
    """People as one alphabetical list has them; everybody where nobody is said."""
    return naming.in_order(event, event.people if people is None else people)


def by_name(event: Event, by: str) -> str:
    """Who entered or confirmed something: somebody by his name, or the desk."""
    return name_of(event, by) if by.isdecimal() else _("the desk")
