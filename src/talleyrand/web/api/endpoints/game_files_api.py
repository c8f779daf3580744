"""What one keeps: the record of a game, and the map of a phase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404, HttpResponse
from ninja.params import Path

from talleyrand.web.api import api_rate_limits
from talleyrand.web.api.authentication import TokenRequest, open_game
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import AdjudicationAnswer, GameKey, PhaseNumber
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import file_downloads
from talleyrand.web.games.phase_pages import game_export_views, game_records
from talleyrand.web.games.phase_pages.game_board import game_board_or_404

RESOURCE = Resource("files")
RecordFormat = Annotated[
    Literal["txt", "pdf"], Path(description=_("Text that the site can read back, or PDF."))
]
PictureFormat = Annotated[Literal["svg", "png"], Path(description=_("Vector drawing or image."))]
ELSEWHERE = (202, 501, 503)  # where a worker makes it, it is asked for again


@RESOURCE.read_view(
    "/games/{key}/record",
    _("The phases resolved so far, in the format that `talleyrand play` replays."),
    AdjudicationAnswer,
    Scope.READ,
)
def game_record(request: TokenRequest, key: GameKey) -> object:
    game = open_game(request, key).game
    if not game.phase_number:
        raise Http404
    return game_records.game_record_json(game, seeded=game_records.may_tell_seed(game))


@RESOURCE.read_view(
    "/games/{key}/record.{form}",
    _("The same, as a file to download."),
    str,
    Scope.READ,
    also=ELSEWHERE,
    kinds=("text/plain", "application/pdf"),
)
def game_record_file(request: TokenRequest, key: GameKey, form: RecordFormat) -> HttpResponse:
    game = open_game(request, key).game
    if not game.phase_number:
        raise Http404
    api_rate_limits.count_work(request.auth.token)
    return game_export_views.record_response(request, game, form)


@RESOURCE.read_view(
    "/games/{key}/phases/{number}/map.{form}",
    _("The map of a phase: resolved, with the results of the orders; current, with the units in place."),
    str,
    Scope.READ,
    also=ELSEWHERE,
    kinds=("image/svg+xml", "image/png"),
)
def phase_map(request: TokenRequest, key: GameKey, number: PhaseNumber, form: PictureFormat) -> Any:
    sight = open_game(request, key)
    if not sight.game.phase_number:
        raise Http404
    api_rate_limits.count_work(request.auth.token)
    board = game_board_or_404(sight, number)
    return file_downloads.map_download(
        request, board.public_map, game_records.game_file_name(board.game, board.phase_code), form
    )
