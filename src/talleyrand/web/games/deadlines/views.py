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
from talleyrand.web.boards import display_names
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games.models import Game

from . import calendar_feed
from .date_texts import date_text
from .deadline_sentence import deadline_sentence
from .deadline_settings import DeadlineSettings, PlannedDeadlines
from .forms import DeadlineForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deadline_preview(request: HttpRequest) -> HttpResponse:
    """The sentence of a rule and its next dates: a whole page, or the part that a script asks for."""
    form = DeadlineForm(request.POST if request.method == "POST" else request.GET)
    part = request.headers.get("X-Talleyrand-Part") == "dates"
    template = "games/deadlines/dates.html" if part else "games/deadlines/dates_page.html"
    return render(request, template, {"form": form, "plan": deadline_plan(form) if form.is_valid() else None})


def deadline_plan(form: DeadlineForm) -> dict[str, Any]:
    """What a valid form’s rule comes to, in words."""
    rhythm, language = form.deadline_settings(), display_names.reader_language()
    rows = [_row(one, rhythm, language) for one in rhythm.planned_deadlines(form.now)]
    return {"sentence": deadline_sentence(rhythm, language), "rows": rows}


def _row(one: PlannedDeadlines, rhythm: DeadlineSettings, language: str) -> dict[str, str]:
    between = date_text(one.between, rhythm.time_zone, language) if one.between else ""
    return {"movement": date_text(one.movement, rhythm.time_zone, language), "between": between}


@never_cache
@login_required
@require_safe
def calendar_page(request: HttpRequest) -> HttpResponse:
    """Where one finds the address of one’s calendar."""
    return render(request, "games/deadlines/calendar_page.html", {"calendar": calendar_url(request)})


@login_required
@require_POST
def renew_calendar(request: HttpRequest) -> HttpResponse:
    """Another address for one’s calendar."""
    assert isinstance(request.user, Person)
    calendar_feed.renew_token(request.user)
    messages.success(request, _("This is your new address; the old one no longer works."))
    return redirect("games:calendar")


def calendar_url(request: HttpRequest, game: Game | None = None) -> str:
    """The whole address of the calendar of whoever asks, of all games or of one; "" for a stranger."""
    if not isinstance(request.user, Person):
        return ""
    told = [calendar_feed.feed_token(request.user)]
    path = reverse("games:feed_of_game", args=[*told, game.key]) if game else reverse("games:feed", args=told)
    return absolute_url(request, path)


@require_safe
def serve_calendar(request: HttpRequest, token: str, key: str = "") -> HttpResponse:
    """The calendar, for a program without a session: whoever has the address may read it."""
    person = calendar_feed.person_of_feed_token(token)
    if person is None:
        raise Http404
    found = calendar_feed.games_with_deadline(person)
    game = None
    if key:
        game = Game.objects.filter(memberships__person=person, memberships__left_at=None, key=key).first()
        if game is None:
            raise Http404
        found = [one for one in found if one.pk == game.pk]
    with translation.override(person.language):
        name = game.name if game else _("Talleyrand: deadlines")
        told = [(one, absolute_url(request, reverse("games:game", args=[one.key]))) for one in found]
        body = calendar_feed.calendar_file(told, name, timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="talleyrand.ics"'
    response["Cache-Control"] = "private, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response
