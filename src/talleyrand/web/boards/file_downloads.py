"""A phase or a game as a file to keep."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import render_animation, render_png
from talleyrand.formats.game_record import read_game_record
from talleyrand.formats.json_checks import Json
from talleyrand.printing import history_pdf
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.printing.pdf import PdfUnavailable
from talleyrand.web.background.generated_documents import (
    AT_ONCE,
    DocumentFailed,
    DocumentPending,
    QuotaUsedUp,
    get_document,
)
from talleyrand.web.common import error_pages
from talleyrand.web.common.visitor_quota import visitor_id

from . import display_names
from .phase_maps import PhaseMap

PNG_WIDTH = 1600
ANIMATION_WIDTH = 800  # three frames stay below what group chats take
ANIMATION_SECONDS = (1.5, 3.5, 2.5)  # for what was, the orders and what came of them
DOCUMENT_ERRORS = (DocumentPending, DocumentFailed, QuotaUsedUp, PdfUnavailable)


def download_response(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """Something to keep, under a name; kept by nobody on its way."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def map_download(
    request: HttpRequest, sketch: PhaseMap, name: str, form: str, title: str | None = None
) -> HttpResponse:
    """The map of a phase as SVG or PNG, with its caption; `name` without its ending."""
    svg = sketch.svg(caption=True, title=title)
    if form == "svg":
        return download_response(drawing.standalone_svg(svg), "image/svg+xml; charset=utf-8", f"{name}.svg")
    return _picture_download(request, partial(map_png, request, svg, PNG_WIDTH), f"{name}.png")


def animation_download(
    request: HttpRequest, sketches: Sequence[PhaseMap], name: str, title: str
) -> HttpResponse:
    """Three maps of a phase, before, with its orders and after, as one PNG that moves; for a chat its name
    ends as that of any picture.
    """
    svgs = [sketch.svg(caption=True, title=title, legend=False) for sketch in sketches]
    document = f"pictures/{inputs_digest(*svgs)}-{ANIMATION_WIDTH}.apng"
    make = partial(get_document, document, "animation", {"svgs": svgs}, visitor=visitor_id(request))
    return _picture_download(request, make, f"{name}-animation.png")


def _picture_download(request: HttpRequest, make: Callable[[], bytes], name: str) -> HttpResponse:
    try:
        return download_response(make(), "image/png", name)
    except (DocumentPending, QuotaUsedUp) as problem:
        return document_error_page(request, problem)
    except DocumentFailed:
        sentence = _(
            "No PNG on this site (the “draw” extra is not installed). The SVG file works everywhere."
        )
        return error_pages.error_page(request, HTTPStatus.NOT_IMPLEMENTED, _("No picture"), sentence)


def map_png(request: HttpRequest, svg: str, width: int, longest: float = AT_ONCE) -> bytes:
    """A drawing as PNG, made once for all who ask. Raises DocumentPending, DocumentFailed and QuotaUsedUp."""
    name, told = f"pictures/{inputs_digest(svg)}-{width}.png", {"svg": svg, "width": width}
    return get_document(name, "picture", told, visitor=visitor_id(request), longest=longest)


def make_map_png(svg: str, width: int) -> bytes:
    """A drawing as PNG. Raises TalleyrandError."""
    return render_png(svg, width)


def make_map_animation(svgs: Sequence[str]) -> bytes:
    """Drawings as one PNG that moves. Raises TalleyrandError."""
    return render_animation(svgs, ANIMATION_SECONDS, ANIMATION_WIDTH)


def history_pdf_response(request: HttpRequest, record: Json, name: str) -> HttpResponse:
    """The phases played, a page a year, as PDF made once for all who ask; `record` is all it depends on."""
    language = display_names.reader_language()
    digest = inputs_digest(json.dumps(record, sort_keys=True), language, history_pdf.HISTORY_CSS)
    told = {"told": json.dumps(record), "language": language}
    try:
        content = get_document(f"histories/{digest}.pdf", "history", told, visitor=visitor_id(request))
    except DOCUMENT_ERRORS as problem:
        return document_error_page(request, problem)
    return pdf_response(content, name)


def make_history_pdf(told: str, language: str) -> bytes:
    """The history of a game, from its record in JSON, as PDF. Raises PdfUnavailable."""
    return history_pdf.render_history_pdf(build_printed_history(read_game_record(json.loads(told))), language)


def document_error_page(request: HttpRequest, problem: Exception) -> HttpResponse:
    """What is said where one of LATER was raised: a document is not there yet, or cannot be."""
    if isinstance(problem, DocumentPending):
        return error_pages.preparing(request, problem.seconds, problem.others)
    if isinstance(problem, QuotaUsedUp):
        return error_pages.quota_used_up(request)
    return (
        no_pdf_page(request)
        if str(problem) in ("", PdfUnavailable.__name__)
        else error_pages.document_failed(request)
    )


def pdf_response(content: bytes, name: str) -> HttpResponse:
    """A PDF to read in the browser."""
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "no-store"
    return response


def no_pdf_page(request: HttpRequest) -> HttpResponse:
    """What is said where nothing makes PDFs."""
    sentence = _(
        "This site can’t create PDFs: its administrator can install the “pdf” extra and the "
        "Pango library. You can print each phase from its page, and download the whole game "
        "as text."
    )
    return error_pages.error_page(request, HTTPStatus.NOT_IMPLEMENTED, _("No PDF"), sentence)


def inputs_digest(*inputs: str) -> str:
    """A number of what something drawn depends on: its inputs, the drawing and the version."""
    parts = (*inputs, talleyrand.__version__, drawing.BOARD_CSS)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
