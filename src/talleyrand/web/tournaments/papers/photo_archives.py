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
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.exports.event_archive import AlbumContents, Photograph
from talleyrand.web.boards import file_downloads
from talleyrand.web.tournaments import board_photos, tournament_context
from talleyrand.web.tournaments.models import BoardPhoto, Tournament
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import paper_texts
from .tournament_archives import uploaded_file


def photo_archive_parts(tournament: Tournament) -> list[list[int]]:
    """The rows of each file."""
    sizes = list(tournament.photos.order_by("pk").values_list("pk", Length("content")))
    return [
        [sizes[at][0] for at in share]
        for share in event_archive.split_into_files([size for _pk, size in sizes])
    ]


@never_cache
@require_safe
def download_photo_archive(request: HttpRequest, key: str, part: int) -> HttpResponse:
    """One of the files, for the desk: with those that the board alone may see."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    found = photo_archive_parts(sight.tournament)
    if not 1 <= part <= len(found):
        raise Http404
    rows = list(BoardPhoto.objects.filter(pk__in=found[part - 1]).order_by("pk"))
    told = tuple(_photograph(at, row) for at, row in enumerate(rows, 1))
    contents = AlbumContents(
        event_archive.ALBUM_FORMAT, event_archive.ALBUM_VERSION, sight.event.name, part, len(found), told
    )
    content = event_archive.write_album(contents, [bytes(row.content) for row in rows])
    what = _("photographs-private")
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{what}-{part}.zip"
    return file_downloads.download_response(content, "application/zip", name)


def _photograph(at: int, row: BoardPhoto) -> Photograph:
    return Photograph(
        round=row.round_number,
        board=row.board_number,
        at=row.sent_at.isoformat(timespec="seconds"),
        mark=row.content_digest,
        file=event_archive.photograph_name(at, row.round_number, row.board_number),
        digest=event_archive.sha256_hex(bytes(row.content)),
        person=row.person_number,
        shown=row.is_public,
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_photo_archive(request: HttpRequest, key: str) -> HttpResponse:
    """Take such a file in: what is here already stays as it is, so that it may be sent again."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    if request.method == "POST":
        try:
            _take(request, sight)
        except TalleyrandError as problem:
            messages.error(request, paper_texts.refusal_text(problem))
    return redirect("tournaments:papers", key)


def _take(request: HttpRequest, sight: TournamentViewer) -> None:
    contents, pictures = event_archive.read_album(uploaded_file(request, event_archive.NO_ALBUM))
    new = there = 0
    refusals: dict[str, None] = {}
    for one, picture in zip(contents.photographs, pictures, strict=True):
        try:
            taken = board_photos.import_photo(sight, one, picture)
            new, there = new + taken, there + (not taken)
        except TalleyrandError as problem:
            refusals.setdefault(paper_texts.refusal_text(problem))
    _tell(request, new, there)
    for refusal in [*refusals][:5]:
        messages.error(request, refusal)
    if contents.part < contents.parts:
        said = _("That was file %(part)d of %(parts)d.")
        messages.info(request, said % {"part": contents.part, "parts": contents.parts})


def _tell(request: HttpRequest, new: int, there: int) -> None:
    if new:
        said = ngettext("%(count)d photo saved.", "%(count)d photos saved.", new)
        messages.success(request, said % {"count": new})
    if there:
        said = ngettext("%(count)d was already here.", "%(count)d were already here.", there)
        messages.info(request, said % {"count": there})
