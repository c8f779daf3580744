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
from talleyrand.web.boards import drafts, incoming, wording
from talleyrand.web.boards.dated import other_heading
from talleyrand.web.boards.referee import Unanswered

from . import board as boards
from . import games, opponents, opponents_asking, previews, visits
from .board import Desk
from .models import PracticeGame, address


def _own(key: str) -> PracticeGame:
    return visits.own(key)


def _seen(shared: str) -> PracticeGame:
    return visits.shared(shared)


@never_cache
@require_safe
def board(request: HttpRequest, key: str, number: int | None = None) -> HttpResponse:
    return _show(request, _own(key), number, owner=True)


@never_cache
@require_safe
def shared(request: HttpRequest, shared: str, number: int | None = None) -> HttpResponse:
    return _show(request, _seen(shared), number, owner=False)


def _show(request: HttpRequest, game: PracticeGame, number: int | None, *, owner: bool) -> HttpResponse:
    desk = _desk(game, number, request, owner=owner)
    page = boards.page(desk, request)
    page["preview"] = previews.meta(desk, request, page["table"])
    return render(request, "practice/board.html", page)


def _desk(game: PracticeGame, number: int | None, request: HttpRequest, *, owner: bool) -> Desk:
    desk = Desk(game, 1, owner, request.GET)
    desk.number = desk.story.current if number is None else number
    if not 1 <= desk.number <= desk.story.current:
        raise Http404
    return desk


@require_POST
def draft(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Change the orders in preparation: `{"orders": …}`, `{"sheet": …}` or `{"lines": …}`, in JSON."""
    game = _own(key)
    try:
        sent = incoming.table(request)
        change = incoming.draft_change(sent, game.plays)
        game = games.redraft(game, number, opponents.kept_apart(change, game.bots))
    except incoming.Refused as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except drafts.Unfit as unfit:
        return JsonResponse({"message": incoming.unfit(unfit)}, status=400)
    except Unanswered as unanswered:
        return JsonResponse({"message": unanswered.sentence}, status=400)
    except games.Finished:
        return JsonResponse({"message": _("The game is over.")}, status=409)
    except games.Overtaken:
        return JsonResponse({"message": overtaken(), "moved": True}, status=409)
    return JsonResponse(_prepared(Desk(game, number, owner=True), str(sent.get("sheet", ""))))


def overtaken() -> str:
    return _(
        "This phase has been resolved or taken back in another window. Nothing is lost: "
        "here is where the game stands now."
    )


def _prepared(desk: Desk, sheet: str) -> dict[str, Any]:
    assert desk.preparation is not None
    remarks = [*_dated(desk, sheet), *desk.preparation.remarks()]
    return {
        **desk.preparation.state(),
        "readings": render_to_string("boards/readings.html", {"readings": remarks}),
        "layers": desk.sketch.changing_layers(),
    }


def _dated(desk: Desk, sheet: str) -> list[dict[str, Any]]:
    """The remark on a sheet that stands under the heading of another phase."""
    heading = other_heading(desk.question, sheet) if desk.question else ""
    return [{"line": heading, "notes": [_dated_otherwise(desk)]}] if heading else []


def _dated_otherwise(desk: Desk) -> str:
    words = {"phase": wording.phase(desk.variant, desk.code)}
    return (
        _("Another phase’s heading; this one is %(phase)s. The orders are kept: are they meant for it?")
        % words
    )


@require_POST
def resolve(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Play the open phase; without scripts the menus of the page come along and are kept first."""
    game = _own(key)
    try:
        if not request.POST.get("scripted"):
            change = incoming.menu_change(request.POST)
            games.redraft(game, number, opponents.kept_apart(change, game.bots))
        if request.POST.get("action") == "save":
            messages.success(request, _("Orders saved."))
            return redirect("practice:phase", key, number)
        opponents_asking.resolve(request, game, number, _submission(request))
    except games.Finished:
        messages.warning(request, _("The game is over."))
    except games.Overtaken:
        messages.warning(request, overtaken())
        return redirect("practice:board", key)
    except drafts.Unfit as unfit:
        messages.error(request, incoming.unfit(unfit))
        return redirect("practice:board", key)
    except (Unanswered, incoming.Refused) as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:board", key)
    return redirect("practice:phase", key, number)


def _submission(request: HttpRequest) -> str:
    text = incoming.submission(request)
    if not text:
        raise Unanswered(_("The request arrived incomplete: nothing has been resolved. Try again."))
    return text


@require_POST
def save_sheet(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A sheet sent without scripts."""
    game = _own(key)
    try:
        change = incoming.sheet_change(request.POST.get("sheet", ""), None, game.plays)
        game = games.redraft(game, number, opponents.kept_apart(change, game.bots))
        messages.success(request, _("Orders saved."))
        desk = Desk(game, number, owner=True)
        for remark in _dated(desk, request.POST.get("sheet", "")):
            messages.warning(request, f"{remark['line']} – {remark['notes'][0]}")
    except drafts.Unfit as unfit:
        messages.error(request, incoming.unfit(unfit))
    except Unanswered as unanswered:
        messages.error(request, unanswered.sentence)
    except (games.Overtaken, games.Finished):
        messages.warning(request, overtaken())
    return redirect("practice:board", key)


@require_POST
def take_back(request: HttpRequest, key: str, number: int) -> HttpResponse:
    try:
        games.take_back(_own(key), number)
        messages.success(request, _("The phase is taken back; its orders are in preparation again."))
    except games.Overtaken:
        messages.warning(request, overtaken())
    return redirect("practice:board", key)


@require_POST
def power(request: HttpRequest, key: str) -> HttpResponse:
    game = _own(key)
    chosen = request.POST.get("power", "")
    if chosen and chosen not in variants.load(game.variant).setting.seats:
        messages.error(request, _("There is no such power in this game."))
    elif chosen in game.bots:
        messages.error(request, _("The computer plays this power: take it back first, under “Who plays”."))
    else:
        games.choose_power(game, chosen)
    return redirect("practice:board", key)


@require_POST
def copy(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return _copied(request, _own(key), number)


@require_POST
def shared_copy(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    return _copied(request, _seen(shared), number)


def _copied(request: HttpRequest, game: PracticeGame, number: int) -> HttpResponse:
    desk = _desk(game, number, request, owner=False)
    own = games.copy(game, desk.number, incoming.submission(request) or address())
    messages.success(request, _("This is your own copy: play on from here; the other game stays as it is."))
    return redirect(reverse("practice:board", args=[own.key]))
