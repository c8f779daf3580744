"""A published phase or the whole game as a file to keep: what is open is never in it."""

from __future__ import annotations

import json
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from talleyrand.web.boards import files
from talleyrand.web.games import frame
from talleyrand.web.games.models import Game

from . import conditional, records
from .board import opened

FORMS = ("json", "txt", "pdf")


@require_safe
def picture(request: HttpRequest, key: str, number: int, form: str) -> HttpResponse:
    """The map of a phase; of the open one where everything stands, without anybody’s orders."""
    board = opened(frame.entered(request, key), number)
    if form not in ("png", "svg"):
        raise Http404
    name = records.name(board.game, board.code)
    if board.revision:
        make = partial(files.picture, request, board.bare, name, form)
        return conditional.answered(request, conditional.tag(board.revision, more=form), make)
    response = files.picture(request, board.bare, name, form)
    add_never_cache_headers(response)
    return response


@require_safe
def record(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The phases published so far, as JSON that can be replayed, as text or as PDF."""
    game = frame.entered(request, key).game
    if form not in FORMS or not game.number:
        raise Http404
    etag = conditional.tag(*records.published(game), more=f"game {form} {game.state}")
    return conditional.answered(request, etag, partial(written, request, game, form))


def written(request: HttpRequest, game: Game, form: str) -> HttpResponse:
    """The game as a file in one of FORMS."""
    name = records.name(game)
    if form == "txt":
        return files.file(records.as_text(game), "text/plain; charset=utf-8", f"{name}.txt")
    if form == "pdf":
        told = records.as_json(game, seeded=True)  # no word of it in the document
        return files.history_of(request, told, name)
    told = records.as_json(game, seeded=records.tells_seed(game))
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    return files.file(text, "application/json; charset=utf-8", f"{name}.json")
