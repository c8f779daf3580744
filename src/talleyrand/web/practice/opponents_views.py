"""Playing against the computer: who plays, going on, stopping, how far it is."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import incoming
from talleyrand.web.boards.incoming import Refused
from talleyrand.web.boards.referee import Unanswered

from . import games, opponents, opponents_pages, opponents_threads, visits
from . import opponents_thinking as thinking
from .models import PracticeGame
from .opponents_asking import think
from .views import overtaken


def _own(key: str) -> PracticeGame:
    return visits.own(key)


@require_POST
def onward(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Let the computer play on where it alone has something to decide."""
    game = _own(key)
    try:
        until, submission = request.POST.get("until", ""), incoming.submission(request)
        if until not in thinking.GOALS or not submission:
            raise incoming.meaningless()
        think(request, game, number, submission, until)
    except games.Finished:
        messages.warning(request, _("The game is over."))
        return redirect("practice:board", key)
    except games.Overtaken:
        messages.warning(request, overtaken())
        return redirect("practice:board", key)
    except (Unanswered, Refused) as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:board", key)
    return redirect("practice:phase", key, number)


@require_POST
def players(request: HttpRequest, key: str) -> HttpResponse:
    """Who plays each power from now on."""
    game = _own(key)
    variant = variants.load(game.variant)
    try:
        if request.POST.get("action") == "others":
            sent = request.POST
            bots = opponents.others(variant, sent.get("mine", ""), sent.get("player", ""))
        elif request.POST.get("action") == "nobody":
            bots = {}
        else:
            bots = opponents.one_by_one(variant, request.POST.dict())
        games.give_powers(game, bots)
        messages.success(request, _("Noted: who plays each power."))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("practice:board", key)


@require_POST
def stop(request: HttpRequest, key: str) -> HttpResponse:
    """The computer stops thinking; nothing is resolved."""
    thinking.stop(_own(key))
    messages.success(request, _("Stopped. The orders in preparation are as they were."))
    return redirect("practice:board", key)


@require_POST
def again(request: HttpRequest, key: str) -> HttpResponse:  # noqa: ARG001 a view
    """Begin again after a trouble."""
    thinking.retry(_own(key))
    opponents_threads.wake()
    return redirect("practice:board", key)


@never_cache
@require_safe
def progress(request: HttpRequest, key: str) -> JsonResponse:  # noqa: ARG001 a view
    """How far the computer is, for the page that waits; what lies idle is begun."""
    game = _own(key)
    row = thinking.of(game)
    if row is not None:
        opponents_threads.wake()
    return JsonResponse(opponents_pages.progress(game, row))
