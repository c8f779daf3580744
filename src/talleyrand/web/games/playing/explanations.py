"""Why: the chain of causes behind one order of a published phase."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import explaining, wording
from talleyrand.web.boards.chain import Chain, chain
from talleyrand.web.games import frame, sealing

from . import conditional
from .board import Board, opened


@never_cache
@require_safe
def why(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    board = opened(frame.entered(request, key), number)
    title = wording.phase(board.variant, board.code)
    return explaining.page(request, chain_of(board, province), title, board.address(number))


@require_safe
def steps(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    board = opened(frame.entered(request, key), number)
    if board.revision is None:
        raise Http404
    etag = conditional.tag(board.revision, more=f"why {province}")
    return conditional.answered(request, etag, lambda: explaining.steps(chain_of(board, province)))


def chain_of(board: Board, province: str) -> Chain:
    """Raises Http404 for a phase that is not published or was decided by the game master, and for a place
    without an order to explain.
    """
    revision, question = board.revision, board.question
    if revision is None or question is None or revision.changes:
        raise Http404
    found = chain(question, sealing.lines(revision), province, apart=True)
    if found is None:
        raise Http404
    return found
