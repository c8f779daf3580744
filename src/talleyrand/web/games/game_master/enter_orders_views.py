"""Orders entered for somebody by the game master's hand, typed or by menus."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.web.boards import display_names, order_drafts, order_requests, phase_maps
from talleyrand.web.boards.adjudicator import Question, QuestionRefusal
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import order_submission, page_context
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, GameSeat, random_token
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, deadline_actions, desk_context, game_master_texts
from .action_base import GameMasterRefusal
from .game_master_access import Confirmation, confirmation_page, confirmed, for_game_master, form_number

PROBLEMS = (GameMasterRefusal, OrdersRefusal, DraftRefusal, QuestionRefusal, order_requests.RequestRefusal)
EnterOrdersProblem = (
    GameMasterRefusal | OrdersRefusal | DraftRefusal | QuestionRefusal | order_requests.RequestRefusal
)


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def enter_orders_page(request: HttpRequest, sight: GameViewer, power: str) -> HttpResponse:
    """The orders of one power for the open phase, as the game master enters them."""
    if not GameSeat.objects.filter(game=sight.game, power=power).exists():
        raise Http404
    question = GameHistory(sight.game).question(sight.game.phase_number)
    if question is None or sight.game.state not in RUNNING_STATES:
        messages.warning(request, game_master_texts.game_master_refusal_text("not_playing"))
        return redirect("games:desk", sight.game.key)
    if power not in deadline_actions.powers_with_orders_to_give(sight.game):
        messages.warning(request, game_master_texts.entered_orders_refusal_text("idle"))
        return redirect("games:desk", sight.game.key)
    if request.method != "POST":
        return _form_page(request, sight, power, question)
    try:
        return _submit(request, sight, power, question)
    except PROBLEMS as problem:
        typed = request.POST.get("sheet", "")[: order_drafts.LARGEST_ORDER_TEXT]
        status = 409 if isinstance(problem, (GameMasterRefusal, OrdersRefusal)) else 400
        return _form_page(request, sight, power, question, status, refused=_why(problem), typed=typed)


def _why(problem: EnterOrdersProblem) -> str:
    if isinstance(problem, (GameMasterRefusal, OrdersRefusal)):
        return game_master_texts.entered_orders_refusal_text(problem.code)
    return (
        order_requests.draft_refusal_text(problem) if isinstance(problem, DraftRefusal) else problem.sentence
    )


def _submit(request: HttpRequest, sight: GameViewer, power: str, question: Question) -> HttpResponse:
    game, at = sight.game, timezone.now()
    lines = _lines(request, sight, power, question)
    if not lines and not confirmed(request):
        effects = list(action_effects.no_orders_effects(game, power))
        asked = Confirmation(_("Submit no orders?"), effects, _("Submit no orders"))
        return confirmation_page(request, sight, asked)
    sheet = order_submission.submit_orders(
        game,
        power,
        lines,
        number=form_number(request.POST.get("number", "")),
        key=order_requests.submission_id_of(request),
        origin="master",
        at=at,
        by=sight.person,
        final=request.POST.get("final") == "1",
    )
    told = {"receipt": sheet.receipt_number, "when": desk_context.reader_time(sheet.received_at)}
    refused = OrderPreparation(question, {power: lines}, power).refused_lines
    say = messages.warning if refused else messages.success
    say(request, _("Received as v%(receipt)s, %(when)s. As understood:") % told)
    return redirect("games:desk_orders", game.key, power)


def _lines(request: HttpRequest, sight: GameViewer, power: str, question: Question) -> list[str]:
    """The whole sheet that was sent; raises DraftRefusal, RequestRefusal and QuestionRefusal."""
    if "sheet" in request.POST:
        found = order_requests.change_from_text(request.POST["sheet"], None, power)(question, {})
    else:
        found = order_requests.change_from_menus(request.POST)(question, {power: _current(sight, power)})
    if any(lines for owner, lines in found.items() if owner != power):
        raise DraftRefusal("other_power")
    return list(found.get(power, ()))


def _current(sight: GameViewer, power: str) -> list[str]:
    """The lines of the last sheet received, which the page begins with."""
    sheet = order_submission.counting_order_sets(sight.game, sight.game.phase_number).get(power)
    return list(sheet.lines) if sheet else []


def _form_page(
    request: HttpRequest, sight: GameViewer, power: str, question: Question, status: int = 200, **more: Any
) -> HttpResponse:
    variant = variants.load(sight.game.variant)
    prepared = OrderPreparation(question, {power: _current(sight, power)}, power)
    readings = prepared.readings
    context = {
        **prepared.page_context(),
        **page_context.game_page_context(sight, "desk"),
        "power": power,
        "power_name": display_names.power_name(variant, power),
        "drawing": phase_maps.draft_map(question, readings)
        .in_readers_shape()
        .inline_svg(getattr(request, "style_nonce", "")),
        "understood": [
            phase_maps.order_label(variant, one.order, one.unit) for one in readings if one.is_followed
        ],
        "received": desk_context.received_orders(sight).get(power, []),
        "submission": random_token(),
        **more,
    }
    return render(request, "games/game_master/orders.html", context, status=status)
