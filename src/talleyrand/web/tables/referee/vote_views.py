"""Proposals to end the game for seats without a phone: the device is handed over, and shows no answer."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand.web.boards.order_requests import whole_number_of
from talleyrand.web.games.endings import agreed_end, end_proposals
from talleyrand.web.games.endings.end_panel import end_panel_context
from talleyrand.web.games.viewer_permissions import GameViewer

from .referee_desk import REFUSALS, RefereeDesk, for_referee
from .referee_texts import refusal_text


@require_http_methods(["GET", "HEAD", "POST"])
@for_referee
def vote_page(request: HttpRequest, desk: RefereeDesk, number: int) -> HttpResponse:
    """What the player of a seat without a phone may propose or answer; no answer is shown again."""
    seat = next((one for one in desk.seats if one.number == number), None)
    if seat is None or seat.phone_digest or not seat.person.is_guest:  # an account votes by itself
        raise Http404
    sight = GameViewer(desk.game, seat.person)
    if request.method == "POST":
        return _answered(request, desk, sight)
    panel = end_panel_context(sight)
    for asked in (panel.get("proposal") or {}).get("asked", ()):
        asked["given"] = ""
    context = {**panel, "table": desk.table, "player": desk.player, "seat": seat, "number": number}
    return render(request, "tables/referee/vote.html", context)


def _answered(request: HttpRequest, desk: RefereeDesk, sight: GameViewer) -> HttpResponse:
    power, game = request.POST.get("power", ""), desk.game
    if power not in sight.orderable_powers:
        raise Http404
    try:
        if "counts" in request.POST:
            phase = whole_number_of(request.POST.get("number", ""))
            end_proposals.propose_end(game, power, phase, request.POST["counts"], desk.now)
            messages.success(request, _("Proposal sent to everyone."))
        else:
            pk, choice = whole_number_of(request.POST.get("proposal", "")), request.POST.get("choice", "")
            end_proposals.answer_end_proposal(game, pk, power, choice, desk.now)
            desk.note("vote_entered", power=power)
            messages.success(request, _("Answer saved. Hand the device back."))
    except REFUSALS as refused:
        messages.warning(request, refusal_text(refused))
    agreed_end.end_game_if_just_agreed(game)
    return redirect("tables:referee", game.key)
