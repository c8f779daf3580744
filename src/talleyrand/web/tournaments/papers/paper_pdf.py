"""The papers of a tournament: templates as PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from talleyrand.drawing.png import FALLBACK_FAMILY
from talleyrand.printing import pdf
from talleyrand.printing.order_sheets import PAPER_FONTS
from talleyrand.web.boards import display_names
from talleyrand.web.boards.paper_downloads import paper_pdf_response


def paper_response(
    request: HttpRequest, template: str, context: Mapping[str, Any], name: str
) -> HttpResponse:
    """The PDF of a template under `tournaments/papers/print/`, or a page that says why there is none yet."""
    return paper_pdf_response(request, paper_html(template, context), name)


def paper_html(template: str, context: Mapping[str, Any]) -> str:
    """The page, which holds all that the PDF is made from but its fonts."""
    shared = {
        "language": display_names.reader_language(),
        "faces": pdf.font_faces(PAPER_FONTS),
        "family": FALLBACK_FAMILY,
    }
    shared["foot"] = _quoted(context["event"].name)
    return render_to_string(f"tournaments/papers/print/{template}.html", {**shared, **context})


def _quoted(text: str) -> SafeString:
    """A text as a style sheet has it within quotation marks."""
    plain = (letter if letter.isalnum() or letter in " ,.-–’" else f"\\{ord(letter):x} " for letter in text)
    return mark_safe("".join(plain))  # noqa: S308 nothing but letters and escapes is left
