"""The page on which a game is brought to its end by its players."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards import order_requests
from talleyrand.web.games import page_context
from talleyrand.web.games.viewer_permissions import GameViewer

from . import agreed_end, end_proposals, end_texts
from .end_panel import end_panel_context


@never_cache
@require_safe
def end_page(request: HttpRequest, key: str) -> HttpResponse:
    """Propose, answer, or read how the game ended."""
    sight = page_context.game_viewer_of_page(request, key)
    return render(
        request,
        "games/endings/page.html",
        {**page_context.game_page_context(sight, "end"), **end_panel_context(sight)},
    )


@require_POST
def propose_end_view(request: HttpRequest, key: str) -> HttpResponse:
    """Propose the end while the phase that the form shows is open."""
    sight, power = _acting(request, key)
    number, counts = (
        order_requests.whole_number_of(request.POST.get("number", "")),
        request.POST.get("counts", ""),
    )
    try:
        end_proposals.propose_end(sight.game, power, number, counts, timezone.now())
        messages.success(request, _("Proposal sent to everyone."))
    except end_proposals.EndProposalRefusal as refused:
        messages.warning(request, end_texts.end_refusal_text(refused.code))
    agreed_end.end_game_if_just_agreed(sight.game)
    return redirect("games:end", key)


@require_POST
def answer_end_view(request: HttpRequest, key: str) -> HttpResponse:
    """Veto, let it be voted on, agree or refuse."""
    sight, power = _acting(request, key)
    choice = request.POST.get("choice", "")
    try:
        end_proposals.answer_end_proposal(
            sight.game,
            order_requests.whole_number_of(request.POST.get("proposal", "")),
            power,
            choice,
            timezone.now(),
        )
        messages.success(request, _("Answer saved."))
    except end_proposals.EndProposalRefusal as refused:
        messages.warning(request, end_texts.end_refusal_text(refused.code))
    agreed_end.end_game_if_just_agreed(sight.game)
    return redirect("games:end", key)


@require_POST
def withdraw_end_view(request: HttpRequest, key: str) -> HttpResponse:
    """Take one’s own proposal back."""
    sight, power = _acting(request, key)
    try:
        end_proposals.withdraw_end_proposal(
            sight.game,
            order_requests.whole_number_of(request.POST.get("proposal", "")),
            power,
            timezone.now(),
        )
        messages.success(request, _("Proposal withdrawn."))
    except end_proposals.EndProposalRefusal as refused:
        messages.warning(request, end_texts.end_refusal_text(refused.code))
    return redirect("games:end", key)


def _acting(request: HttpRequest, key: str) -> tuple[GameViewer, str]:
    """Whoever may speak for the power that the form names."""
    sight, power = page_context.game_viewer_of_page(request, key), request.POST.get("power", "")
    if power not in sight.orderable_powers:
        raise Http404
    return sight, power
