"""The dates of a rule before it is kept, and the calendar of one’s games."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts.models import Person
from talleyrand.web.addresses import absolute
from talleyrand.web.boards import wording
from talleyrand.web.games.models import Game

from . import feed
from .form import RhythmForm
from .rhythm import Planned, Rhythm
from .sentence import sentence
from .words import dated


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def dates(request: HttpRequest) -> HttpResponse:
    """The sentence of a rule and its next dates: a whole page, or the part that a script asks for."""
    form = RhythmForm(request.POST if request.method == "POST" else request.GET)
    part = request.headers.get("X-Talleyrand-Part") == "dates"
    template = "games/deadlines/dates.html" if part else "games/deadlines/dates_page.html"
    return render(request, template, {"form": form, "plan": plan(form) if form.is_valid() else None})


def plan(form: RhythmForm) -> dict[str, Any]:
    """What a valid form’s rule comes to, in words."""
    rhythm, language = form.rhythm(), wording.language()
    rows = [_row(one, rhythm, language) for one in rhythm.next_dates(form.now)]
    return {"sentence": sentence(rhythm, language), "rows": rows}


def _row(one: Planned, rhythm: Rhythm, language: str) -> dict[str, str]:
    between = dated(one.between, rhythm.zone, language) if one.between else ""
    return {"movement": dated(one.movement, rhythm.zone, language), "between": between}


@never_cache
@login_required
@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Where one finds the address of one’s calendar."""
    return render(request, "games/deadlines/calendar_page.html", {"calendar": address(request)})


@login_required
@require_POST
def renew(request: HttpRequest) -> HttpResponse:
    """Another address for one’s calendar."""
    assert isinstance(request.user, Person)
    feed.renew(request.user)
    messages.success(request, _("This is your new address; the one before no longer works."))
    return redirect("games:calendar")


def address(request: HttpRequest, game: Game | None = None) -> str:
    """The whole address of the calendar of whoever asks, of all games or of one; "" for a stranger."""
    if not isinstance(request.user, Person):
        return ""
    told = [feed.token(request.user)]
    path = reverse("games:feed_of_game", args=[*told, game.key]) if game else reverse("games:feed", args=told)
    return absolute(request, path)


@require_safe
def read(request: HttpRequest, token: str, key: str = "") -> HttpResponse:
    """The calendar, for a program without a session: whoever has the address may read it."""
    person = feed.reader(token)
    if person is None:
        raise Http404
    found = feed.games(person)
    game = None
    if key:
        game = Game.objects.filter(memberships__person=person, memberships__left=None, key=key).first()
        if game is None:
            raise Http404
        found = found.filter(pk=game.pk)
    with translation.override(person.language):
        name = game.name if game else _("Talleyrand: deadlines")
        told = [(one, absolute(request, reverse("games:game", args=[one.key]))) for one in found]
        body = feed.written(told, name, timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="talleyrand.ics"'
    response["Cache-Control"] = "private, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response
