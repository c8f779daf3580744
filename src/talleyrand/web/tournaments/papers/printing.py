"""A page of HTML as PDF, made once for all who ask; a worker makes it where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing, variants
from talleyrand.drawing.png import FAMILY, LETTERS
from talleyrand.printing import pdf
from talleyrand.variants import LANGUAGES
from talleyrand.web.background.documents import kept
from talleyrand.web.boards import files, wording
from talleyrand.web.visitors import visitor

JOB = "paper"
ACROSS = 1700  # pixels of the board behind a diploma
PALE = drawing.Look()
FONTS = (*LETTERS, "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def answered(request: HttpRequest, template: str, context: Mapping[str, Any], name: str) -> HttpResponse:
    """The PDF of a template under `tournaments/papers/print/`, or a page that says why there is none yet."""
    shown = html(template, context)
    try:
        paper = f"papers/{files.edition(shown)}.pdf"
        content = kept(paper, JOB, {"html": shown}, visitor=visitor(request))
    except files.LATER as problem:
        return files.later(request, problem)
    return files.document(content, name)


def html(template: str, context: Mapping[str, Any]) -> str:
    """The page, which holds all that the PDF is made from but its fonts."""
    shared = {"language": wording.language(), "faces": pdf.faces(FONTS), "family": FAMILY}
    shared["foot"] = _quoted(context["event"].name)
    return render_to_string(f"tournaments/papers/print/{template}.html", {**shared, **context})


def _quoted(text: str) -> SafeString:
    """A text as a style sheet has it within quotation marks."""
    plain = (letter if letter.isalnum() or letter in " ,.-–’" else f"\\{ord(letter):x} " for letter in text)
    return mark_safe("".join(plain))  # noqa: S308 nothing but letters and escapes is left


def written(html: str) -> bytes:
    """The page as PDF; the job of workers. Raises Unavailable."""
    return pdf.written(html, _fetched)


def _fetched(url: str) -> tuple[bytes, str]:
    """The document’s fonts and the board behind diplomas, and nothing from anywhere else."""
    kind, _, rest = url.partition(":")
    if kind == "font":
        return pdf.font(rest)
    if kind == "map" and rest in LANGUAGES:
        return pdf.photograph(drawing.settled(drawing.base(variants.load("classic"), rest), PALE), ACROSS)
    raise ValueError(url)
