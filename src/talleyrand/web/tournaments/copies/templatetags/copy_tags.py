"""What pages say of copies: `{% load copy_tags %}`."""

from __future__ import annotations

from django import template

from talleyrand.tournament.model import Event
from talleyrand.web.tournaments.copies import copy_links, copy_texts
from talleyrand.web.tournaments.models import Tournament

register = template.Library()


@register.simple_tag
def copy_status(tournament: Tournament, event: Event) -> str:
    """How it stands with the copy of a tournament; "" where it has none."""
    link = copy_links.copy_link_of(tournament)
    return copy_texts.copy_status_text(tournament, event, link) if link else ""


@register.simple_tag
def copy_as_of(tournament: Tournament, event: Event) -> str:
    """When a copy was as its event; "" where this is none."""
    return copy_texts.copy_as_of_text(event, tournament.copied_at) if tournament.copied_at else ""
