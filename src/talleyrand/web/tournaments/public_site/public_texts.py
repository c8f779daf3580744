"""Words of the public pages: people, powers, boards, hours, and why something is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from talleyrand.tournament.model import Event, RoundState
from talleyrand.web.tournaments import event_times, tournament_names


class LocalTime(NamedTuple):
    """A moment for readers and for machines."""

    words: str
    iso: str


alphabetical, names_by_number, refusal_text = (
    tournament_names.alphabetical,
    tournament_names.names_by_number,
    tournament_names.refusal_text,
)
power_name, power_colour, province_name = (
    tournament_names.power_name,
    tournament_names.power_colour,
    tournament_names.province_name,
)
variant_name = tournament_names.variant_name
hour_text, in_reader_language = event_times.hour_text, tournament_names.in_reader_language


def round_state_name(code: RoundState) -> str:
    """Where a round is; a draft is nobody's business yet."""
    told: Mapping[RoundState, str] = {
        RoundState.PLANNED: _("upcoming"),
        RoundState.OPEN: _("check-in open"),
        RoundState.DRAFT: _("boards are being drawn"),
        RoundState.PLAYING: _("in progress"),
        RoundState.CLOSED: _("over"),
    }
    return told[code]


def local_time(event: Event, at: str) -> LocalTime | None:
    """A time of the event at its place: "samedi 4 juillet 2026 à 14 h, heure de Paris"."""
    told = event_times.full_time(event, at)
    return LocalTime(told, at) if told else None


def place_text(number: int) -> str:
    """A place of the ranking: "1re place", "2nd place"."""
    if number == 1:
        return _("1st place")
    return {2: _("2nd place"), 3: _("3rd place")}.get(number, _("%(place)dth place") % {"place": number})
