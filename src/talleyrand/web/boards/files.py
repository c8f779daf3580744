"""A phase or a game as a file to keep."""

from __future__ import annotations

import hashlib
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import talleyrand
from talleyrand import drawing
from talleyrand.drawing.png import png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.records import Record
from talleyrand.printing import history
from talleyrand.printing.chronicle import chronicle
from talleyrand.printing.pdf import Unavailable
from talleyrand.web import errors

from . import wording
from .keeping import Busy, Store
from .picture import Sketch

WIDTH = 1600
HISTORIES = Store("histories", most=100, patience=15)


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
        return file(png(svg, WIDTH), "image/png", f"{name}.png")
    except TalleyrandError:
        sentence = _(
            "This site has no PNG (the extra “draw” is not installed). The SVG file works everywhere."
        )
        return errors.page(request, HTTPStatus.NOT_IMPLEMENTED, _("No picture"), sentence)


def history_of(request: HttpRequest, record: Record, told: str, name: str) -> HttpResponse:
    """The phases played, a page a year, as PDF made once for all who ask; `told` is all it depends on."""
    language = wording.language()
    kept = f"{edition(told, language, history.STYLE)}.pdf"
    try:
        content = HISTORIES.kept(kept, lambda: history.written(chronicle(record), language))
    except Busy:
        return errors.busy(request)
    except Unavailable:
        return without_pdf(request)
    return document(content, name)


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
