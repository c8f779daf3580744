"""What the desk and the players of a tournament's board write down beside its result: years and photos.

A program may what its person may on the pages: the desk at every board, a player at his own.
"""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.act import EventAct, find_person
from talleyrand.tournament.acts.result_acts import DESK_HAND, CountCentresByYear
from talleyrand.tournament.model import Event
from talleyrand.web.api import api_rate_limits
from talleyrand.web.api.api_errors import ApiError
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import PICTURES, Moment, RequestSchema, ResponseSchema, list_out
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import board_photos, event_journal
from talleyrand.web.tournaments.models import BoardPhoto, Tournament
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from .tournament_desk_api import ActDoneOut, Board, act_done, act_refused
from .tournaments_api import Key, Round, open_tournament, viewer_of

Year = Annotated[int, Path(description=_("A year of the game: 1905."), ge=1, le=9999)]
PhotoKey = Annotated[
    str, Path(description=_("The key of a photo, from the list."), pattern="^[A-Za-z0-9_-]{1,32}$")
]


def open_tournament_of_writer(request: TokenRequest, tournament: Key) -> TournamentViewer:
    """The tournament for its desk and its players: for others there is nothing to write."""
    sight = viewer_of(get_object_or_404(Tournament, key=tournament), request.auth.person)
    if not sight.role:
        raise Http404
    return sight


RESOURCE = Resource(
    "tournament_boards",
    Scope.TOURNAMENTS,
    sight=open_tournament_of_writer,
    refused={TalleyrandError: act_refused},
)


class BoardYearIn(RequestSchema):
    centres: dict[Annotated[str, Field(max_length=40)], Annotated[int, Field(ge=0, le=999)]] = Field(
        description=_("Centres of every power at the end of the year; empty: the year is removed."),
        max_length=40,
    )
    neutral: int = Field(default=0, ge=0, le=999, description=_("Centres that nobody holds."))


class PhotoOut(ResponseSchema):
    key: str
    sent_at: Moment
    person: int | None = Field(
        description=_("Who sent it, of the tournament; 0: the desk. Only the desk and its sender are told.")
    )
    width: int = Field(description=_("Pixels."))
    height: int = Field(description=_("Pixels."))
    public: bool = Field(description=_("Whether everyone can see it; if not, its board and the desk."))


class PhotoIn(RequestSchema):
    public: bool


@RESOURCE.put(
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/years/{year}",
    _("Enter the centres of a board at the end of a year: the desk, and anyone who plays there."),
    ActDoneOut,
)
def count_year(sight: TournamentViewer, number: Round, board: Board, year: Year, sent: BoardYearIn) -> object:
    _check_board(sight, number, board)
    by = DESK_HAND if sight.is_at_desk else str(sight.person_number)
    counted = CountCentresByYear(number, board, {year: sent.centres}, by, {year: sent.neutral})

    def build(event: Event) -> list[EventAct]:
        if not sight.is_at_desk:
            find_person(event, sight.person_number)  # who has just been removed does nothing any more
        return [counted]

    return act_done(sight, event_journal.perform_built_acts(sight.tournament, build, sight.journal_actor))


@RESOURCE.get(
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/photos",
    _("The photos of a board that you can see."),
    list_out("PhotosOut", PhotoOut),
    scope=Scope.READ,
    sight=open_tournament,
    public=True,
)
def list_photos(sight: TournamentViewer, number: Round, board: Board) -> object:
    _check_board(sight, number, board)
    return {"items": [_photo(sight, held) for held in board_photos.visible_photos(sight, number, board)]}


@RESOURCE.get(
    "/tournaments/{tournament}/photos/{photo}",
    _("A photo of a board: a JPEG, without anything the camera wrote in it."),
    str,
    scope=Scope.READ,
    sight=open_tournament,
    public=True,
    kinds=("image/jpeg",),
)
def get_photo(sight: TournamentViewer, photo: PhotoKey) -> HttpResponse:
    return HttpResponse(bytes(board_photos.photo_or_404(sight, photo).content), content_type="image/jpeg")


@RESOURCE.post(
    "/tournaments/{tournament}/rounds/{number}/boards/{board}/photos",
    _(
        "Add a photo of a board, four megabytes at most: the desk, and anyone who plays there. It is kept "
        "upright and no larger than 2000 pixels; the same one sent twice is kept once."
    ),
    PhotoOut,
    sends=PICTURES,
)
def send_photo(request: TokenRequest, sight: TournamentViewer, number: Round, board: Board) -> object:
    _check_board(sight, number, board)
    if request.content_type not in PICTURES:
        raise ApiError(
            415,
            "not_picture",
            _("Send the photo itself: “Content-Type: image/jpeg”, “image/png” or “image/webp”."),
        )
    api_rate_limits.count_work(request.auth.token)
    return _photo(sight, board_photos.save_photo(sight, number, board, request.body))


@RESOURCE.patch(
    "/tournaments/{tournament}/photos/{photo}",
    _("Show a photo to everyone, or only to its board: the desk."),
    PhotoOut,
)
def change_photo(sight: TournamentViewer, photo: PhotoKey, sent: PhotoIn) -> object:
    held = _changeable(sight, photo, desk=True)
    board_photos.set_photo_public(sight, held, shown=sent.public)
    held.is_public = sent.public
    return _photo(sight, held)


@RESOURCE.delete(
    "/tournaments/{tournament}/photos/{photo}",
    _("Remove a photo for good: the person who sent it, and the desk."),
)
def remove_photo(sight: TournamentViewer, photo: PhotoKey) -> None:
    board_photos.remove_photo(sight, _changeable(sight, photo))


def _check_board(sight: TournamentViewer, number: int, at: int) -> None:
    event = sight.event if sight.is_at_desk else sight.visible_event
    if number not in event.rounds or at not in event.rounds[number].boards:
        raise Http404


def _changeable(sight: TournamentViewer, key: str, *, desk: bool = False) -> BoardPhoto:
    held = board_photos.photo_or_404(sight, key)
    if not board_photos.may_remove_photo(sight, held) or (desk and not sight.is_at_desk):
        raise ApiError(403, "act_photo_not_yours", _("You cannot change this photo."))
    return held


def _photo(sight: TournamentViewer, held: BoardPhoto) -> dict[str, Any]:
    """A photo for somebody: the pages tell nobody who sent it."""
    told = sight.is_at_desk or held.person_number == (sight.person_number or None)
    facts = {name: getattr(held, name) for name in ("key", "sent_at", "width", "height")}
    return {**facts, "person": held.person_number if told else None, "public": held.is_public}
