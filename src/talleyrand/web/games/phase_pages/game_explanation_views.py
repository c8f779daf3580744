"""Why: the chain of causes behind one order of a published phase."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names, explanation_responses
from talleyrand.web.boards.explanations import Explanation, explain_order
from talleyrand.web.games import page_context, secret_votes

from . import revision_etags
from .game_board import GameBoard, game_board_or_404


@never_cache
@require_safe
def game_explanation_page(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    title = display_names.phase_name(board.variant, board.phase_code)
    return explanation_responses.explanation_response(
        request, explanation_or_404(board, province), title, board.phase_url(number)
    )


@require_safe
def game_explanation_json(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    if board.revision is None:
        raise Http404
    etag = revision_etags.revision_etag(board.revision, more=f"why {province}")
    return revision_etags.conditional_response(
        request,
        etag,
        lambda: explanation_responses.explanation_steps_json(explanation_or_404(board, province)),
    )


def explanation_or_404(board: GameBoard, province: str) -> Explanation:
    """Raises Http404 for a phase that is not published or was decided by the game master, and for a place
    without an order to explain.
    """
    revision, question = board.revision, board.question
    if revision is None or question is None or revision.overrides:
        raise Http404
    found = explain_order(question, secret_votes.all_order_lines(revision), province, apart=True)
    if found is None:
        raise Http404
    return found
