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

from talleyrand.web.games import page_context, phase_deadlines
from talleyrand.web.games.deadlines.forms import DeadlineForm
from talleyrand.web.games.models import RUNNING_STATES
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, deadline_actions, deadline_settings_change, desk_context, game_actions
from .action_base import GameMasterRefusal
from .game_master_access import (
    Confirmation,
    action_refusal_text,
    actor_of,
    confirmation_page,
    confirmed,
    for_game_master,
    for_game_master_or_assistant,
    form_number,
    run_action,
)


@require_safe
@for_game_master_or_assistant
def desk_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    return _desk_page(request, sight)


def _desk_page(request: HttpRequest, sight: GameViewer, status: int = 200, **more: object) -> HttpResponse:
    context = {**page_context.game_page_context(sight, "desk"), **desk_context.desk_context(sight), **more}
    return render(request, "games/game_master/desk.html", context, status=status)


@require_POST
@for_game_master_or_assistant
def extend_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """To the next date of the rule, by so many hours, or until a moment; from the deadline that was shown."""
    now = timezone.now()
    until = _until(request, sight, now)
    if asked := _asked_if_soon(request, sight, until, now, _("Move the deadline")):
        return asked

    def act() -> None:
        if until is None:
            raise GameMasterRefusal("undated")
        shown = moment_from_form(request.POST.get("due", ""))
        deadline_actions.gm_set_deadline(sight.game, until, shown, hand=actor_of(sight), now=now)

    return run_action(request, sight, act, _("Deadline moved; everyone has been notified."))


def _asked_if_soon(
    request: HttpRequest, sight: GameViewer, until: datetime | None, now: datetime, button: str
) -> HttpResponse | None:
    """The question about a deadline that comes so soon that somebody may not hear of it; None for others."""
    if until is None or confirmed(request) or not action_effects.is_close_deadline(sight, until, now):
        return None
    effects = list(action_effects.deadline_effects(sight.game, until, now))
    return confirmation_page(request, sight, Confirmation(_("A deadline so soon?"), effects, button))


def _until(request: HttpRequest, sight: GameViewer, now: datetime) -> datetime | None:
    how, game = request.POST.get("how"), sight.game
    if how == "next":
        return deadline_actions.next_deadline(game, now)
    if how == "hours":
        hours = form_number(request.POST.get("hours", ""), deadline_actions.MOST_EXTENSION_HOURS)
        return max(game.deadline or now, now) + timedelta(hours=hours) if hours > 0 else None
    return moment_from_form(request.POST.get("until", ""))


def moment_from_form(text: str) -> datetime | None:
    """A date and an hour of a form, in the reader’s zone; None for what is none."""
    try:
        found = parse_datetime(text[:40])
    except ValueError:
        return None
    if found is None or not 2000 <= found.year <= 3000:
        return None
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(page_context.reader_time_zone()))


@require_POST
@for_game_master_or_assistant
def pause_game_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    return run_action(
        request,
        sight,
        lambda: deadline_actions.gm_pause_game(sight.game, hand=actor_of(sight), now=timezone.now()),
        _("Game paused: the clock is stopped; players can still submit orders."),
    )


@require_POST
@for_game_master_or_assistant
def resume_game_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """With the time that was left, or until a moment."""
    typed, now = request.POST.get("until", ""), timezone.now()
    until = moment_from_form(typed)
    if asked := _asked_if_soon(request, sight, until, now, _("Resume the game")):
        return asked

    def act() -> None:
        if typed and until is None:
            raise GameMasterRefusal("undated")
        deadline_actions.gm_resume_game(sight.game, until, hand=actor_of(sight), now=now)

    return run_action(request, sight, act, _("Game resumed."))


@require_POST
@for_game_master_or_assistant
def remind_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    sent = form_number(request.POST.get("number", ""))
    return run_action(
        request,
        sight,
        lambda: deadline_actions.remind_missing_players(
            sight.game, sent, hand=actor_of(sight), now=timezone.now()
        ),
        _("Reminder sent."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def deadline_settings_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Another rule for the dates; the open phase keeps its date unless it is asked to follow."""
    game = sight.game
    rhythm = phase_deadlines.deadline_settings_of(game)
    form = DeadlineForm(request.POST if request.method == "POST" else None, rhythm=rhythm)
    if request.method == "POST" and form.is_valid():
        follow, now = request.POST.get("follow") == "1", timezone.now()
        act = deadline_settings_change.DeadlineSettingsChange(form.deadline_settings(), follow)
        until = act.new_deadline(game, now)
        if asked := _asked_if_soon(request, sight, until, now, _("Change deadline settings")):
            return asked
        return run_action(
            request,
            sight,
            lambda: act.save(game, hand=actor_of(sight), now=now),
            _("Deadline settings changed; it’s in the log."),
        )
    context = {
        **page_context.game_page_context(sight, "desk"),
        "rhythm": form,
        "open_now": game.state in RUNNING_STATES,
    }
    return render(request, "games/game_master/rule.html", context, status=400 if form.errors else 200)


@require_POST
@for_game_master_or_assistant
def publish_gazette_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Words on a phase, for everybody; refused ones come back."""
    text = request.POST.get("text", "")
    phase = form_number(request.POST.get("phase", ""))
    try:
        game_actions.publish_gazette(sight.game, phase, text, hand=actor_of(sight))
    except GameMasterRefusal as refused:
        messages.warning(request, action_refusal_text(refused))
        return _desk_page(
            request, sight, 400, gazette_text=text[: 2 * game_actions.LONGEST_GAZETTE], gazette_phase=phase
        )
    messages.success(request, _("Gazette published; everyone has been notified."))
    return redirect("games:desk", sight.game.key)


@require_POST
@for_game_master_or_assistant
def remove_gazette_view(request: HttpRequest, sight: GameViewer, pk: int) -> HttpResponse:
    return run_action(
        request,
        sight,
        lambda: game_actions.remove_gazette(sight.game, pk, hand=actor_of(sight)),
        _("Gazette removed."),
    )
