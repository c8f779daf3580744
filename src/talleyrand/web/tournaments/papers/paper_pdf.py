"""A page of HTML as PDF, made once for all who ask; a worker makes it where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing, variants
from talleyrand.drawing.png import BOARD_FONTS, FALLBACK_FAMILY
from talleyrand.printing import pdf
from talleyrand.variants import LANGUAGES
from talleyrand.web.background.generated_documents import get_document
from talleyrand.web.boards import display_names, file_downloads
from talleyrand.web.common import qr_codes
from talleyrand.web.common.visitor_quota import visitor_id

PAPER_JOB = "paper"
ACROSS = 1700  # pixels of the board behind a diploma
PALE = drawing.MapStyle()
FONTS = (*BOARD_FONTS, "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def paper_response(
    request: HttpRequest, template: str, context: Mapping[str, Any], name: str, **how: bool
) -> HttpResponse:
    """The PDF of a template under `tournaments/papers/print/`, or a page that says why there is none yet.

    `how` is what `make_paper_pdf` takes besides.
    """
    shown = paper_html(template, context)
    try:
        paper = f"papers/{file_downloads.inputs_digest(shown)}.pdf"
        content = get_document(paper, PAPER_JOB, {"html": shown, **how}, visitor=visitor_id(request))
    except file_downloads.DOCUMENT_ERRORS as problem:
        return file_downloads.document_error_page(request, problem)
    return file_downloads.pdf_response(content, name)


def paper_html(template: str, context: Mapping[str, Any]) -> str:
    """The page, which holds all that the PDF is made from but its fonts."""
    shared = {
        "language": display_names.reader_language(),
        "faces": pdf.font_faces(FONTS),
        "family": FALLBACK_FAMILY,
    }
    shared["foot"] = _quoted(context["event"].name)
    return render_to_string(f"tournaments/papers/print/{template}.html", {**shared, **context})


def _quoted(text: str) -> SafeString:
    """A text as a style sheet has it within quotation marks."""
    plain = (letter if letter.isalnum() or letter in " ,.-–’" else f"\\{ord(letter):x} " for letter in text)
    return mark_safe("".join(plain))  # noqa: S308 nothing but letters and escapes is left


def make_paper_pdf(html: str, filled_forms: bool = False) -> bytes:
    """The page as PDF, see `html_to_pdf`; the job of workers. Raises PdfUnavailable."""
    return pdf.html_to_pdf(html, _fetched, filled_forms=filled_forms)


def _fetched(url: str) -> tuple[bytes, str]:
    """The document’s fonts, squares and the board behind diplomas, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "font":
        return pdf.font_file(rest)
    if kind == "qr":
        return qr_codes.qr_png(unquote(rest)), "image/png"
    if kind == "map" and rest in LANGUAGES:
        return pdf.board_jpeg(
            drawing.apply_style(drawing.draw_empty_board(variants.load("classic"), rest), PALE), ACROSS
        )
    raise ValueError(url)
