"""Looking at a phase of a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.games import frame

from . import page as pages
from .board import Board, opened


@never_cache
@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """The open phase, or the end."""
    return shown(request, _opened(request, key, None))


@never_cache
@require_safe
def phase(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return shown(request, _opened(request, key, number))


def _opened(request: HttpRequest, key: str, number: int | None) -> Board:
    asked = request.GET
    return opened(frame.entered(request, key), number, asked.get("power", ""), asked)


def shown(request: HttpRequest, board: Board, status: int = 200, **more: object) -> HttpResponse:
    """The page of a phase; `more` is what has to be said besides."""
    context = {**pages.page(board, request), **more}
    return render(request, "games/playing/board.html", context, status=status)


@never_cache
@require_safe
def revision(request: HttpRequest, key: str, number: int, revision: int) -> HttpResponse:
    """A phase as it was published once, even where another revision counts now."""
    sight = frame.entered(request, key)
    found = sight.game.revisions.filter(number=number, revision=revision).first()
    if found is None or not number:
        raise Http404
    board = Board(sight, number, next(iter(sight.powers), ""), shown=found)
    context = pages.page(board, request)
    return render(request, "games/playing/revision.html", context)


@never_cache
@require_safe
def now(request: HttpRequest, key: str) -> HttpResponse:
    """Where the game stands, for a page that asks whether it is out of date."""
    sight = frame.entered(request, key)
    return JsonResponse({"number": sight.game.number, "edition": frame.edition(sight.game)})
