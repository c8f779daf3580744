"""Looking at a phase of a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.games import page_context, readiness

from . import page_etags
from . import phase_page_context as pages
from .game_board import GameBoard, game_board_or_404


@never_cache
@require_safe
def game_page(request: HttpRequest, key: str) -> HttpResponse:
    """The open phase, or the end."""
    return render_phase_page(request, _opened(request, key, None))


@require_safe
def phase_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A phase; one that is published may be kept by the reader’s browser as long as it shows the same."""
    board, token = _opened(request, key, number), page_etags.copy_token(request)
    response = render_phase_page(request, board, copy_submission=token)
    if board.revision:
        return page_etags.conditional_page(request, response, token)
    add_never_cache_headers(response)
    return response


def _opened(request: HttpRequest, key: str, number: int | None) -> GameBoard:
    asked = request.GET
    return game_board_or_404(
        page_context.game_viewer_of_page(request, key), number, asked.get("power", ""), asked
    )


def render_phase_page(
    request: HttpRequest, board: GameBoard, status: int = 200, **more: object
) -> HttpResponse:
    """The page of a phase; `more` is what has to be said besides."""
    context = {**pages.phase_page_context(board, request), **more}
    return render(request, "games/phase_pages/board.html", context, status=status)


@require_safe
def revision_page(request: HttpRequest, key: str, number: int, revision: int) -> HttpResponse:
    """A phase as it was published once, even where another revision counts now."""
    sight = page_context.game_viewer_of_page(request, key)
    found = sight.game.revisions.filter(phase_number=number, revision=revision).first()
    if found is None or not number:
        raise Http404
    board = GameBoard(sight, number, next(iter(sight.powers), ""), shown_revision=found)
    token = page_etags.copy_token(request)
    context = {**pages.phase_page_context(board, request), "copy_submission": token}
    response = render(request, "games/phase_pages/revision.html", context)
    return page_etags.conditional_page(request, response, token)


@never_cache
@require_safe
def game_state_json(request: HttpRequest, key: str) -> HttpResponse:
    """Where the game stands, for a page that asks whether it is out of date."""
    sight = page_context.game_viewer_of_page(request, key)
    told = {"number": sight.game.phase_number, "edition": page_context.public_state_digest(sight.game)}
    if sight.may_see_readiness:
        found = readiness.visible_readiness(sight, variants.load(sight.game.variant))
        told["readiness"] = found and render_to_string(
            "games/readiness.html", {"readiness": found, "sight": sight}
        )
    return JsonResponse(told)
