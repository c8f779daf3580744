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
from talleyrand.web.boards import drafts, incoming, picture, wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Question, Unanswered
from talleyrand.web.games import frame, inbox
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import RUNNING, Seat, secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from . import page, timing, words
from .acts import NotDone
from .doors import for_master, number

PROBLEMS = (NotDone, NotTaken, Unfit, Unanswered, incoming.Refused)
Problem = NotDone | NotTaken | Unfit | Unanswered | incoming.Refused


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def orders(request: HttpRequest, sight: Sight, power: str) -> HttpResponse:
    """The orders of one power for the open phase, as the game master enters them."""
    if not Seat.objects.filter(game=sight.game, power=power).exists():
        raise Http404
    question = Story(sight.game).question(sight.game.number)
    if question is None or sight.game.state not in RUNNING:
        messages.warning(request, words.refusal("not_playing"))
        return redirect("games:desk", sight.game.key)
    if power not in timing.deciding(sight.game):
        messages.warning(request, words.untaken("idle"))
        return redirect("games:desk", sight.game.key)
    if request.method != "POST":
        return _shown(request, sight, power, question)
    try:
        return _taken(request, sight, power, question)
    except PROBLEMS as problem:
        typed = request.POST.get("sheet", "")[: drafts.LARGEST_SHEET]
        status = 409 if isinstance(problem, (NotDone, NotTaken)) else 400
        return _shown(request, sight, power, question, status, refused=_why(problem), typed=typed)


def _why(problem: Problem) -> str:
    if isinstance(problem, (NotDone, NotTaken)):
        return words.untaken(problem.code)
    return incoming.unfit(problem) if isinstance(problem, Unfit) else problem.sentence


def _taken(request: HttpRequest, sight: Sight, power: str, question: Question) -> HttpResponse:
    game, at = sight.game, timezone.now()
    sheet = inbox.hand_in(
        game,
        power,
        _lines(request, sight, power, question),
        number=number(request.POST.get("number", "")),
        key=incoming.submission(request),
        origin="master",
        at=at,
        by=sight.person,
        final=request.POST.get("final") == "1",
    )
    told = {"receipt": sheet.receipt, "when": page.when(sheet.at)}
    messages.success(request, _("Received as No %(receipt)s, %(when)s. This is what was understood.") % told)
    return redirect("games:desk_orders", game.key, power)


def _lines(request: HttpRequest, sight: Sight, power: str, question: Question) -> list[str]:
    """The whole sheet that was sent; raises Unfit, Refused and Unanswered."""
    if "sheet" in request.POST:
        found = incoming.sheet_change(request.POST["sheet"], None, power)(question, {})
    else:
        found = incoming.menu_change(request.POST)(question, {power: _current(sight, power)})
    if any(lines for owner, lines in found.items() if owner != power):
        raise Unfit("other_power")
    return list(found.get(power, ()))


def _current(sight: Sight, power: str) -> list[str]:
    """The lines of the last sheet received, which the page begins with."""
    sheet = inbox.counting(sight.game, sight.game.number).get(power)
    return list(sheet.lines) if sheet else []


def _shown(
    request: HttpRequest, sight: Sight, power: str, question: Question, status: int = 200, **more: Any
) -> HttpResponse:
    variant = variants.load(sight.game.variant)
    prepared = Preparation(question, {power: _current(sight, power)}, power)
    readings = prepared.readings
    context = {
        **prepared.page(),
        **frame.page(sight, "desk"),
        "power": power,
        "power_name": wording.power(variant, power),
        "drawing": picture.prepared(question, readings).inline(getattr(request, "style_nonce", "")),
        "understood": [picture.order_label(variant, one.order, one.unit) for one in readings if one.given],
        "received": page.received(sight).get(power, []),
        "submission": secret(),
        **more,
    }
    return render(request, "games/desk/orders.html", context, status=status)
