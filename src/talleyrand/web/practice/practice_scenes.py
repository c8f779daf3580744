"""The phases of a game as the history of the board shows them, one after the other."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import display_names
from talleyrand.web.boards.phase_summaries import phase_summary

from . import practice_access
from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_scene_json(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return _scene(
        PracticeBoard(practice_access.own_game_or_404(key), number, is_owner=True, query=request.GET)
    )


@never_cache
@require_safe
def shared_scene_json(request: HttpRequest, shared: str, number: int) -> HttpResponse:
    return _scene(
        PracticeBoard(practice_access.shared_game_or_404(shared), number, is_owner=False, query=request.GET)
    )


def _scene(desk: PracticeBoard) -> HttpResponse:
    if not 1 <= desk.phase_number <= desk.history.open_phase_number:
        raise Http404
    return JsonResponse(
        {
            "number": desk.phase_number,
            "title": (display_names.phase_name if desk.question else display_names.season_name)(
                desk.variant, desk.phase_code
            ),
            "address": desk.phase_url(desk.phase_number),
            "news": list(phase_summary(desk.variant, desk.question, desk.played_turn.answer))
            if desk.played_turn
            else [],
            "layers": desk.phase_map.all_layers(),
        }
    )
