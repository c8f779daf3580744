"""What one keeps: the record of a game, and the map of a phase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from django.utils.translation import gettext_noop as _
from ninja.params import Path

from talleyrand.web.api import api_rate_limits
from talleyrand.web.api.authentication import TokenRequest, open_begun_game
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import AdjudicationAnswer, PhaseNumber
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import file_downloads
from talleyrand.web.games.phase_pages import game_export_views, game_records
from talleyrand.web.games.phase_pages.game_board import game_board_or_404
from talleyrand.web.games.viewer_permissions import GameViewer

RESOURCE = Resource("files", Scope.READ, sight=open_begun_game)
RecordFormat = Annotated[
    Literal["txt", "pdf"], Path(description=_("Text that the site can read back, or PDF."))
]
PictureFormat = Annotated[Literal["svg", "png"], Path(description=_("Vector drawing or image."))]
ELSEWHERE = (202, 501, 503)  # where a worker makes it, it is asked for again


@RESOURCE.get(
    "/games/{key}/record",
    _("The phases resolved so far, in the format that `talleyrand play` replays."),
    AdjudicationAnswer,
)
def game_record(sight: GameViewer) -> object:
    game = sight.game
    return game_records.game_record_json(game, seeded=game_records.may_tell_seed(game))


@RESOURCE.get(
    "/games/{key}/record.{form}",
    _("The same, as a file to download."),
    str,
    also=ELSEWHERE,
    kinds=("text/plain", "application/pdf"),
)
def game_record_file(request: TokenRequest, sight: GameViewer, form: RecordFormat) -> HttpResponse:
    game = sight.game
    api_rate_limits.count_work(request.auth.token)
    return game_export_views.record_response(request, game, form)


@RESOURCE.get(
    "/games/{key}/phases/{number}/map.{form}",
    _("The map of a phase: resolved, with the results of the orders; current, with the units in place."),
    str,
    also=ELSEWHERE,
    kinds=("image/svg+xml", "image/png"),
)
def phase_map(request: TokenRequest, sight: GameViewer, number: PhaseNumber, form: PictureFormat) -> Any:
    api_rate_limits.count_work(request.auth.token)
    board = game_board_or_404(sight, number)
    return file_downloads.map_download(
        request, board.public_map, game_records.game_file_name(board.game, board.phase_code), form
    )
