"""On the pages of a game, a phone that sits at its table is the guest of its seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers

from talleyrand.web.games import page_context

from . import one_device, table_seats
from .models import TablePlayer

GAME_SPACES = ("games", "press", "tables")
# What a phone sends by a form leads back to its page.
FORMS_OF_A_PHONE = (
    "games:orders",
    "games:restore",
    "games:propose_end",
    "games:answer_end",
    "games:withdraw_end",
)


class TableGuestMiddleware:
    """Sets `request.user` for the addresses of a game whose table this browser sits at; nowhere else, so that
    whoever is signed in stays so; `request.account` is who that is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match if hasattr(request, "table_player") else None
        moved = isinstance(response, HttpResponseRedirect)
        if moved and match and match.view_name in FORMS_OF_A_PHONE:
            return redirect("tables:table", match.kwargs["key"])
        return response

    def process_view(
        self, request: HttpRequest, view: Any, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse | None:
        del view, arguments
        match = request.resolver_match
        if "key" not in named or match is None or match.namespaces[:1] not in ([one] for one in GAME_SPACES):
            return None
        player = table_seats.player_of_request(request, named["key"])
        if player is None:
            return None
        request.account = request.user  # type: ignore[attr-defined]
        request.user = player.person
        request.table_player = player  # type: ignore[attr-defined]  # for templates
        return _look_at_teacher(request, player) or _curtain(request, player)


def is_page(request: HttpRequest) -> bool:
    """Whether a person will look at the answer: not a script, nor what is sent, which has to arrive."""
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", "")


def _curtain(request: HttpRequest, player: TablePlayer) -> HttpResponse | None:
    """Instead of a page with the orders of whoever holds the table's one device, but for the first time."""
    match = request.resolver_match
    if (
        not player.table.is_one_device
        or match is None
        or match.view_name == "tables:hand"
        or not is_page(request)
    ):
        return None
    key = player.table.game.key
    if player.number:
        return None if one_device.show_once(request, key) else redirect("tables:hand", key)
    return redirect("tables:hand", key) if match.view_name == "tables:table" else None


def _look_at_teacher(request: HttpRequest, player: TablePlayer) -> HttpResponse | None:
    """Instead of any page of a class that the teacher has stopped; orders are taken all the same."""
    session, match = player.table.class_session, request.resolver_match
    if session is None or session.stopped_at is None or player.is_referee or match is None:
        return None
    if match.view_name == "games:now":
        return JsonResponse({"reload": True})
    if not is_page(request):
        return None
    context = {"table": player.table, "topics": page_context.signed_game_topic(player.table.game.key)}
    response = render(request, "tables/look_at_teacher.html", context)
    add_never_cache_headers(response)
    return response
