"""A game or a phase as a file to keep."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names, file_downloads, paper_downloads
from talleyrand.web.boards.phase_maps import position_map

from . import practice_access, practice_pdf, practice_record_text, practice_records
from .practice_board import PracticeBoard


@require_safe
def practice_map_file(
    request: HttpRequest, number: int, form: str, key: str = "", shared: str = ""
) -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    if form not in ("png", "svg"):
        raise Http404
    return file_downloads.map_download(
        request, board.phase_map, f"talleyrand-{board.game.variant}-{board.phase_code}", form
    )


@never_cache
@require_safe
def practice_map_sheet(
    request: HttpRequest, number: int, paper: str, key: str = "", shared: str = ""
) -> HttpResponse:
    """The map of a phase on a sheet of paper, without orders in preparation."""
    board = PracticeBoard.opened(key, shared, number)
    sketch = board.phase_map if board.is_played or not board.question else position_map(board.question)
    name = f"talleyrand-{board.game.variant}-{board.phase_code}"
    return paper_downloads.phase_map_response(request, sketch, paper, name)


@never_cache
@require_safe
def practice_order_sheets(request: HttpRequest, number: int, key: str = "", shared: str = "") -> HttpResponse:
    """Sheets for the orders of a phase: of every power, or of the one that is played."""
    board = PracticeBoard.opened(key, shared, number)
    if board.question is None:
        raise Http404
    powers = [board.game.played_power] if board.game.played_power else board.variant.definition.seats
    title = board.variant.title[display_names.reader_language()]
    name = f"talleyrand-{board.game.variant}-{board.phase_code}"
    return paper_downloads.order_sheets_response(request, board.question, powers, title, name)


@require_safe
def practice_record_file(request: HttpRequest, form: str, key: str = "", shared: str = "") -> HttpResponse:
    game = practice_access.game_or_404(key, shared)
    if form == "pdf":
        return practice_pdf.practice_history_pdf(request, game)
    name = f"talleyrand-{game.variant}.{form}"
    if form == "txt":
        return file_downloads.download_response(
            practice_record_text.practice_record_text(game), "text/plain; charset=utf-8", name
        )
    if form == "json":
        record = practice_records.practice_record_json(game, with_talk=bool(key))
        text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        return file_downloads.download_response(text, "application/json; charset=utf-8", name)
    raise Http404
