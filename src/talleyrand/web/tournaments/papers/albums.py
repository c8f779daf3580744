"""Photographs of boards as files beside the archive, and such files taken in again."""

from __future__ import annotations

from django.contrib import messages
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.exports import album, packing
from talleyrand.tournament.exports.album import Contents, Photograph
from talleyrand.web.boards import files
from talleyrand.web.tournaments import frame, photos
from talleyrand.web.tournaments.models import Photo, Tournament
from talleyrand.web.tournaments.sight import Sight

from . import words
from .archives import sent


def shares(tournament: Tournament) -> list[list[int]]:
    """The rows of each file."""
    sizes = list(tournament.photos.order_by("pk").values_list("pk", Length("content")))
    return [[sizes[at][0] for at in share] for share in album.shares([size for _pk, size in sizes])]


@never_cache
@require_safe
def download(request: HttpRequest, key: str, part: int) -> HttpResponse:
    """One of the files, for the desk: with those that the board alone may see."""
    sight = frame.desk(request, key)
    found = shares(sight.tournament)
    if not 1 <= part <= len(found):
        raise Http404
    rows = list(Photo.objects.filter(pk__in=found[part - 1]).order_by("pk"))
    told = tuple(_told(at, row) for at, row in enumerate(rows, 1))
    contents = Contents(album.FORMAT, album.VERSION, sight.event.name, part, len(found), told)
    content = album.write(contents, [bytes(row.content) for row in rows])
    what = _("photographs-private")
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{what}-{part}.zip"
    return files.file(content, "application/zip", name)


def _told(at: int, row: Photo) -> Photograph:
    return Photograph(
        round=row.round,
        board=row.board,
        at=row.at.isoformat(timespec="seconds"),
        mark=row.mark,
        file=album.named(at, row.round, row.board),
        digest=packing.digest(bytes(row.content)),
        person=row.person,
        shown=row.shown,
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Take such a file in: what is here already stays as it is, so that it may be sent again."""
    sight = frame.desk(request, key)
    if request.method == "POST":
        try:
            _take(request, sight)
        except TalleyrandError as problem:
            messages.error(request, words.refusal(problem))
    return redirect("tournaments:papers", key)


def _take(request: HttpRequest, sight: Sight) -> None:
    contents, pictures = album.read(sent(request, album.OTHERWISE))
    new = there = 0
    refusals: dict[str, None] = {}
    for one, picture in zip(contents.photographs, pictures, strict=True):
        try:
            taken = photos.bring(sight, one, picture)
            new, there = new + taken, there + (not taken)
        except TalleyrandError as problem:
            refusals.setdefault(words.refusal(problem))
    _tell(request, new, there)
    for refusal in [*refusals][:5]:
        messages.error(request, refusal)
    if contents.part < contents.parts:
        said = _("This was file %(part)d of %(parts)d.")
        messages.info(request, said % {"part": contents.part, "parts": contents.parts})


def _tell(request: HttpRequest, new: int, there: int) -> None:
    if new:
        said = ngettext("%(count)d photograph is kept.", "%(count)d photographs are kept.", new)
        messages.success(request, said % {"count": new})
    if there:
        said = ngettext("%(count)d was here already.", "%(count)d were here already.", there)
        messages.info(request, said % {"count": there})
