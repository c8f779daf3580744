"""The board: looking at a phase, giving orders, resolving, taking back, copying."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import display_names, order_drafts, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.phase_headings import other_phase_heading
from talleyrand.web.bots import bot_players

from . import bot_requests, link_previews, practice_access, practice_games
from . import practice_board as boards
from .models import PracticeGame, random_token
from .practice_board import PracticeBoard


def _own(key: str) -> PracticeGame:
    return practice_access.own_game_or_404(key)


def _seen(shared: str) -> PracticeGame:
    return practice_access.shared_game_or_404(shared)


@never_cache
@require_safe
def practice_board_page(request: HttpRequest, key: str, number: int | None = None) -> HttpResponse:
    return _show(request, _own(key), number, owner=True)


@never_cache
@require_safe
def shared_practice_board_page(request: HttpRequest, shared: str, number: int | None = None) -> HttpResponse:
    return _show(request, _seen(shared), number, owner=False)


def _show(request: HttpRequest, game: PracticeGame, number: int | None, *, owner: bool) -> HttpResponse:
    desk = _desk(game, number, request, owner=owner)
    page = boards.practice_board_context(desk, request)
    page["preview"] = link_previews.link_preview_meta(desk, request, page["table"])
    return render(request, "practice/board.html", page)


def _desk(game: PracticeGame, number: int | None, request: HttpRequest, *, owner: bool) -> PracticeBoard:
    desk = PracticeBoard(game, 1, owner, request.GET)
    desk.phase_number = desk.history.open_phase_number if number is None else number
    if not 1 <= desk.phase_number <= desk.history.open_phase_number:
        raise Http404
    return desk


@require_POST
def change_practice_draft_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Change the orders in preparation: `{"orders": …}`, `{"sheet": …}` or `{"lines": …}`, in JSON."""
    game = _own(key)
    try:
        sent = order_requests.json_body(request)
        change = order_requests.change_from_json(sent, game.played_power)
        game = practice_games.change_practice_draft(
            game, number, bot_players.protect_bot_powers(change, game.bots)
        )
    except order_requests.RequestRefusal as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except order_drafts.DraftRefusal as unfit:
        return JsonResponse({"message": order_requests.draft_refusal_text(unfit)}, status=400)
    except QuestionRefusal as unanswered:
        return JsonResponse({"message": unanswered.sentence}, status=400)
    except practice_games.PracticeFinished:
        return JsonResponse({"message": _("The game is over.")}, status=409)
    except practice_games.PracticeOvertaken:
        return JsonResponse({"message": overtaken_text(), "moved": True}, status=409)
    return JsonResponse(_prepared(PracticeBoard(game, number, is_owner=True), str(sent.get("sheet", ""))))


def overtaken_text() -> str:
    return _(
        "This phase was resolved or rolled back in another window. Nothing is lost: here is "
        "where the game stands."
    )


def _prepared(desk: PracticeBoard, sheet: str) -> dict[str, Any]:
    assert desk.preparation is not None
    remarks = [*_dated(desk, sheet), *desk.preparation.remarks()]
    return {
        **desk.preparation.script_state(),
        "readings": render_to_string("boards/readings.html", {"readings": remarks}),
        "layers": desk.phase_map.changing_layers(),
    }


def _dated(desk: PracticeBoard, sheet: str) -> list[dict[str, Any]]:
    """The remark on a sheet that stands under the heading of another phase."""
    heading = other_phase_heading(desk.question, sheet) if desk.question else ""
    return [{"line": heading, "notes": [_dated_otherwise(desk)]}] if heading else []


def _dated_otherwise(desk: PracticeBoard) -> str:
    words = {"phase": display_names.phase_name(desk.variant, desk.phase_code)}
    return (
        _(
            "This heading is for another phase; this one is %(phase)s. The orders are kept: "
            "check that they belong here."
        )
        % words
    )


@require_POST
def resolve_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Play the open phase; without scripts the menus of the page come along and are kept first."""
    game = _own(key)
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
    except order_drafts.DraftRefusal as unfit:
        messages.error(request, order_requests.draft_refusal_text(unfit))
        return redirect("practice:board", key)
    except (QuestionRefusal, order_requests.RequestRefusal) as refused:
        messages.error(request, refused.sentence)
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
    game = _own(key)
    try:
        change = order_requests.change_from_text(request.POST.get("sheet", ""), None, game.played_power)
        game = practice_games.change_practice_draft(
            game, number, bot_players.protect_bot_powers(change, game.bots)
        )
        messages.success(request, _("Orders saved."))
        desk = PracticeBoard(game, number, is_owner=True)
        for remark in _dated(desk, request.POST.get("sheet", "")):
            messages.warning(request, f"{remark['line']} – {remark['notes'][0]}")
    except order_drafts.DraftRefusal as unfit:
        messages.error(request, order_requests.draft_refusal_text(unfit))
    except QuestionRefusal as unanswered:
        messages.error(request, unanswered.sentence)
    except (practice_games.PracticeOvertaken, practice_games.PracticeFinished):
        messages.warning(request, overtaken_text())
    return redirect("practice:board", key)


@require_POST
def roll_back_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    try:
        practice_games.roll_back_turns(_own(key), number)
        messages.success(request, _("Rolled back: the phase is in progress again, with its orders."))
    except practice_games.PracticeOvertaken:
        messages.warning(request, overtaken_text())
    return redirect("practice:board", key)


@require_POST
def choose_power_view(request: HttpRequest, key: str) -> HttpResponse:
    game = _own(key)
    chosen = request.POST.get("power", "")
    if chosen and chosen not in variants.load(game.variant).definition.seats:
        messages.error(request, _("No such power in this game."))
    elif chosen in game.bots:
        messages.error(request, _("A bot plays this power: take it back first, under “Who plays”."))
    else:
        practice_games.choose_power(game, chosen)
    return redirect("practice:board", key)


@require_POST
def copy_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return _copied(request, _own(key), number)


@require_POST
def shared_copy_view(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    return _copied(request, _seen(shared), number)


def _copied(request: HttpRequest, game: PracticeGame, number: int) -> HttpResponse:
    desk = _desk(game, number, request, owner=False)
    own = practice_games.copy_practice_game(
        game, desk.phase_number, order_requests.submission_id_of(request) or random_token()
    )
    messages.success(request, _("This is your own copy: play on from here. The other game is unchanged."))
    return redirect(reverse("practice:board", args=[own.key]))
