"""The clock of a table as JSON, and what is done with it: by the referee, and by all players together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.games.game_master.game_master_texts import game_master_refusal_text

from . import clock_consents, clock_control, phone_page, table_seats, table_stage
from .clock_consents import ConsentRefusal
from .models import Table


@never_cache
@require_safe
def clock_json(request: HttpRequest, key: str) -> HttpResponse:
    """The clock for a phone of the table, and whether the page that it shows is still the one to show."""
    player = table_seats.player_or_404(request, key)
    told = {"shown": phone_page.shown_digest(player), "proposal": phone_page.open_proposal(player.table.game)}
    return JsonResponse({**_moment(player.table), **told})


def _moment(table: Table) -> dict[str, Any]:
    return table_stage.moment_json(table_stage.table_moment(table, timezone.now()))


@require_POST
def clock_act(request: HttpRequest, key: str) -> HttpResponse:
    """The referee’s hand on the clock: `act` is one of `clock_control.CLOCK_ACTS`, `mark` what the page was
    made with, `next` where it leads. With `Accept: application/json` the answer is the clock.
    """
    player, act = table_seats.player_or_404(request, key), request.POST.get("act", "")
    if not player.is_referee or act not in clock_control.CLOCK_ACTS:
        raise Http404
    table, mark = player.table, request.POST.get("mark", "")
    hand = clock_control.table_hand(table, player)
    return _answer(request, table, lambda: clock_control.act_on_clock(table, act, mark, hand, timezone.now()))


@require_POST
def clock_wish(request: HttpRequest, key: str) -> HttpResponse:
    """A player wants something of the clock (`act`, of `clock_consents`), or with `no` no longer does. For a
    seat without a phone the referee says so (`seat`, its number).
    """
    player = table_seats.player_or_404(request, key)
    table, said = player.table, request.POST
    if "seat" in said:
        number = said["seat"] if said["seat"].isascii() and said["seat"].isdigit() else "0"
        seat = table.players.filter(number=number[:4], number__gt=0, phone_digest="").first()
        if not player.is_referee or seat is None:
            raise Http404
        player = seat
    return _answer(
        request,
        table,
        lambda: clock_consents.agree(
            table,
            player,
            said.get("act", ""),
            said.get("mark", ""),
            timezone.now(),
            wants="no" not in said,
        ),
    )


def _answer(request: HttpRequest, table: Table, act: Callable[[], object]) -> HttpResponse:
    """Do it, and show the clock as it is then."""
    refusal = ""
    try:
        act()
    except GameMasterRefusal as refused:
        refusal = game_master_refusal_text(refused.code)
    except ConsentRefusal as refused:
        refusal = clock_consents.consent_refusal_text(refused.code)
    except QuestionRefusal as refused:
        refusal = refused.sentence
    if request.accepts("application/json") and not request.accepts("text/html"):
        told = _moment(Table.objects.select_related("game").get(pk=table.pk))
        return JsonResponse({**told, "refusal": refusal} if refusal else told, status=409 if refusal else 200)
    if refusal:
        messages.error(request, refusal)
    following = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(following, allowed_hosts=None)
    return redirect(following) if here else redirect("tables:table", table.game.key)
