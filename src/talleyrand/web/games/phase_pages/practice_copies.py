"""A phase to go on with on the practice board."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from talleyrand.web.boards import order_requests
from talleyrand.web.games import page_context
from talleyrand.web.practice import start_views
from talleyrand.web.practice import views as practice_views
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.practice.practice_records import ImportedGame

from . import game_records
from .game_board import GameBoard, game_board_or_404


@require_POST
def copy_to_practice(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A practice game that begins with this phase; where it is published, its orders are in preparation."""
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    submission = order_requests.submission_id_of(request)
    is_new = not submission or not PracticeGame.objects.filter(submission_id=submission).exists()
    own = start_views.create_imported_game(_brought(board), submission)
    messages.success(request, _("This is your own practice copy: nothing here affects the game."))
    if is_new:
        practice_views.fill_copy(request, own, 1)
    return redirect("practice:board", own.key)


def may_copy_to_practice(board: GameBoard) -> bool:
    """Whether the phase can be practised: the practice board knows the books of this site alone."""
    return board.question is not None and isinstance(board.game.rulebook, str)


def _brought(board: GameBoard) -> ImportedGame:
    """Without the seed: what will be drawn by lot in the game is nobody’s to try out."""
    game, situation = board.game, board.history.situation(board.phase_number)
    if situation is None or not isinstance(game.rulebook, str):
        raise Http404
    draft = (
        game_records.public_order_lines(board.revision, game_records.order_writer(board.variant))
        if board.revision
        else {}
    )
    return ImportedGame(game.variant, game.rulebook, "", situation, draft=draft)
