"""The page on which a game is brought to its end by its players."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards import incoming
from talleyrand.web.games import frame
from talleyrand.web.games.sight import Sight

from . import carrying, proposals, words
from .panel import panel


@never_cache
@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """Propose, answer, or read how the game ended."""
    sight = frame.entered(request, key)
    return render(request, "games/endings/page.html", {**frame.page(sight, "end"), **panel(sight)})


@require_POST
def propose(request: HttpRequest, key: str) -> HttpResponse:
    """Propose the end while the phase that the form shows is open."""
    sight, power = _acting(request, key)
    number, counts = incoming.whole_number(request.POST.get("number", "")), request.POST.get("counts", "")
    try:
        proposals.propose(sight.game, power, number, counts, timezone.now())
        messages.success(request, _("Your proposal has been made, and everybody concerned told."))
    except proposals.NotNow as refused:
        messages.warning(request, words.refusal(refused.code))
    carrying.carry_out_now(sight.game)
    return redirect("games:end", key)


@require_POST
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """Veto, let it be voted on, agree or refuse."""
    sight, power = _acting(request, key)
    choice = request.POST.get("choice", "")
    try:
        proposals.answer(
            sight.game, incoming.whole_number(request.POST.get("proposal", "")), power, choice, timezone.now()
        )
        messages.success(request, _("Your answer has been noted."))
    except proposals.NotNow as refused:
        messages.warning(request, words.refusal(refused.code))
    carrying.carry_out_now(sight.game)
    return redirect("games:end", key)


@require_POST
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """Take one’s own proposal back."""
    sight, power = _acting(request, key)
    try:
        proposals.withdraw(
            sight.game, incoming.whole_number(request.POST.get("proposal", "")), power, timezone.now()
        )
        messages.success(request, _("Your proposal has been taken back."))
    except proposals.NotNow as refused:
        messages.warning(request, words.refusal(refused.code))
    return redirect("games:end", key)


def _acting(request: HttpRequest, key: str) -> tuple[Sight, str]:
    """Whoever may speak for the power that the form names."""
    sight, power = frame.entered(request, key), request.POST.get("power", "")
    if power not in sight.acting:
        raise Http404
    return sight, power
