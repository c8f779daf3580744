"""The picture that a link to a game shows where it is posted: the phase as everybody may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from talleyrand.drawing.card import HEIGHT, WIDTH, card
from talleyrand.web import addresses, errors
from talleyrand.web.background.documents import NotMade, Preparing, Spent
from talleyrand.web.boards import files, wording

from . import visits
from .board import Desk

PATIENCE = 6.0  # seconds: who shows a link does not ask for its picture again
FRESH = 300  # seconds for which a picture may be shown again without asking


def offered() -> bool:
    """Whether this site can make such pictures."""
    return find_spec("resvg_py") is not None


def meta(desk: Desk, request: HttpRequest, table: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """What the head of a game's page tells those who post its link; never the address of its owner.

    `table` has the powers of the page, those with most centres first.
    """
    latest = desk.number == desk.story.current
    page = "practice:shared" if latest else "practice:shared_phase"
    place = [desk.game.shared] if latest else [desk.game.shared, desk.number]
    picture = reverse("practice:preview", args=[desk.game.shared, desk.number])
    return {
        "title": f"{desk.variant.title[wording.language()]} – {_phase(desk)}",
        "description": _told(table),
        "url": addresses.absolute(request, reverse(page, args=place)),
        "image": addresses.absolute(request, picture) if offered() else "",
        "width": WIDTH,
        "height": HEIGHT,
    }


def _phase(desk: Desk) -> str:
    return wording.phase(desk.variant, desk.code)


def _told(table: Sequence[Mapping[str, Any]]) -> str:
    """The position in a sentence: who has how many centres."""
    listed = ", ".join(f"{row['name']} {row['centres']}" for row in table if row["centres"])
    if not listed:
        return _("Map of a game of Diplomacy.")
    return _("Map of a game of Diplomacy. Centres: %(listed)s.") % {"listed": listed}


@require_safe
def preview(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    """The picture, 1200 by 630; the orders in preparation are not in it."""
    desk = Desk(visits.shared(shared), number, owner=False)
    if not 1 <= number <= desk.story.current:
        raise Http404
    svg = _card(desk)
    digest = hashlib.sha256(svg.encode()).hexdigest()[:32]
    if digest in request.headers.get("If-None-Match", ""):
        return _kept(HttpResponseNotModified(), digest)
    try:
        content = files.picture_of(request, svg, WIDTH, PATIENCE)
    except (Preparing, Spent) as problem:
        return files.later(request, problem)
    except NotMade:
        sentence = _("This site makes no pictures of links (the extra “draw” is not installed).")
        return errors.page(request, HTTPStatus.NOT_IMPLEMENTED, _("No picture"), sentence)
    return _kept(HttpResponse(content, content_type="image/png"), digest)


def _card(desk: Desk) -> str:
    drawn = desk.sketch
    lines = (desk.variant.title[wording.language()], _phase(desk), *_book(desk))
    return card(drawn.variant, drawn.position, drawn.svg(caption=False), lines, wording.language())


def _book(desk: Desk) -> list[str]:
    titles = dict(wording.rulebook_titles())
    return [titles[desk.game.rulebook]] if desk.game.rulebook in titles else []


def _kept(response: HttpResponse, digest: str) -> HttpResponse:
    response["ETag"] = f'"{digest}"'
    patch_cache_control(response, public=True, max_age=FRESH)
    return response
