"""The phases of a game as the history of its board shows them, one after the other."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from talleyrand.web.boards import wording
from talleyrand.web.boards.news import news
from talleyrand.web.games import frame

from . import conditional
from .board import Board, opened


@require_safe
def scene(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A published phase with its results; the open one with the orders that the visitor may see."""
    board = opened(frame.entered(request, key), number, request.GET.get("power", ""), request.GET)
    if board.revision:
        etag = conditional.tag(board.revision, more=f"scene {board.address(number)}")
        return conditional.answered(request, etag, lambda: JsonResponse(_told(board)))
    response = JsonResponse(_told(board))
    add_never_cache_headers(response)
    return response


def _told(board: Board) -> dict[str, Any]:
    return {
        "number": board.number,
        "title": (wording.phase if board.question else wording.season)(board.variant, board.code),
        "address": board.address(board.number),
        "news": list(news(board.variant, board.question, dict(board.answer))) if board.answer else [],
        "layers": board.sketch.every_layer(),
    }
