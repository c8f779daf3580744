"""The page that makes a game."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import incoming
from talleyrand.web.games.deadlines.form import RhythmForm, usual
from talleyrand.web.games.deadlines.rhythm import Rhythm
from talleyrand.web.games.models import secret

from . import layout, making
from .form import GameForm
from .presets import presets

LONGEST_NAME = 200  # what is shown again of a name that is too long


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A game by its name alone, or with any other answers; `fill` only changes what the page proposes."""
    person = request.user
    assert isinstance(person, Person)
    if request.method != "POST" or request.POST.get("fill"):
        return _page(request, *_fresh(request, person), _submission(request))
    form = GameForm(request.POST.dict(), request.FILES, zone=person.zone)
    dates = _dates(request, person)
    if not all([form.is_valid(), dates is None or dates.is_valid()]):
        begun = usual(person.zone)
        shown = dates or RhythmForm(rhythm=begun)
        return _page(request, form, shown, begun, _submission(request), status=400)
    if making.too_many(person):
        messages.error(request, _("You gather players for too many games: begin or abandon one first."))
        return redirect("games:all")
    rhythm = dates.rhythm() if dates else usual(person.zone)
    game = making.create(form.plan(rhythm.kept()), person, incoming.submission(request))
    messages.success(request, _("The game is there. Now invite the players."))
    return redirect("games:table", game.key)


def _dates(request: HttpRequest, person: Person) -> RhythmForm | None:
    """The rule for dates as it was sent; None where the page was sent without one."""
    sent = any(name.startswith("dates-") for name in request.POST)
    return RhythmForm(request.POST, zone=person.zone) if sent else None


def _fresh(request: HttpRequest, person: Person) -> tuple[GameForm, RhythmForm, Rhythm]:
    """The page as it is proposed, the name already typed on it."""
    chosen = presets().get(request.POST.get("fill", ""))
    begun = chosen.rhythm(person.zone) if chosen else usual(person.zone)
    typed = {"name": request.POST.get("name", "")[:LONGEST_NAME]}
    answers = {**(chosen.answers if chosen else {}), **typed}
    return GameForm(zone=person.zone, begun=answers), RhythmForm(rhythm=begun), begun


def _submission(request: HttpRequest) -> str:
    return incoming.submission(request) or secret()


def _page(
    request: HttpRequest,
    form: GameForm,
    dates: RhythmForm,
    begun: Rhythm,
    submission: str,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "name": form["name"].value() or "",
        "name_errors": form["name"].errors,
        "part": layout.part(form),
        "groups": layout.groups(form, dates, begun),
        "rhythm": dates,
        "presets": presets().items(),
        "filled": request.POST.get("fill", ""),
        "submission": submission,
        "faulty": status != 200,
    }
    return render(request, "games/table/new.html", context, status=status)
