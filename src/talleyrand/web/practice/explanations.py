"""Why: the chain of causes behind one order of a phase, as a page and for the map of the board."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import explaining, wording
from talleyrand.web.boards.chain import Chain, chain

from . import visits
from .board import Desk


@never_cache
@require_safe
def why(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    desk = Desk(visits.own(key), number, owner=True)
    return _page(request, desk, _chain(desk, province))


@never_cache
@require_safe
def shared_why(request: HttpRequest, shared: str, number: int, province: str) -> HttpResponse:
    desk = Desk(visits.shared(shared), number, owner=False)
    return _page(request, desk, _chain(desk, province))


@never_cache
@require_safe
def steps(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:  # noqa: ARG001 a view
    return explaining.steps(_chain(Desk(visits.own(key), number, owner=True), province))


@never_cache
@require_safe
def shared_steps(request: HttpRequest, shared: str, number: int, province: str) -> HttpResponse:  # noqa: ARG001
    return explaining.steps(_chain(Desk(visits.shared(shared), number, owner=False), province))


def _chain(desk: Desk, province: str) -> Chain:
    """Raises Http404 for a phase that was not played, and for a place without an order to explain."""
    turn = desk.turn
    found = chain(desk.question, turn.orders, province) if turn and desk.question else None
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, desk: Desk, found: Chain) -> HttpResponse:
    title = wording.phase(desk.variant, desk.code)
    return explaining.page(request, found, title, desk.address(desk.number))
