"""Why: the chain of causes behind one order of a phase, as a page and for the map of the board."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names, explanation_responses
from talleyrand.web.boards.explanations import Explanation, explain_order

from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_explanation_page(
    request: HttpRequest, number: int, province: str, key: str = "", shared: str = ""
) -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    title = display_names.phase_name(board.variant, board.phase_code)
    return explanation_responses.explanation_response(
        request, _explanation_or_404(board, province), title, board.phase_url(number)
    )


@never_cache
@require_safe
def practice_explanation_json(
    request: HttpRequest,  # noqa: ARG001 a view
    number: int,
    province: str,
    key: str = "",
    shared: str = "",
) -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    return explanation_responses.explanation_steps_json(_explanation_or_404(board, province))


def _explanation_or_404(board: PracticeBoard, province: str) -> Explanation:
    """Raises Http404 for a phase that was not played or that a game master decided, and for a place without
    an order to explain.
    """
    turn = None if board.is_corrected else board.played_turn
    found = explain_order(board.question, turn.orders, province) if turn and board.question else None
    if found is None:
        raise Http404
    return found
