"""On the pages of a game, a phone that sits at its table is the guest of its seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from . import table_seats

GAME_SPACES = ("games", "press", "tables")


class TableGuestMiddleware:
    """Sets `request.user` for the addresses of a game whose table this browser sits at; nowhere else, so that
    whoever is signed in stays so.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> None:
        del view, arguments
        match = request.resolver_match
        if "key" not in named or match is None or match.namespaces[:1] not in ([one] for one in GAME_SPACES):
            return
        player = table_seats.player_of_request(request, named["key"])
        if player is not None:
            request.user = player.person
