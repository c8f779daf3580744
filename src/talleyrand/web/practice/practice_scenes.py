"""The phases of a game as the history of the board shows them, one after the other."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import board_context

from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_scene_json(request: HttpRequest, number: int, key: str = "", shared: str = "") -> HttpResponse:
    return JsonResponse(board_context.scene_context(PracticeBoard.opened(key, shared, number, request.GET)))
