"""What else could have been ordered, on the practice board: at once."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.bots.coach_pages import coach_response

from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_coach_page(request: HttpRequest, number: int, key: str = "", shared: str = "") -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    if board.played_turn is None:
        raise Http404
    return coach_response(request, board, board.played_turn.orders)
