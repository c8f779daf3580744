"""Photographs of a board: sent by its players and the desk, seen by them, and by all if the desk says so."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.web.tournaments import board_photos, photo_processing, tournament_context
from talleyrand.web.tournaments.models import BoardPhoto
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, public_texts, round_views

METHODS = ("GET", "HEAD", "POST")


@require_safe
@cache_control(private=True, max_age=3600)
def photo_image(request: HttpRequest, key: str, photo: str) -> HttpResponse:
    """The photograph itself."""
    held = board_photos.photo_or_404(tournament_context.tournament_viewer_of_page(request, key), photo)
    return HttpResponse(bytes(held.content), content_type="image/jpeg")


@never_cache
@require_http_methods(METHODS)
def send_photos(request: HttpRequest, key: str, number: int, board: int) -> HttpResponse:
    """Some photographs of a board: those that can be kept are, and of the others one is told why not."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    if not sight.is_at_desk:
        round_views.public_board_or_404(sight, number, board)
    elif number not in sight.event.rounds or board not in sight.event.rounds[number].boards:
        raise Http404
    if request.method == "POST":
        _send(request, sight, number, board)
    return player_actions.redirect_after_form(_way(request, sight, number, board))


def _send(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> None:
    sent = request.FILES.getlist("photo")
    kept = 0
    try:
        for one in sent[: board_photos.MOST_PHOTOS_A_BOARD]:
            board_photos.save_photo(
                sight, number, board, bytes(one.read(photo_processing.LARGEST_UPLOAD + 1))
            )
            kept += 1
        if not sent:
            raise ActRefused("act_photo_none")
    except ActRefused as refused:
        messages.error(request, public_texts.refusal_text(refused, sight.visible_event))
    if kept:
        messages.success(request, _("Upload saved."))


@never_cache
@require_http_methods(METHODS)
def change_photo(request: HttpRequest, key: str, photo: str) -> HttpResponse:
    """Take one away, show it to all, or no longer."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    held = board_photos.photo_or_404(sight, photo)
    if request.method == "POST":
        _change(request, sight, held)
    return player_actions.redirect_after_form(_way(request, sight, held.round_number, held.board_number))


def _change(request: HttpRequest, sight: TournamentViewer, held: BoardPhoto) -> None:
    asked = request.POST.get("do", "")
    if asked == "remove" and board_photos.may_remove_photo(sight, held):
        board_photos.remove_photo(sight, held)
        messages.success(request, _("Photo removed."))
    elif asked in ("show", "hide") and sight.is_at_desk and board_photos.may_remove_photo(sight, held):
        board_photos.set_photo_public(sight, held, shown=asked == "show")
        shown = _("Photo now visible to everyone.")
        messages.success(
            request,
            shown if asked == "show" else _("Photo now visible only to the board’s players and the desk."),
        )
    else:
        messages.error(request, _("You cannot change this photo."))


def _way(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> str:
    """Back to where one was: the page of the board, or the desk's."""
    if sight.is_at_desk and request.POST.get("desk"):
        return reverse("tournaments:desk_board", args=[sight.tournament.key, number, board]) + "#photos"
    return round_views.board_url(sight, number, board) + "#photos"
