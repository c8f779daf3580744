"""The picture that a link to a game shows where it is posted: the phase as everybody may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from talleyrand.drawing.preview_card import HEIGHT, WIDTH, draw_preview_card
from talleyrand.web.background.generated_documents import DocumentFailed, DocumentPending, QuotaUsedUp
from talleyrand.web.boards import display_names, file_downloads
from talleyrand.web.common import absolute_urls, error_pages

from .practice_board import PracticeBoard

IMAGE_WAIT_SECONDS = 6.0  # seconds: who shows a link does not ask for its picture again
CACHE_SECONDS = 300  # seconds for which a picture may be shown again without asking


def link_previews_available() -> bool:
    """Whether this site can make such pictures."""
    return find_spec("resvg_py") is not None


def link_preview_meta(
    board: PracticeBoard, request: HttpRequest, table: Sequence[Mapping[str, Any]]
) -> dict[str, object]:
    """What the head of a game's page tells those who post its link; never the address of its owner.

    `table` has the powers of the page, those with most centres first.
    """
    latest = board.phase_number == board.last_phase_number
    page = "practice:shared" if latest else "practice:shared_phase"
    place = [board.game.shared_key] if latest else [board.game.shared_key, board.phase_number]
    picture = reverse("practice:preview", args=[board.game.shared_key, board.phase_number])
    return {
        "title": f"{board.variant.title[display_names.reader_language()]} – {_phase(board)}",
        "description": _centre_counts_text(table),
        "url": absolute_urls.absolute_url(request, reverse(page, args=place)),
        "image": absolute_urls.absolute_url(request, picture) if link_previews_available() else "",
        "width": WIDTH,
        "height": HEIGHT,
    }


def _phase(board: PracticeBoard) -> str:
    return display_names.phase_name(board.variant, board.phase_code)


def _centre_counts_text(table: Sequence[Mapping[str, Any]]) -> str:
    """The position in a sentence: who has how many centres."""
    listed = ", ".join(f"{row['name']} {row['centres']}" for row in table if row["centres"])
    if not listed:
        return _("Map of a Diplomacy game.")
    return _("Map of a Diplomacy game. Centres: %(listed)s.") % {"listed": listed}


@require_safe
def link_preview_image(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    """The picture, 1200 by 630; the orders in preparation are not in it."""
    board = PracticeBoard.opened("", shared, number)
    svg = _card(board)
    digest = hashlib.sha256(svg.encode()).hexdigest()[:32]
    if digest in request.headers.get("If-None-Match", ""):
        return _cached_response(HttpResponseNotModified(), digest)
    try:
        content = file_downloads.map_png(request, svg, WIDTH, IMAGE_WAIT_SECONDS)
    except (DocumentPending, QuotaUsedUp) as problem:
        return file_downloads.document_error_page(request, problem)
    except DocumentFailed:
        sentence = _("No link previews on this site (the “draw” extra is not installed).")
        return error_pages.error_page(request, HTTPStatus.NOT_IMPLEMENTED, _("No picture"), sentence)
    return _cached_response(HttpResponse(content, content_type="image/png"), digest)


def _card(board: PracticeBoard) -> str:
    drawn = board.phase_map
    titles = dict(display_names.rulebook_titles())
    book = [titles[board.game.rulebook]] if board.game.rulebook in titles else []
    lines = (board.variant.title[display_names.reader_language()], _phase(board), *book)
    return draw_preview_card(
        drawn.variant, drawn.position, drawn.svg(caption=False), lines, display_names.reader_language()
    )


def _cached_response(response: HttpResponse, digest: str) -> HttpResponse:
    response["ETag"] = f'"{digest}"'
    patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
    return response
