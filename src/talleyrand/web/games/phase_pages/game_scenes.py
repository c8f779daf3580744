"""The phases of a game as the history of its board shows them, one after the other."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names
from talleyrand.web.boards.phase_summaries import phase_summary
from talleyrand.web.games import page_context

from . import revision_etags
from .game_board import GameBoard, game_board_or_404


@require_safe
def game_scene_json(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A published phase with its results; the open one with the orders that the visitor may see."""
    board = game_board_or_404(
        page_context.game_viewer_of_page(request, key), number, request.GET.get("power", ""), request.GET
    )
    if board.revision:
        etag = revision_etags.revision_etag(board.revision, more=f"scene {board.phase_url(number)}")
        return revision_etags.conditional_response(request, etag, lambda: JsonResponse(_told(board)))
    response = JsonResponse(_told(board))
    add_never_cache_headers(response)
    return response


def _told(board: GameBoard) -> dict[str, Any]:
    return {
        "number": board.phase_number,
        "title": (display_names.phase_name if board.question else display_names.season_name)(
            board.variant, board.phase_code
        ),
        "address": board.phase_url(board.phase_number),
        "news": list(phase_summary(board.variant, board.question, dict(board.answer)))
        if board.answer
        else [],
        "layers": board.phase_map.all_layers(),
    }
