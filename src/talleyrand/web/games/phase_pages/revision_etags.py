"""Published phases do not change: whoever has one already is told so by its tag."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

import talleyrand
from talleyrand import drawing
from talleyrand.web.boards import display_names, map_shapes
from talleyrand.web.games.models import PhaseRevision


def revision_etag(*revisions: PhaseRevision, more: str = "") -> str:
    """A strong tag for what is made of these revisions alone, in the reader’s language and map shape."""
    parts = [f"{one.phase_number}.{one.revision}.{one.kind}.{one.digest}" for one in revisions]
    told = "\0".join(
        (
            *parts,
            more,
            display_names.reader_language(),
            map_shapes.readers_shape(),
            talleyrand.__version__,
            drawing.BOARD_CSS,
        )
    )
    return f'"{hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


def conditional_response(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes, for this reader alone to keep and to ask about again, or that it has not changed."""
    known = get_conditional_response(request, etag=etag)
    response = make() if known is None else known
    if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        response["ETag"] = etag
        if response.has_header("Cache-Control"):
            del response["Cache-Control"]
        patch_cache_control(response, private=True, no_cache=True)
    return response
