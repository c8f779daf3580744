"""The phases of a game as the history of the board shows them, one after the other."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import wording
from talleyrand.web.boards.news import news

from . import visits
from .board import Desk


@never_cache
@require_safe
def scene(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return _scene(Desk(visits.own(key), number, owner=True, query=request.GET))


@never_cache
@require_safe
def shared_scene(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    return _scene(Desk(visits.shared(shared), number, owner=False, query=request.GET))


def _scene(desk: Desk) -> HttpResponse:
    if not 1 <= desk.number <= desk.story.current:
        raise Http404
    return JsonResponse(
        {
            "number": desk.number,
            "title": (wording.phase if desk.question else wording.season)(desk.variant, desk.code),
            "address": desk.address(desk.number),
            "news": list(news(desk.variant, desk.question, desk.turn.answer)) if desk.turn else [],
            "layers": desk.sketch.every_layer(),
        }
    )
