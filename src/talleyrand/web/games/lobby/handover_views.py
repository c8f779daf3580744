"""The page on which a desk changes hands: why, who offers to lead the game, who agrees; and the way back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines.date_texts import day_text
from talleyrand.web.games.deadlines.deadline_calendar import named_zone
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer

from . import desk_handover
from .lobby_refusals import LobbyRefusal


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk_handover_page(request: HttpRequest, key: str) -> HttpResponse:
    """For those in the game, and for administrators; to others it does not exist."""
    sight = GameViewer.for_user(get_object_or_404(Game, key=key), request.user)
    person = sight.person
    if person is None or person.is_guest or not (sight.role or person.is_administrator):
        raise Http404
    if request.method != "POST":
        return _page(request, sight, person)
    try:
        messages.success(request, _acted(request, sight, person))
    except LobbyRefusal as refused:
        return _page(request, sight, person, refused.sentence)
    return redirect("games:table_desk", key)


def _acted(request: HttpRequest, sight: GameViewer, person: Person) -> str:
    game, now, action = sight.whole_game, timezone.now(), request.POST.get("action", "")
    done = _("The game has a new GM; everyone in it is notified.")
    offered = order_requests.whole_number_of(request.POST.get("offer", ""))
    acts: dict[str, Callable[[], str]] = {
        "offer": lambda: (
            done
            if desk_handover.offer_to_lead(game, person, now)
            else _("You offer to lead the game; the players are notified.")
        ),
        "agree": lambda: (
            done
            if desk_handover.agree_to_offer(game, person, offered, now)
            else _("You agree. The desk changes hands once more than half of the powers do.")
        ),
    }
    if action == "keep" and sight.role:
        desk_handover.keep_desk(game, person, now)
        return _("The desk is yours.")
    if action == "name" and person.is_administrator:
        desk_handover.hand_over_by_administrator(game, person, request.POST.get("name", "")[:80], now)
        return done
    if action not in acts or not sight.role:
        raise LobbyRefusal("moved")
    return acts[action]()


def _page(request: HttpRequest, sight: GameViewer, person: Person, refusal: str = "") -> HttpResponse:
    game, now = sight.whole_game, timezone.now()
    found = desk_handover.absent_game_master(game, now)
    context: dict[str, Any] = {
        "game": game,
        "sight": sight,
        "role": sight.role,
        "refusal": refusal,
        "absent": found,
        "since": _day(found.since) if found else "",
        "offers": [_offer(found, one, sight) for one in found.offers] if found else [],
        "may_offer": found is not None
        and sight.role in (GameRole.ASSISTANT, GameRole.OBSERVER)
        and all(one.person != person for one in found.offers),
        "may_take_back": game.state in RUNNING_STATES and desk_handover.may_take_back(game, person, now),
        "may_name": person.is_administrator and game.state in RUNNING_STATES,
    }
    return render(request, "games/lobby/handover.html", context, status=409 if refusal else 200)


def _offer(
    found: desk_handover.AbsentGameMaster, offer: desk_handover.DeskOffer, sight: GameViewer
) -> dict[str, Any]:
    mine = found.needed & set(sight.powers) if sight.role == GameRole.PLAYER else set()
    return {
        "pk": offer.pk,
        "name": offer.person.shown_name,
        "count": len(offer.agreed & found.needed),
        "needed": len(found.needed) // 2 + 1,
        "may_agree": bool(mine - offer.agreed),
        "agreed": bool(mine) and mine <= offer.agreed,
    }


def _day(moment: datetime) -> str:
    """The day alone: when somebody was last on the site is nobody else’s affair."""
    there = moment.astimezone(named_zone(page_context.reader_time_zone()))
    return day_text(f"{there:%F}", display_names.reader_language())
