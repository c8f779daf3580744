"""Dates of a game in templates: `{% load deadline_tags %}`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines import DeadlineSettings, views
from talleyrand.web.games.deadlines.date_texts import time_left_text
from talleyrand.web.games.deadlines.deadline_sentence import deadline_sentence
from talleyrand.web.games.deadlines.reader_dates import date_for_reader
from talleyrand.web.games.deadlines.zone_names import zone_text
from talleyrand.web.games.models import Game

register = template.Library()


@register.simple_tag(takes_context=True)
def deadline(context: dict[str, Any], game: Game, moment: datetime | None = None) -> SafeString | str:
    """`{% deadline game %}`: when its open phase is due (or another moment of it), in the reader’s zone, and
    in the game’s where that differs; nothing where there is no date.
    """
    moment = moment or game.deadline
    if moment is None:
        return ""
    user = getattr(context.get("request"), "user", None)
    zone = DeadlineSettings.from_json(game.settings.rhythm).time_zone
    told = date_for_reader(
        moment, zone, user.time_zone if isinstance(user, Person) else zone, display_names.reader_language()
    )
    time = format_html('<time datetime="{}">{}</time>', told.iso, told.text)
    if not told.game_zone_text:
        return time
    return format_html('{} <span class="elsewhere">({})</span>', time, told.game_zone_text)


@register.simple_tag
def time_left(game: Game) -> str:
    """`{% time_left game %}`: "encore 3 jours et 4 h"."""
    return (
        time_left_text(game.deadline - timezone.now(), display_names.reader_language())
        if game.deadline
        else ""
    )


@register.simple_tag
def deadline_settings_sentence(game: Game) -> str:
    """`{% deadline_settings_sentence game %}`: the rule of its dates, read out."""
    return deadline_sentence(
        DeadlineSettings.from_json(game.settings.rhythm), display_names.reader_language()
    )


@register.simple_tag(takes_context=True)
def calendar_url(context: dict[str, Any], game: Game | None = None) -> str:
    """`{% calendar_address as calendar %}`, then include `games/deadlines/calendar.html`; all or one."""
    request = context.get("request")
    return views.calendar_url(request, game) if request is not None else ""


@register.simple_tag
def page_time_zone() -> str:
    """`{% clock %}`: whose clock the times of a page are told by: "Heure de Paris", "Paris time"."""
    return capfirst(zone_text(timezone.get_current_timezone_name(), display_names.reader_language()))
