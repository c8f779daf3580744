"""Words of the desk, and those that all pages of a tournament share."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from talleyrand.tournament.model import Event
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.boards import score_texts
from talleyrand.web.tournaments import event_times, tournament_names

names_by_number, points_text, refusal_text = (
    tournament_names.names_by_number,
    score_texts.points_text,
    tournament_names.refusal_text,
)
board_name, round_name, variant_name = (
    tournament_names.board_name,
    tournament_names.round_name,
    tournament_names.variant_name,
)
power_name, province_name, season_names = (
    tournament_names.power_name,
    tournament_names.province_name,
    tournament_names.season_names,
)
moment_title = tournament_names.moment_title
event_zone, short_time, hour_text = event_times.event_zone, event_times.short_time, event_times.hour_text


def person_name(event: Event, number: int | str | None) -> str:
    """Somebody by his name; his number where nobody has it any more."""
    if number is None:
        return _("nobody")
    known = event.people.get(parse_natural(str(number)) or 0)
    return known.name if known else _("number %(number)s") % {"number": number}


def alphabetical(event: Event, people: Iterable[int] | None = None) -> list[int]:
    """People as one alphabetical list has them; everybody where nobody is said."""
    return tournament_names.alphabetical(event, event.people if people is None else people)


def entered_by_name(event: Event, by: str) -> str:
    """Who entered or confirmed something: somebody by his name, or the desk."""
    return person_name(event, by) if by.isdecimal() else _("the desk")
