"""The phases of a game as the history of its board shows them, one after the other."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from talleyrand.web.boards import board_context
from talleyrand.web.games import page_context

from . import revision_etags
from .game_board import game_board_or_404


@require_safe
def game_scene_json(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A published phase with its results; the open one with the orders that the visitor may see."""
    board = game_board_or_404(
        page_context.game_viewer_of_page(request, key), number, request.GET.get("power", ""), request.GET
    )

    def scene_response() -> HttpResponse:
        return JsonResponse(board_context.scene_context(board))

    if board.revision:
        etag = revision_etags.revision_etag(board.revision, more=f"scene {board.phase_url(number)}")
        return revision_etags.conditional_response(request, etag, scene_response)
    response = scene_response()
    add_never_cache_headers(response)
    return response
