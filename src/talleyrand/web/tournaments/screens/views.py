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

from talleyrand.web.tournaments import frame
from talleyrand.web.tournaments.sight import Sight

from . import clocks, contents, tours
from .tours import Tour

PART = "screen"  # what a script asks for that has the page already


@never_cache
@require_safe
def index(request: HttpRequest, key: str) -> HttpResponse:
    """Each screen, and a form for several in turn."""
    sight = frame.entered(request, key)
    tour = _tour(request, sight)
    wanted = [one for one in request.GET.getlist("screen") if one in _open(sight)]
    if wanted:
        asked = {**request.GET.dict(), "tour": ",".join(wanted)}
        tour = Tour.of(asked, key, tour.round, at_desk=sight.at_desk)
        return redirect(tour.address(wanted[0]))
    context = {
        **frame.page(sight, "desk" if sight.at_desk else "screens"),
        "event": sight.shown,
        "screens": [(one, titles()[one], tour.address(one)) for one in _open(sight)],
        "rounds": list(sight.shown.rounds),
        "tour": tour,
        "shortest": tours.SHORTEST,
        "longest": tours.LONGEST,
        "usual": ("clock", "standings"),
        "keys": keys(),
    }
    return render(request, "tournaments/screens/index.html", context)


@never_cache
@require_safe
def screen(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """One screen, as a whole page, or the part of it that changes."""
    sight = frame.entered(request, key)
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
def clock_data(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of a round for the script that runs it."""
    sight = frame.entered(request, key)
    return JsonResponse(_clock(sight, _tour(request, sight)))


def _clock(sight: Sight, tour: Tour) -> dict[str, Any]:
    now = timezone.now()
    found = clocks.faces(sight.shown, tour.round, now) if tour.round else []
    told = clocks.told(found, now)
    assert isinstance(told, dict)
    return told


def _tour(request: HttpRequest, sight: Sight) -> Tour:
    number = contents.round_of(sight.shown, request.GET.get("round", ""))
    return Tour.of(request.GET.dict(), sight.tournament.key, number, at_desk=sight.at_desk)


def _open(sight: Sight) -> tuple[str, ...]:
    return tuple(one for one in tours.SCREENS if sight.at_desk or one not in tours.AT_DESK)


def _context(request: HttpRequest, sight: Sight, tour: Tour, name: str) -> dict[str, Any]:
    return {
        "tournament": sight.tournament,
        "event": sight.shown,
        "topics": sight.topics,
        "name": name,
        "title": titles()[name],
        "tour": tour,
        "after": tour.after(name),
        "before": tour.before(name),
        "clock": json.dumps(_clock(sight, tour)),
        "content": f"tournaments/screens/{name}.html",
        "links": [(one, titles()[one], tour.address(one)) for one in _open(sight)],
        "keys": keys(),
        **contents.CONTENTS[name](sight, tour, request),
    }


def titles() -> dict[str, str]:
    """What each screen is called."""
    return {
        "clock": _("Clock"),
        "draw": _("Who plays where"),
        "arrivals": _("Who is still expected"),
        "standings": _("Standings"),
        "rulings": _("Rulings"),
        "door": _("Check in on your phone"),
    }


def keys() -> list[tuple[str, str]]:
    """What the keys of a projected page do."""
    return [
        ("F", _("whole screen")),
        ("+ −", _("larger and smaller letters")),
        ("→ ←", _("next and previous screen")),
        (_("Space"), _("hold the screen still, or go on")),
        ("S", _("sound of the clock")),
    ]
