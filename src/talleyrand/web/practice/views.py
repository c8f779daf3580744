"""The board: looking at a phase, giving orders, resolving, taking back, copying."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import board_context, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players

from . import bot_requests, link_previews, practice_access, practice_games
from . import practice_board as boards
from .models import PracticeGame, random_token
from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_board_page(
    request: HttpRequest, key: str = "", shared: str = "", number: int | None = None
) -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number, request.GET)
    page = boards.practice_board_context(board, request)
    page["preview"] = link_previews.link_preview_meta(board, request, page["table"])
    return render(request, "practice/board.html", page)


@require_POST
def change_practice_draft_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Change the orders in preparation: `{"orders": …}`, `{"sheet": …}` or `{"lines": …}`, in JSON."""
    game = practice_access.game_or_404(key)
    try:
        sent = order_requests.json_body(request)
        change = order_requests.change_from_json(sent, game.played_power)
        game = practice_games.change_practice_draft(
            game, number, bot_players.protect_bot_powers(change, game.bots)
        )
    except order_requests.REFUSALS as refused:
        return order_requests.refusal_json(refused)
    except practice_games.PracticeFinished:
        return JsonResponse({"message": _("The game is over.")}, status=409)
    except practice_games.PracticeOvertaken:
        return JsonResponse({"message": overtaken_text(), "moved": True}, status=409)
    board = PracticeBoard(game, number, is_owner=True)
    assert board.preparation is not None
    told = board_context.changed_orders_context(
        board.preparation, board.phase_map, str(sent.get("sheet", ""))
    )
    return JsonResponse({**told, "outlook": board.outlook})


def overtaken_text() -> str:
    return _(
        "This phase was resolved or rolled back in another window. Nothing is lost: here is "
        "where the game stands."
    )


@require_POST
def resolve_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Play the open phase; without scripts the menus of the page come along and are kept first."""
    game = practice_access.game_or_404(key)
    try:
        if not request.POST.get("scripted"):
            change = order_requests.change_from_menus(request.POST)
            practice_games.change_practice_draft(
                game, number, bot_players.protect_bot_powers(change, game.bots)
            )
        if request.POST.get("action") == "save":
            messages.success(request, _("Orders saved."))
            return redirect("practice:phase", key, number)
        bot_requests.resolve_with_bots(request, game, number, _submission(request))
    except practice_games.PracticeFinished:
        messages.warning(request, _("The game is over."))
    except practice_games.PracticeOvertaken:
        messages.warning(request, overtaken_text())
        return redirect("practice:board", key)
    except order_requests.REFUSALS as refused:
        messages.error(request, order_requests.refusal_text(refused))
        return redirect("practice:board", key)
    return redirect("practice:phase", key, number)


def _submission(request: HttpRequest) -> str:
    text = order_requests.submission_id_of(request)
    if not text:
        raise QuestionRefusal(_("Incomplete request: nothing was resolved. Try again."))
    return text


@require_POST
def save_orders_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A sheet sent without scripts."""
    game = practice_access.game_or_404(key)
    try:
        change = order_requests.change_from_text(request.POST.get("sheet", ""), None, game.played_power)
        game = practice_games.change_practice_draft(
            game, number, bot_players.protect_bot_powers(change, game.bots)
        )
        messages.success(request, _("Orders saved."))
        preparation = PracticeBoard(game, number, is_owner=True).preparation
        sheet = request.POST.get("sheet", "")
        for remark in board_context.heading_remarks(preparation, sheet) if preparation else ():
            messages.warning(request, f"{remark['line']} – {remark['notes'][0]}")
    except order_requests.REFUSALS as refused:
        messages.error(request, order_requests.refusal_text(refused))
    except (practice_games.PracticeOvertaken, practice_games.PracticeFinished):
        messages.warning(request, overtaken_text())
    return redirect("practice:board", key)


@require_POST
def roll_back_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    try:
        practice_games.roll_back_turns(practice_access.game_or_404(key), number)
        messages.success(request, _("Rolled back: the phase is in progress again, with its orders."))
    except practice_games.PracticeOvertaken:
        messages.warning(request, overtaken_text())
    return redirect("practice:board", key)


@require_POST
def choose_power_view(request: HttpRequest, key: str) -> HttpResponse:
    game = practice_access.game_or_404(key)
    chosen = request.POST.get("power", "")
    if chosen and chosen not in variants.load(game.variant).definition.seats:
        messages.error(request, _("No such power in this game."))
    elif chosen in game.bots:
        messages.error(request, _("A bot plays this power: take it back first, under “Who plays”."))
    else:
        practice_games.choose_power(game, chosen)
    return redirect("practice:board", key)


@require_POST
def copy_view(request: HttpRequest, number: int, key: str = "", shared: str = "") -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    submission = order_requests.submission_id_of(request) or random_token()
    is_new = not PracticeGame.objects.filter(submission_id=submission).exists()
    own = practice_games.copy_practice_game(board.game, number, submission, is_owner=bool(key))
    messages.success(request, _("This is your own copy: play on from here. The other game is unchanged."))
    if is_new:
        fill_copy(request, own, number)
    return redirect("practice:board", own.key)


def fill_copy(request: HttpRequest, own: PracticeGame, number: int) -> None:
    """Put the orders that the request brings, if any, in place of those of one power in a new copy."""
    try:
        practice_games.try_orders(own, number, request.POST.get("power", ""), request.POST.get("orders", ""))
    except order_requests.REFUSALS as refused:
        messages.error(request, order_requests.refusal_text(refused))
    except (practice_games.PracticeOvertaken, practice_games.PracticeFinished):
        messages.warning(request, overtaken_text())
