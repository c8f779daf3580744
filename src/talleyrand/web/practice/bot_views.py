"""Playing against the computer: who plays, going on, stopping, how far it is."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.order_requests import RequestRefusal
from talleyrand.web.bots import bot_players, bot_threads

from . import bot_progress, practice_access, practice_games
from . import practice_bot_tasks as thinking
from .bot_requests import start_bots
from .views import overtaken_text


@require_POST
def bots_play_on_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Let the computer play on where it alone has something to decide."""
    game = practice_access.game_or_404(key)
    try:
        until, submission = request.POST.get("until", ""), order_requests.submission_id_of(request)
        if until not in thinking.BOT_GOALS or not submission:
            raise order_requests.meaningless_request()
        start_bots(request, game, number, submission, until)
    except practice_games.PracticeFinished:
        messages.warning(request, _("The game is over."))
        return redirect("practice:board", key)
    except practice_games.PracticeOvertaken:
        messages.warning(request, overtaken_text())
        return redirect("practice:board", key)
    except (QuestionRefusal, RequestRefusal) as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:board", key)
    return redirect("practice:phase", key, number)


@require_POST
def choose_players_view(request: HttpRequest, key: str) -> HttpResponse:
    """Who plays each power from now on."""
    game = practice_access.game_or_404(key)
    variant = variants.load(game.variant)
    try:
        if request.POST.get("action") == "others":
            sent = request.POST
            bots = bot_players.bots_for_all_but(variant, sent.get("mine", ""), sent.get("player", ""))
        elif request.POST.get("action") == "nobody":
            bots = {}
        else:
            bots = bot_players.bots_from_menus(variant, request.POST.dict())
        practice_games.assign_practice_bots(game, bots, _chosen_character(request))
        messages.success(request, _("Players saved."))
    except RequestRefusal as refused:
        messages.error(request, refused.sentence)
    return redirect("practice:board", key)


def _chosen_character(request: HttpRequest) -> str | None:
    """What the menu says of all bots' characters; None where they stay as they are."""
    sent = request.POST.get("character", bot_progress.MIXED)
    return None if sent == bot_progress.MIXED else sent


@require_POST
def stop_bots_view(request: HttpRequest, key: str) -> HttpResponse:
    """The computer stops thinking; nothing is resolved."""
    thinking.stop_bots(practice_access.game_or_404(key))
    messages.success(request, _("Stopped. Your draft orders are unchanged."))
    return redirect("practice:board", key)


@require_POST
def retry_bots_view(request: HttpRequest, key: str) -> HttpResponse:  # noqa: ARG001 a view
    """Begin again after a trouble."""
    thinking.retry_bots(practice_access.game_or_404(key))
    bot_threads.wake_bots()
    return redirect("practice:board", key)


@never_cache
@require_safe
def bot_progress_json(request: HttpRequest, key: str) -> JsonResponse:  # noqa: ARG001 a view
    """How far the computer is, for the page that waits; what lies idle is begun."""
    game = practice_access.game_or_404(key)
    row = thinking.practice_bot_task_of(game)
    if row is not None:
        bot_threads.wake_bots()
    return JsonResponse(bot_progress.bot_progress(game, row))
