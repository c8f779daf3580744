"""The phase at the desk: what it would come to, judging it now, trying again, taking it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import display_names, phase_maps, result_rows
from talleyrand.web.boards.adjudicator import Answer, QuestionRefusal
from talleyrand.web.games import order_submission, page_context, phase_adjudication
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game
from talleyrand.web.games.phase_adjudication import PhaseSnapshot
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, deadline_actions, desk_context, game_master_texts, phase_corrections
from .action_base import ExpectedRevision, GameMasterRefusal, last_published_revision
from .game_master_access import (
    action_refusal_text,
    actor_of,
    for_game_master,
    for_game_master_or_assistant,
    form_number,
    run_action,
)


@require_safe
@for_game_master
def preview_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """What the open phase would come to now, as the players would read it."""
    try:
        with deadline_actions.adjudication_errors_as_refusals(sight.game):
            taken, answer = phase_adjudication.preview_phase(
                sight.game, sight.game.phase_number, timezone.now()
            )
    except (GameMasterRefusal, QuestionRefusal) as refused:
        messages.warning(request, action_refusal_text(refused))
        return redirect("games:desk", sight.game.key)
    context = {**page_context.game_page_context(sight, "desk"), **_previewed(request, sight, taken, answer)}
    return render(request, "games/game_master/preview.html", context)


def _previewed(
    request: HttpRequest, sight: GameViewer, taken: PhaseSnapshot, answer: Answer
) -> dict[str, Any]:
    game = sight.game
    variant = variants.load(game.variant)
    question = {**taken.question, "absent": taken.powers_without_orders}
    sketch = phase_maps.results_map(question, answer)
    return {
        "drawing": sketch.in_readers_shape().inline_svg(getattr(request, "style_nonce", "")),
        "results": result_rows.results_by_power(variant, answer),
        "notes": result_rows.adjudicator_notes(answer),
        "chance": answer.get("chance") or [],
        "eliminated": result_rows.newly_eliminated(variant, taken.question, answer),
        "absent": [display_names.power_name(variant, power) for power in taken.powers_without_orders],
        "missing": desk_context.power_names(game, deadline_actions.powers_missing_orders(game)),
        "drafts": desk_context.power_names(
            game, [power for power in _drafts(game) if power not in taken.powers_with_draft_only]
        ),
        "next_title": display_names.phase_name(variant, answer["next"]) if answer.get("next") else "",
    }


# judging now


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def adjudicate_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Asks whether to judge now, with the names of those who are missing; then judges."""
    game = sight.game
    if request.method == "POST":
        sent = form_number(request.POST.get("number", ""))
        return run_action(
            request,
            sight,
            lambda: deadline_actions.gm_adjudicate_phase(
                game, sent, hand=actor_of(sight), now=timezone.now()
            ),
            _("Phase resolved; everyone has been notified."),
        )
    if game.state not in RUNNING_STATES:
        messages.warning(request, game_master_texts.game_master_refusal_text("not_playing"))
        return redirect("games:desk", game.key)
    drafts = _drafts(game)
    counting = order_submission.counting_drafts(game, game.phase_number, (), timezone.now())
    context = {
        **page_context.game_page_context(sight, "desk"),
        "missing": desk_context.power_names(game, deadline_actions.powers_missing_orders(game)),
        "counting": desk_context.power_names(game, [power for power in drafts if power in counting]),
        "early": desk_context.power_names(game, [power for power in drafts if power not in counting]),
        "optional": GameHistory(game).is_optional(game.phase),
        "promised": desk_context.reader_time(game.deadline),
    }
    return render(request, "games/game_master/adjudicate.html", context)


def _drafts(game: Game) -> list[str]:
    """Who is missing and has a draft that may count in the end; nobody here reads what it says."""
    if not game.settings.drafts_count:
        return []
    seats = game.seats.filter(power__in=deadline_actions.powers_missing_orders(game))
    return [seat.power for seat in seats if order_submission.draft_lines(seat, game.phase_number)]


@require_POST
@for_game_master_or_assistant
def retry_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    return run_action(
        request,
        sight,
        lambda: deadline_actions.gm_retry_adjudication(sight.game, hand=actor_of(sight), now=timezone.now()),
        _("Resolution is being retried."),
    )


# taking back


def expected_revision(request: HttpRequest) -> ExpectedRevision:
    """The revision that a form was made on."""
    return ExpectedRevision(
        form_number(request.POST.get("on", "")), form_number(request.POST.get("revision", ""))
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def roll_back_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Asks whether to open the last phase again, with what that undoes; then does it."""
    game = sight.game
    if request.method == "POST":
        return run_action(
            request,
            sight,
            lambda: phase_corrections.roll_back_phase(
                game, expected_revision(request), hand=actor_of(sight), now=timezone.now()
            ),
            _("Rolled back: the phase is in progress again, with its orders. Everyone has been notified."),
        )
    last = last_published_revision(game)
    if last is None or not last.phase_number:
        messages.warning(request, game_master_texts.game_master_refusal_text("first"))
        return redirect("games:desk", game.key)
    context = {
        **page_context.game_page_context(sight, "desk"),
        "last": last,
        "last_title": display_names.phase_name(variants.load(game.variant), last.phase),
        "effects": list(action_effects.roll_back_effects(game)),
        "losses": list(action_effects.orders_lost_by_rolling_back(game, last)),
    }
    return render(request, "games/game_master/back.html", context)


@require_POST
@for_game_master
def restore_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    return run_action(
        request,
        sight,
        lambda: phase_corrections.restore_adjudication(
            sight.game, expected_revision(request), hand=actor_of(sight), now=timezone.now()
        ),
        _("Correction undone; everyone has been notified."),
    )
