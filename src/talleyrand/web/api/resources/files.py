"""What one keeps: the record of a game, and the map of a phase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404, HttpResponse
from ninja.params import Path

from talleyrand.web.api import rates
from talleyrand.web.api.callers import Call, entered
from talleyrand.web.api.forms import Answer, Key, Number
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.boards import files
from talleyrand.web.games.playing import exports, records
from talleyrand.web.games.playing.board import opened

RESOURCE = Resource("files")
Form = Annotated[Literal["txt", "pdf"], Path(description=_("As text that the site reads again, or as PDF."))]
Picture = Annotated[Literal["svg", "png"], Path(description=_("As a drawing, or as a picture."))]
ELSEWHERE = (202, 501, 503)  # where a worker makes it, it is asked for again


@RESOURCE.reads(
    "/games/{key}/record",
    _("The phases published so far, in the form that `talleyrand play` replays."),
    Answer,
    Scope.READ,
)
def record(request: Call, key: Key) -> object:
    game = entered(request, key).game
    if not game.number:
        raise Http404
    return records.as_json(game, seeded=records.tells_seed(game))


@RESOURCE.reads(
    "/games/{key}/record.{form}",
    _("The same as a file to keep."),
    str,
    Scope.READ,
    also=ELSEWHERE,
    kinds=("text/plain", "application/pdf"),
)
def record_file(request: Call, key: Key, form: Form) -> HttpResponse:
    game = entered(request, key).game
    if not game.number:
        raise Http404
    rates.count_work(request.auth.token)
    return exports.written(request, game, form)


@RESOURCE.reads(
    "/games/{key}/phases/{number}/map.{form}",
    _("The map of a phase: published, with what became of the orders; open, as the units stand."),
    str,
    Scope.READ,
    also=ELSEWHERE,
    kinds=("image/svg+xml", "image/png"),
)
def picture(request: Call, key: Key, number: Number, form: Picture) -> Any:
    sight = entered(request, key)
    if not sight.game.number:
        raise Http404
    rates.count_work(request.auth.token)
    board = opened(sight, number)
    return files.picture(request, board.bare, records.name(board.game, board.code), form)
