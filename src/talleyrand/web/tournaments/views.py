"""The list of tournaments, and a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament import regulations
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.web.accounts.models import Person, signed_in_person
from talleyrand.web.boards import display_names
from talleyrand.web.games.lobby.lobby_refusals import lobby_refusal_texts

from . import tournament_creation, tournament_lists
from .models import random_token

MOST_LISTED = 100


@never_cache
@require_safe
def tournament_list_page(request: HttpRequest) -> HttpResponse:
    """Those to come, those that were, and one's own."""
    today = timezone.localdate()
    account = request.user if isinstance(request.user, Person) else None
    context = {
        "coming": tournament_lists.coming_tournaments(today)[:MOST_LISTED],
        "past": tournament_lists.past_tournaments(today)[:MOST_LISTED],
        "mine": tournament_lists.tournaments_of(account) if account else [],
    }
    return render(request, "tournaments/all.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament_page(request: HttpRequest) -> HttpResponse:
    """Name it and choose its regulations; everything else is set at its desk."""
    if not signed_in_person(request).may_make_games:
        messages.error(request, lobby_refusal_texts()["makers"])
        return redirect("tournaments:all")
    if request.method != "POST":
        return _form_page(request, {"submission": random_token()})
    name, preset = one_line_name(request.POST.get("name", "")), request.POST.get("regulations", "")
    if not name or len(name) > LONGEST_NAME:
        return _form_page(
            request, request.POST.dict(), _("Give the tournament a name of at most 120 characters.")
        )
    try:
        event = tournament_creation.event_from_preset(name, preset)
    except InvalidEvent:
        return _form_page(request, request.POST.dict(), _("Choose the regulations."))
    assert isinstance(request.user, Person)
    event = replace(event, announcement=replace(event.announcement, zone=request.user.time_zone))
    made = tournament_creation.create_tournament(
        event, request.user, submission=request.POST.get("submission", "")[:64]
    )
    return redirect("tournaments:desk", made.key)


def _form_page(request: HttpRequest, typed: dict[str, Any], refusal: str = "") -> HttpResponse:
    language = display_names.reader_language()
    presets = [(name, regulations.read_regulations(name)) for name in regulations.preset_names()]
    context = {
        "typed": typed,
        "refusal": refusal,
        "presets": [
            (name, one.title.get(language, name), one.source.get(language, "")) for name, one in presets
        ],
    }
    return render(request, "tournaments/new.html", context, status=409 if refusal else 200)
