"""A phase or a game as a file to keep."""

from __future__ import annotations

import hashlib
import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import png
from talleyrand.formats.records import read_record
from talleyrand.formats.shapes import Json
from talleyrand.printing import history
from talleyrand.printing.chronicle import chronicle
from talleyrand.printing.pdf import Unavailable
from talleyrand.web import errors
from talleyrand.web.background.documents import AT_ONCE, NotMade, Preparing, Spent, kept
from talleyrand.web.visitors import visitor

from . import wording
from .picture import Sketch

WIDTH = 1600
LATER = (Preparing, NotMade, Spent, Unavailable)


def file(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """Something to keep, under a name; kept by nobody on its way."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def picture(request: HttpRequest, sketch: Sketch, name: str, form: str) -> HttpResponse:
    """The map of a phase as SVG or PNG, with its caption; `name` without its ending."""
    svg = sketch.svg(caption=True)
    if form == "svg":
        return file(drawing.kept(svg), "image/svg+xml; charset=utf-8", f"{name}.svg")
    try:
        return file(picture_of(request, svg, WIDTH), "image/png", f"{name}.png")
    except (Preparing, Spent) as problem:
        return later(request, problem)
    except NotMade:
        sentence = _(
            "This site has no PNG (the extra “draw” is not installed). The SVG file works everywhere."
        )
        return errors.page(request, HTTPStatus.NOT_IMPLEMENTED, _("No picture"), sentence)


def picture_of(request: HttpRequest, svg: str, width: int, longest: float = AT_ONCE) -> bytes:
    """A drawing as PNG, made once for all who ask. Raises Preparing, NotMade and Spent."""
    name, told = f"pictures/{edition(svg)}-{width}.png", {"svg": svg, "width": width}
    return kept(name, "picture", told, visitor=visitor(request), longest=longest)


def picture_written(svg: str, width: int) -> bytes:
    """A drawing as PNG. Raises TalleyrandError."""
    return png(svg, width)


def history_of(request: HttpRequest, record: Json, name: str) -> HttpResponse:
    """The phases played, a page a year, as PDF made once for all who ask; `record` is all it depends on."""
    language = wording.language()
    name_of = f"histories/{edition(json.dumps(record, sort_keys=True), language, history.STYLE)}.pdf"
    told = {"told": json.dumps(record), "language": language}
    try:
        content = kept(name_of, "history", told, visitor=visitor(request))
    except LATER as problem:
        return later(request, problem)
    return document(content, name)


def history_written(told: str, language: str) -> bytes:
    """The history of a game, from its record in JSON, as PDF. Raises Unavailable."""
    return history.written(chronicle(read_record(json.loads(told))), language)


def later(request: HttpRequest, problem: Exception) -> HttpResponse:
    """What is said where one of LATER was raised: a document is not there yet, or cannot be."""
    if isinstance(problem, Preparing):
        return errors.preparing(request)
    if isinstance(problem, Spent):
        return errors.spent(request)
    return without_pdf(request) if str(problem) in ("", Unavailable.__name__) else errors.not_made(request)


def document(content: bytes, name: str) -> HttpResponse:
    """A PDF to read in the browser."""
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "no-store"
    return response


def without_pdf(request: HttpRequest) -> HttpResponse:
    """What is said where nothing makes PDFs."""
    sentence = _(
        "This site cannot make PDFs: whoever runs it can install the extra “pdf” and the Pango library. "
        "Each phase prints just as well from its page, and the whole game can be saved as text."
    )
    return errors.page(request, HTTPStatus.NOT_IMPLEMENTED, _("No PDF here"), sentence)


def edition(*inputs: str) -> str:
    """A number of what something drawn depends on: its inputs, the drawing and the version."""
    parts = (*inputs, talleyrand.__version__, drawing.STYLE)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
