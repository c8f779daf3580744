"""Orders on paper, typed by the referee: what was understood is shown of what was just typed alone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.web.boards import display_names, order_drafts, order_requests, paper_downloads, phase_maps
from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import order_submission
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import random_token
from talleyrand.web.games.phase_pages import game_records

from .referee_desk import REFUSALS, RefereeDesk, RefereeRefusal, for_referee
from .referee_texts import refusal_text


@require_http_methods(["GET", "HEAD", "POST"])
@for_referee
def paper_orders_page(request: HttpRequest, desk: RefereeDesk, power: str) -> HttpResponse:
    """The orders of one power for the open phase, from its sheet of paper or for a phone that died."""
    try:
        desk.power(power)
    except RefereeRefusal:
        raise Http404 from None
    question = GameHistory(desk.game).question(desk.game.phase_number)
    if question is None or power not in desk.deciding_powers:
        messages.warning(request, _("This power has no orders to give now."))
        return redirect("tables:referee", desk.game.key)
    if request.method != "POST":
        return _orders_page(request, desk, power, question, {})
    typed = request.POST.get("sheet", "")
    try:
        lines = order_requests.change_from_text(typed, None, power)(question, {})
        return _typed(request, desk, power, question, lines)
    except order_requests.REFUSALS as refused:
        status, said = 400, order_requests.refusal_text(refused)
    except REFUSALS as refused:
        status, said = 409, refusal_text(refused)
    typed = typed[: order_drafts.LARGEST_ORDER_TEXT]
    return _orders_page(request, desk, power, question, {}, status, typed=typed, refused=said)


@require_safe
@for_referee
def order_sheets_view(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:
    """Blank forms for the orders of the open phase on paper, one for each power that gives any."""
    question = GameHistory(desk.game).question(desk.game.phase_number)
    if question is None:
        raise Http404
    name = game_records.game_file_name(desk.game, desk.game.phase)
    seats = desk.variant.definition.seats
    return paper_downloads.order_sheets_response(request, question, seats, desk.game.name, name)


def _typed(
    request: HttpRequest, desk: RefereeDesk, power: str, question: Question, found: Lines
) -> HttpResponse:
    """Show what was understood; submit it where that is asked for and nothing is doubtful, or was seen."""
    lines = found.get(power, [])
    prepared = OrderPreparation(question, {power: lines}, power)
    doubtful = bool(prepared.refused_lines) or not lines
    sends = request.POST.get("action") == "submit"
    if not sends or (doubtful and request.POST.get("seen") != "\n".join(lines)):
        return _orders_page(
            request,
            desk,
            power,
            question,
            {power: lines},
            typed=request.POST.get("sheet", ""),
            seen="\n".join(lines),
            doubtful=doubtful and sends,
        )
    sheet = order_submission.submit_orders(
        desk.game,
        power,
        lines,
        number=order_requests.whole_number_of(request.POST.get("number", "")),
        key=order_requests.submission_id_of(request),
        origin="master",
        at=desk.now,
        by=desk.player.person,
        final=True,
    )
    told = {
        "power": display_names.power_name(desk.variant, power),
        "receipt": sheet.receipt_number,
    }
    messages.success(request, _("Received for %(power)s: v%(receipt)s.") % told)
    return redirect("tables:referee", desk.game.key)


def _orders_page(
    request: HttpRequest,
    desk: RefereeDesk,
    power: str,
    question: Question,
    lines: dict[str, list[str]],
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    prepared = OrderPreparation(question, lines, power)
    known = desk.order_sets.get(power)
    followed = [one for one in prepared.readings if one.is_followed]
    context = {
        "readings": prepared.remarks(),
        "example": prepared.example(),
        "progress": prepared.progress(),
        "refused_text": prepared.refused_text,
        "game": desk.game,
        "table": desk.table,
        "power": power,
        "power_name": display_names.power_name(desk.variant, power),
        "phase_title": display_names.phase_name(desk.variant, desk.game.phase),
        "replaces": known.received_at if known else None,
        "understood": [phase_maps.order_label(desk.variant, one.order, one.unit) for one in followed],
        "submission": random_token(),
        **more,
    }
    return render(request, "tables/referee/paper_orders.html", context, status=status)
