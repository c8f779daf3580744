"""Photographs of a board: sent by its players and the desk, seen by them, and by all if the desk says so."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.tournament.errors import Refused
from talleyrand.web.tournaments import frame, photos, pictures
from talleyrand.web.tournaments.models import Photo
from talleyrand.web.tournaments.sight import Sight

from . import round_pages, visiting, words

DEEDS = ("GET", "HEAD", "POST")


@require_safe
@cache_control(private=True, max_age=3600)
def photo(request: HttpRequest, key: str, photo: str) -> HttpResponse:
    """The photograph itself."""
    held = _held(frame.entered(request, key), photo)
    return HttpResponse(bytes(held.content), content_type="image/jpeg")


def _held(sight: Sight, photo: str) -> Photo:
    found = photos.one(sight, photo)
    if found is None:
        raise Http404
    return found


@never_cache
@require_http_methods(DEEDS)
def send(request: HttpRequest, key: str, number: int, board: int) -> HttpResponse:
    """Some photographs of a board: those that can be kept are, and of the others one is told why not."""
    sight = frame.entered(request, key)
    if not sight.at_desk:
        round_pages.held_of(sight, number, board)
    elif number not in sight.event.rounds or board not in sight.event.rounds[number].boards:
        raise Http404
    if request.method == "POST":
        _send(request, sight, number, board)
    return visiting.back(_way(request, sight, number, board))


def _send(request: HttpRequest, sight: Sight, number: int, board: int) -> None:
    sent = request.FILES.getlist("photo")
    kept = 0
    try:
        for one in sent[: photos.MOST_OF_A_BOARD]:
            photos.send(sight, number, board, bytes(one.read(pictures.LARGEST + 1)))
            kept += 1
        if not sent:
            raise Refused("act_photo_none")
    except Refused as refused:
        messages.error(request, words.refusal(refused, sight.shown))
    if kept:
        messages.success(request, _("The photograph is kept."))


@never_cache
@require_http_methods(DEEDS)
def change(request: HttpRequest, key: str, photo: str) -> HttpResponse:
    """Take one away, show it to all, or no longer."""
    sight = frame.entered(request, key)
    held = _held(sight, photo)
    if request.method == "POST":
        _change(request, sight, held)
    return visiting.back(_way(request, sight, held.round, held.board))


def _change(request: HttpRequest, sight: Sight, held: Photo) -> None:
    asked = request.POST.get("do", "")
    if asked == "remove" and photos.may_remove(sight, held):
        photos.remove(sight, held)
        messages.success(request, _("The photograph is gone."))
    elif asked in ("show", "hide") and sight.at_desk and photos.may_remove(sight, held):
        photos.show(sight, held, shown=asked == "show")
        shown = _("All may see the photograph.")
        messages.success(request, shown if asked == "show" else _("The board and the desk alone see it."))
    else:
        messages.error(
            request, _("Only who sent a photograph, or the desk, may change it. Nothing was done.")
        )


def _way(request: HttpRequest, sight: Sight, number: int, board: int) -> str:
    """Back to where one was: the page of the board, or the desk's."""
    if sight.at_desk and request.POST.get("desk"):
        return reverse("tournaments:desk_board", args=[sight.tournament.key, number, board]) + "#photos"
    return round_pages.way(sight, number, board) + "#photos"
