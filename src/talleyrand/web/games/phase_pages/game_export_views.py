"""A published phase or the whole game as a file to keep: what is open is never in it."""

from __future__ import annotations

import json
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import file_downloads, paper_downloads
from talleyrand.web.games import page_context
from talleyrand.web.games.models import Game

from . import game_records, revision_etags
from .game_board import game_board_or_404

RECORD_FORMATS = ("json", "txt", "pdf")


@require_safe
def game_map_file(request: HttpRequest, key: str, number: int, form: str) -> HttpResponse:
    """The map of a phase under the name of its game; of the open one where everything stands, without
    anybody’s orders. A published one is also there as an animation.
    """
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    if form not in ("png", "svg", *(["apng"] if board.revision else [])):
        raise Http404
    title, name = board.game.name, game_records.game_file_name(board.game, board.phase_code)
    if board.revision:
        make = (
            partial(file_downloads.animation_download, request, board.maps_of_phase, name, title)
            if form == "apng"
            else partial(file_downloads.map_download, request, board.public_map, name, form, title)
        )
        etag = revision_etags.revision_etag(board.revision, more=f"{form} {title}")
        return revision_etags.conditional_response(request, etag, make)
    response = file_downloads.map_download(request, board.public_map, name, form, title)
    add_never_cache_headers(response)
    return response


@never_cache
@require_safe
def game_map_sheet(request: HttpRequest, key: str, number: int, paper: str) -> HttpResponse:
    """The map of a phase on a sheet of paper; of the open one where everything stands, without any order."""
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    name = game_records.game_file_name(board.game, board.phase_code)
    return paper_downloads.phase_map_response(request, board.public_map, paper, name, board.game.name)


@never_cache
@require_safe
def game_order_sheets(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Sheets for the orders of a phase: of one’s own powers, of all for the game master."""
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number)
    if board.question is None:
        raise Http404
    name = game_records.game_file_name(board.game, board.phase_code)
    return paper_downloads.order_sheets_response(
        request, board.question, board.powers_on_paper, board.game.name, name
    )


@require_safe
def game_record_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The phases published so far, as JSON that can be replayed, as text or as PDF."""
    game = page_context.game_viewer_of_page(request, key).game
    if form not in RECORD_FORMATS or not game.phase_number:
        raise Http404
    etag = revision_etags.revision_etag(
        *game_records.current_revisions(game), more=f"game {form} {game.state}"
    )
    return revision_etags.conditional_response(request, etag, partial(record_response, request, game, form))


def record_response(request: HttpRequest, game: Game, form: str) -> HttpResponse:
    """The game as a file in one of FORMS."""
    name = game_records.game_file_name(game)
    if form == "txt":
        return file_downloads.download_response(
            game_records.game_record_text(game), "text/plain; charset=utf-8", f"{name}.txt"
        )
    if form == "pdf":
        told = game_records.game_record_json(game, seeded=True)  # no word of it in the document
        return file_downloads.history_pdf_response(request, told, name)
    told = game_records.game_record_json(game, seeded=game_records.may_tell_seed(game))
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    return file_downloads.download_response(text, "application/json; charset=utf-8", f"{name}.json")
