"""What else could have been ordered in a game on line: once it is over, never before."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.bots.coach_pages import coach_response
from talleyrand.web.games import page_context, secret_votes

from .game_board import game_board_or_404


@never_cache
@require_safe
def game_coach_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    if not board.viewer.is_game_over or board.revision is None:
        raise Http404
    return coach_response(request, board, secret_votes.all_order_lines(board.revision), apart=True)
