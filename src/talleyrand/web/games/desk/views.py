"""The desk, and what a game master and his assistants do there: dates, reminders, words to all."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.games import dating, frame
from talleyrand.web.games.deadlines.form import RhythmForm
from talleyrand.web.games.models import RUNNING
from talleyrand.web.games.sight import Sight

from . import directing, page, ruling, timing
from .acts import NotDone
from .doors import at_desk, done, for_master, hand, number, sentence


@require_safe
@at_desk
def desk(request: HttpRequest, sight: Sight) -> HttpResponse:
    return _shown(request, sight)


def _shown(request: HttpRequest, sight: Sight, status: int = 200, **more: object) -> HttpResponse:
    context = {**frame.page(sight, "desk"), **page.page(sight), **more}
    return render(request, "games/desk/desk.html", context, status=status)


@require_POST
@at_desk
def extend(request: HttpRequest, sight: Sight) -> HttpResponse:
    """To the next date of the rule, by so many hours, or until a moment; from the deadline that was shown."""
    now = timezone.now()

    def act() -> None:
        until = _until(request, sight, now)
        if until is None:
            raise NotDone("undated")
        shown = moment(request.POST.get("due", ""))
        timing.extend(sight.game, until, shown, hand=hand(sight), now=now)

    return done(request, sight, act, _("The deadline has been moved; everybody has been told."))


def _until(request: HttpRequest, sight: Sight, now: datetime) -> datetime | None:
    how, game = request.POST.get("how"), sight.game
    if how == "next":
        return timing.next_date(game, now)
    if how == "hours":
        hours = number(request.POST.get("hours", ""), timing.MOST_HOURS)
        return max(game.due or now, now) + timedelta(hours=hours) if hours > 0 else None
    return moment(request.POST.get("until", ""))


def moment(text: str) -> datetime | None:
    """A date and an hour of a form, in the reader’s zone; None for what is none."""
    try:
        found = parse_datetime(text[:40])
    except ValueError:
        return None
    if found is None or not 2000 <= found.year <= 3000:
        return None
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(frame.zone()))


@require_POST
@at_desk
def pause(request: HttpRequest, sight: Sight) -> HttpResponse:
    return done(
        request,
        sight,
        lambda: timing.pause(sight.game, hand=hand(sight), now=timezone.now()),
        _("The game is paused: the clock stands still, orders may still be given."),
    )


@require_POST
@at_desk
def resume(request: HttpRequest, sight: Sight) -> HttpResponse:
    """With the time that was left, or until a moment."""
    typed = request.POST.get("until", "")
    until = moment(typed)

    def act() -> None:
        if typed and until is None:
            raise NotDone("undated")
        timing.resume(sight.game, until, hand=hand(sight), now=timezone.now())

    return done(request, sight, act, _("The game goes on."))


@require_POST
@at_desk
def remind(request: HttpRequest, sight: Sight) -> HttpResponse:
    sent = number(request.POST.get("number", ""))
    return done(
        request,
        sight,
        lambda: timing.remind(sight.game, sent, hand=hand(sight), now=timezone.now()),
        _("Whoever is missing has been reminded."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def rule(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Another rule for the dates; the open phase keeps its date unless it is asked to follow."""
    game = sight.game
    rhythm = dating.rhythm(game)
    form = RhythmForm(request.POST if request.method == "POST" else None, rhythm=rhythm)
    if request.method == "POST" and form.is_valid():
        follow = request.POST.get("follow") == "1"
        act = ruling.Ruling(form.rhythm(), follow)
        return done(
            request,
            sight,
            lambda: act.kept(game, hand=hand(sight), now=timezone.now()),
            _("The rule has been changed; the log says so."),
        )
    context = {**frame.page(sight, "desk"), "rhythm": form, "open_now": game.state in RUNNING}
    return render(request, "games/desk/rule.html", context, status=400 if form.errors else 200)


@require_POST
@at_desk
def gazette(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Words on a phase, for everybody; refused ones come back."""
    text = request.POST.get("text", "")
    phase = number(request.POST.get("phase", ""))
    try:
        directing.publish(sight.game, phase, text, hand=hand(sight))
    except NotDone as refused:
        messages.warning(request, sentence(refused))
        return _shown(request, sight, 400, gazette_text=text[: 2 * directing.LONGEST], gazette_phase=phase)
    messages.success(request, _("The gazette has been published; everybody has been told."))
    return redirect("games:desk", sight.game.key)


@require_POST
@at_desk
def remove_gazette(request: HttpRequest, sight: Sight, pk: int) -> HttpResponse:
    return done(
        request,
        sight,
        lambda: directing.remove(sight.game, pk, hand=hand(sight)),
        _("The gazette has been removed."),
    )
