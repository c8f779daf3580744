"""When a tournament is, in templates: `{% load tournament_tags %}`."""

from __future__ import annotations

from django import template

from talleyrand.web.tournaments import event_times
from talleyrand.web.tournaments.models import Tournament

register = template.Library()


@register.filter
def tournament_days(tournament: Tournament) -> str:
    """`{{ tournament|days }}`: its day, or the first and the last; "" where none is known."""
    return event_times.days_text(tournament.first_day, tournament.last_day)
