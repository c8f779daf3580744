"""A phase to go on with on the practice board."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from talleyrand.web.boards import incoming
from talleyrand.web.games import frame
from talleyrand.web.practice import starts
from talleyrand.web.practice.records import Brought

from . import records
from .board import Board, opened


@require_POST
def copy(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A practice game that begins with this phase; where it is published, its orders are in preparation."""
    board = opened(frame.entered(request, key), number)
    own = starts.begin(_brought(board), incoming.submission(request))
    messages.success(
        request, _("This is a practice game of your own: what you do here changes nothing there.")
    )
    return redirect("practice:board", own.key)


def possible(board: Board) -> bool:
    """Whether the phase can be practised: the practice board knows the books of this site alone."""
    return board.question is not None and isinstance(board.game.rulebook, str)


def _brought(board: Board) -> Brought:
    """Without the seed: what will be drawn by lot in the game is nobody’s to try out."""
    game, situation = board.game, board.story.situation(board.number)
    if situation is None or not isinstance(game.rulebook, str):
        raise Http404
    draft = records.sheets(board.revision, records.in_words(board.variant)) if board.revision else {}
    return Brought(game.variant, game.rulebook, "", situation, draft=draft)
