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
from talleyrand.drawing.png import FAMILY
from talleyrand.printing import pdf
from talleyrand.web.background.documents import kept
from talleyrand.web.boards import files, standing, wording
from talleyrand.web.games import frame
from talleyrand.web.visitors import visitor

from . import conditional, page, records
from .board import Board, opened

MAP = 1500  # pixels across


@never_cache
@require_safe
def report(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The report as a page."""
    board = _published(request, key, number)
    context = {
        **frame.page(board.sight, "board"),
        **_report(board),
        "drawing": board.sketch.inline(getattr(request, "style_nonce", "")),
    }
    return render(request, "games/playing/report.html", context)


@require_safe
def report_pdf(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The report as PDF, made once for all who ask."""
    board = _published(request, key, number)
    assert board.revision is not None
    html = _html(board)
    etag = conditional.tag(board.revision, more=html)
    return conditional.answered(request, etag, partial(_document, request, board, html))


def _document(request: HttpRequest, board: Board, html: str) -> HttpResponse:
    svg = board.sketch.svg(caption=False)
    try:
        name = f"reports/{files.edition(html, svg)}.pdf"
        content = kept(name, "report", {"html": html, "svg": svg}, visitor=visitor(request))
    except files.LATER as problem:
        return files.later(request, problem)
    return files.document(content, records.name(board.game, board.code))


def written(html: str, svg: str) -> bytes:
    """The report as PDF. Raises Unavailable."""
    return pdf.written(html, partial(_fetched, svg))


def _html(board: Board) -> str:
    told = _report(board)
    inked = [{**row, "ink": board.variant.colours.get(row["code"], "")} for row in told["results"]]
    shown = {"results": inked, "language": wording.language(), "faces": pdf.faces(), "family": FAMILY}
    return render_to_string("games/playing/report_print.html", {**told, **shown})


def _fetched(svg: str, url: str) -> tuple[bytes, str]:
    """The document’s map and fonts, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "font":
        return pdf.font(rest)
    if kind == "board":
        return pdf.photograph(drawing.settled(svg, drawing.Look()), MAP)
    raise ValueError(url)


def _published(request: HttpRequest, key: str, number: int) -> Board:
    board = opened(frame.entered(request, key), number, query=request.GET)
    if board.revision is None:
        raise Http404
    return board


def _report(board: Board) -> dict[str, Any]:
    query = f"?{board.narrowed.query}" if board.narrowed else ""
    return {
        **page.published(board),
        "game": board.game,
        "number": board.number,
        "title": wording.phase(board.variant, board.code),
        "variant_title": board.variant.title[wording.language()],
        "rulebook_title": wording.book_title(board.game.rulebook),
        "table": board.narrowed.rows(standing.counts(board.variant, board.answer or board.at), board.at),
        "back": board.address(board.number),
        "pdf": reverse("games:report_pdf", args=[board.game.key, board.number]) + query
        if pdf.installed()
        else "",
        "narrowed": board.narrowed.page(board.variant.board.seats),
    }
