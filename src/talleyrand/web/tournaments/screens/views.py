"""Pages for the projector of the room: one screen, or several in turn, and the page that sets them up."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.common.language_choice import keeps_language
from talleyrand.web.tournaments import tournament_context
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import projector_clocks, screen_contents, screen_rotation
from .screen_rotation import ScreenRotation

PART = "screen"  # what a script asks for that has the page already


@never_cache
@require_safe
def screens_page(request: HttpRequest, key: str) -> HttpResponse:
    """Each screen, and a form for several in turn."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    tour = _tour(request, sight)
    wanted = [one for one in request.GET.getlist("screen") if one in _open(sight)]
    if wanted:
        asked = {**request.GET.dict(), "tour": ",".join(wanted)}
        tour = ScreenRotation.from_query(asked, key, tour.round, at_desk=sight.is_at_desk)
        return redirect(tour.screen_url(wanted[0]))
    context = {
        **tournament_context.tournament_page_context(sight, "desk" if sight.is_at_desk else "screens"),
        "event": sight.visible_event,
        "screens": [(one, screen_titles()[one], tour.screen_url(one)) for one in _open(sight)],
        "rounds": list(sight.visible_event.rounds),
        "tour": tour,
        "shortest": screen_rotation.SHORTEST,
        "longest": screen_rotation.LONGEST,
        "usual": ("clock", "standings"),
        "keys": key_names(),
    }
    return render(request, "tournaments/screens/index.html", context)


@keeps_language
@never_cache
@require_safe
def screen_page(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """One screen, as a whole page, or the part of it that changes."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    if name not in _open(sight):
        raise Http404
    tour = _tour(request, sight)
    context = _context(request, sight, tour, name)
    part = request.headers.get("X-Talleyrand-Part") == PART
    template = "tournaments/screens/part.html" if part else "tournaments/screens/stage.html"
    response = render(request, template, context)
    response["Vary"] = "X-Talleyrand-Part, Cookie"
    return response


@never_cache
@require_safe
def clock_json(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of a round for the script that runs it."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    return JsonResponse(_clock(sight, _tour(request, sight)))


def _clock(sight: TournamentViewer, tour: ScreenRotation) -> dict[str, Any]:
    now = timezone.now()
    found = projector_clocks.projector_clocks(sight.visible_event, tour.round, now) if tour.round else []
    told = projector_clocks.projector_clocks_json(found, now)
    assert isinstance(told, dict)
    return told


def _tour(request: HttpRequest, sight: TournamentViewer) -> ScreenRotation:
    number = screen_contents.shown_round(sight.visible_event, request.GET.get("round", ""))
    return ScreenRotation.from_query(
        request.GET.dict(), sight.tournament.key, number, at_desk=sight.is_at_desk
    )


def _open(sight: TournamentViewer) -> tuple[str, ...]:
    return tuple(
        one for one in screen_rotation.SCREENS if sight.is_at_desk or one not in screen_rotation.AT_DESK
    )


def _context(
    request: HttpRequest, sight: TournamentViewer, tour: ScreenRotation, name: str
) -> dict[str, Any]:
    return {
        "tournament": sight.tournament,
        "event": sight.visible_event,
        "topics": sight.signed_topics,
        "name": name,
        "title": screen_titles()[name],
        "tour": tour,
        "after": tour.next_url(name),
        "before": tour.previous_url(name),
        "clock": json.dumps(_clock(sight, tour)),
        "content": f"tournaments/screens/{name}.html",
        "links": [(one, screen_titles()[one], tour.screen_url(one)) for one in _open(sight)],
        "keys": key_names(),
        **screen_contents.SCREEN_CONTENTS[name](sight, tour, request),
    }


def screen_titles() -> dict[str, str]:
    """What each screen is called."""
    return {
        "clock": _("Clock"),
        "draw": _("Who plays where"),
        "arrivals": _("Still expected"),
        "standings": _("Standings"),
        "rulings": _("Rulings"),
        "door": _("Check in on your phone"),
    }


def key_names() -> list[tuple[str, str]]:
    """What the keys of a projected page do."""
    return [
        ("F", _("full screen")),
        ("+ −", _("larger or smaller text")),
        ("→ ←", _("next or previous screen")),
        (_("Space"), _("pause the screen, or resume")),
        ("S", _("clock sound")),
    ]
