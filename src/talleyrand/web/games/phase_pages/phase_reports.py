"""The report of a published phase: map, orders with their reasons, centres and the gazette, on paper."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import drawing
from talleyrand.drawing.png import FALLBACK_FAMILY
from talleyrand.printing import pdf
from talleyrand.web.background.generated_documents import get_document
from talleyrand.web.boards import display_names, file_downloads, position_tables
from talleyrand.web.common.visitor_quota import visitor_id
from talleyrand.web.games import page_context

from . import game_records, phase_page_context, revision_etags
from .game_board import GameBoard, game_board_or_404

MAP_PIXELS = 1500  # pixels across


@never_cache
@require_safe
def report_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The report as a page."""
    board = _published(request, key, number)
    context = {
        **page_context.game_page_context(board.viewer, "board"),
        **_report(board),
        "drawing": board.phase_map.in_readers_shape().inline_svg(getattr(request, "style_nonce", "")),
    }
    return render(request, "games/phase_pages/report.html", context)


@require_safe
def report_pdf_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The report as PDF, made once for all who ask."""
    board = _published(request, key, number)
    assert board.revision is not None
    html = _html(board)
    etag = revision_etags.revision_etag(board.revision, more=html)
    return revision_etags.conditional_response(request, etag, partial(_document, request, board, html))


def _document(request: HttpRequest, board: GameBoard, html: str) -> HttpResponse:
    svg = board.phase_map.svg(caption=False)
    try:
        name = f"reports/{file_downloads.inputs_digest(html, svg)}.pdf"
        content = get_document(name, "report", {"html": html, "svg": svg}, visitor=visitor_id(request))
    except file_downloads.DOCUMENT_ERRORS as problem:
        return file_downloads.document_error_page(request, problem)
    return file_downloads.pdf_response(content, game_records.game_file_name(board.game, board.phase_code))


def report_pdf_bytes(html: str, svg: str) -> bytes:
    """The report as PDF. Raises PdfUnavailable."""
    return pdf.html_to_pdf(html, partial(_fetched, svg))


def _html(board: GameBoard) -> str:
    told = _report(board)
    inked = [{**row, "ink": board.variant.colours.get(row["code"], "")} for row in told["results"]]
    shown = {
        "results": inked,
        "language": display_names.reader_language(),
        "faces": pdf.font_faces(),
        "family": FALLBACK_FAMILY,
    }
    return render_to_string("games/phase_pages/report_print.html", {**told, **shown})


def _fetched(svg: str, url: str) -> tuple[bytes, str]:
    """The document’s map and fonts, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "font":
        return pdf.font_file(rest)
    if kind == "board":
        return pdf.board_jpeg(drawing.apply_style(svg, drawing.MapStyle()), MAP_PIXELS)
    raise ValueError(url)


def _published(request: HttpRequest, key: str, number: int) -> GameBoard:
    board = game_board_or_404(page_context.game_viewer_of_page(request, key), number, query=request.GET)
    if board.revision is None:
        raise Http404
    return board


def _report(board: GameBoard) -> dict[str, Any]:
    query = f"?{board.board_filter.query_string}" if board.board_filter else ""
    return {
        **phase_page_context.published_phase_context(board),
        "game": board.game,
        "number": board.phase_number,
        "title": display_names.phase_name(board.variant, board.phase_code),
        "variant_title": board.variant.title[display_names.reader_language()],
        "rulebook_title": display_names.rulebook_title(board.game.rulebook),
        "table": board.board_filter.filtered_rows(
            position_tables.power_counts(board.variant, board.answer or board.position), board.position
        ),
        "back": board.phase_url(board.phase_number),
        "pdf": reverse("games:report_pdf", args=[board.game.key, board.phase_number]) + query
        if pdf.is_installed()
        else "",
        "narrowed": board.board_filter.form_context(board.variant.board.seats),
    }
