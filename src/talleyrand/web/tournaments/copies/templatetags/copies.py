"""What pages say of copies: `{% load copies %}`."""

from __future__ import annotations

from django import template

from talleyrand.tournament.model import Event
from talleyrand.web.tournaments.copies import linking, words
from talleyrand.web.tournaments.models import Tournament

register = template.Library()


@register.simple_tag
def copy_standing(tournament: Tournament, event: Event) -> str:
    """How it stands with the copy of a tournament; "" where it has none."""
    link = linking.of(tournament)
    return words.standing(tournament, event, link) if link else ""


@register.simple_tag
def copy_as_of(tournament: Tournament, event: Event) -> str:
    """When a copy was as its event; "" where this is none."""
    return words.as_of(event, tournament.copied) if tournament.copied else ""
