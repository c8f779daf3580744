"""The history of a game as PDF."""

from __future__ import annotations

import hashlib
import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import talleyrand
from talleyrand import drawing
from talleyrand.formats.records import read_record
from talleyrand.printing import history
from talleyrand.printing.chronicle import chronicle
from talleyrand.printing.pdf import Unavailable
from talleyrand.web import errors
from talleyrand.web.boards import wording
from talleyrand.web.boards.keeping import Busy, Store

from . import records
from .models import PracticeGame

STORE = Store("histories", most=100, patience=15)


def document(request: HttpRequest, game: PracticeGame) -> HttpResponse:
    """The phases played, a page a year, made once for all who ask; no order in preparation is in it."""
    language, record = wording.language(), records.as_json(game)
    name = f"{_digest(json.dumps(record, sort_keys=True), language)}.pdf"
    try:
        content = STORE.kept(name, lambda: history.written(chronicle(read_record(record)), language))
    except Busy:
        return errors.busy(request)
    except Unavailable:
        return errors.page(request, HTTPStatus.NOT_IMPLEMENTED, _("No PDF here"), _without())
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="talleyrand-{game.variant}.pdf"'
    response["Cache-Control"] = "no-store"
    return response


def _without() -> str:
    return _(
        "This site cannot make PDFs: whoever runs it can install the extra “pdf” and the Pango library. "
        "Each phase prints just as well from its page, and the whole game can be saved as text."
    )


def _digest(*inputs: str) -> str:
    """What the document depends on: the game, the language, the drawing and the version."""
    parts = (*inputs, talleyrand.__version__, drawing.STYLE, history.STYLE)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
