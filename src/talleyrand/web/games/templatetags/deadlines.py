"""Dates of a game in templates: `{% load deadlines %}`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games.deadlines import Rhythm, views
from talleyrand.web.games.deadlines.sentence import sentence
from talleyrand.web.games.deadlines.shown import shown
from talleyrand.web.games.deadlines.words import remaining
from talleyrand.web.games.deadlines.zones import said_zone
from talleyrand.web.games.models import Game

register = template.Library()


@register.simple_tag(takes_context=True)
def deadline(context: dict[str, Any], game: Game, moment: datetime | None = None) -> SafeString | str:
    """`{% deadline game %}`: when its open phase is due (or another moment of it), in the reader’s zone, and
    in the game’s where that differs; nothing where there is no date.
    """
    moment = moment or game.due
    if moment is None:
        return ""
    user = getattr(context.get("request"), "user", None)
    zone = Rhythm.read(game.terms.rhythm).zone
    told = shown(moment, zone, user.zone if isinstance(user, Person) else zone, wording.language())
    time = format_html('<time datetime="{}">{}</time>', told.iso, told.words)
    if not told.elsewhere:
        return time
    return format_html('{} <span class="elsewhere">({})</span>', time, told.elsewhere)


@register.simple_tag
def time_left(game: Game) -> str:
    """`{% time_left game %}`: "encore 3 jours et 4 h"."""
    return remaining(game.due - timezone.now(), wording.language()) if game.due else ""


@register.simple_tag
def rhythm_sentence(game: Game) -> str:
    """`{% rhythm_sentence game %}`: the rule of its dates, read out."""
    return sentence(Rhythm.read(game.terms.rhythm), wording.language())


@register.simple_tag(takes_context=True)
def calendar_address(context: dict[str, Any], game: Game | None = None) -> str:
    """`{% calendar_address as calendar %}`, then include `games/deadlines/calendar.html`; all or one."""
    request = context.get("request")
    return views.address(request, game) if request is not None else ""


@register.simple_tag
def clock() -> str:
    """`{% clock %}`: whose clock the times of a page are told by: "Heure de Paris", "Paris time"."""
    return capfirst(said_zone(timezone.get_current_timezone_name(), wording.language()))
