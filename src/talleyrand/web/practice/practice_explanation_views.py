"""Why: the chain of causes behind one order of a phase, as a page and for the map of the board."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names, explanation_responses
from talleyrand.web.boards.explanations import Explanation, explain_order

from . import practice_access
from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_explanation_page(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:
    desk = PracticeBoard(practice_access.own_game_or_404(key), number, is_owner=True)
    return _page(request, desk, _chain(desk, province))


@never_cache
@require_safe
def shared_practice_explanation_page(
    request: HttpRequest, shared: str, number: int, province: str
) -> HttpResponse:
    desk = PracticeBoard(practice_access.shared_game_or_404(shared), number, is_owner=False)
    return _page(request, desk, _chain(desk, province))


@never_cache
@require_safe
def practice_explanation_json(request: HttpRequest, key: str, number: int, province: str) -> HttpResponse:  # noqa: ARG001 a view
    return explanation_responses.explanation_steps_json(
        _chain(PracticeBoard(practice_access.own_game_or_404(key), number, is_owner=True), province)
    )


@never_cache
@require_safe
def shared_practice_explanation_json(
    request: HttpRequest,  # noqa: ARG001 a view
    shared: str,
    number: int,
    province: str,
) -> HttpResponse:
    return explanation_responses.explanation_steps_json(
        _chain(PracticeBoard(practice_access.shared_game_or_404(shared), number, is_owner=False), province)
    )


def _chain(desk: PracticeBoard, province: str) -> Explanation:
    """Raises Http404 for a phase that was not played, and for a place without an order to explain."""
    turn = desk.played_turn
    found = explain_order(desk.question, turn.orders, province) if turn and desk.question else None
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, desk: PracticeBoard, found: Explanation) -> HttpResponse:
    title = display_names.phase_name(desk.variant, desk.phase_code)
    return explanation_responses.explanation_response(
        request, found, title, desk.phase_url(desk.phase_number)
    )
