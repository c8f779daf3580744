"""The archive of a table: downloaded at any time, and a table made of one on another machine."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.web.accounts import attempt_limits
from talleyrand.web.boards import file_downloads, order_requests
from talleyrand.web.common import absolute_urls, error_pages, qr_codes
from talleyrand.web.games.models import RUNNING_STATES, random_token
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.table_opening import REFEREE_SEAT

from . import table_archive, table_restore
from .referee_desk import RefereeDesk, for_referee, seat_name
from .table_restore import LARGEST_ARCHIVE, ArchiveRefusal


@require_safe
@for_referee
def archive_view(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:  # noqa: ARG001 a view
    """The table as a file to go on with elsewhere."""
    if desk.game.state not in RUNNING_STATES:
        raise Http404
    name, content = table_archive.archive_file(desk.table, desk.now)
    return file_downloads.download_response(content, "application/json; charset=utf-8", name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def restore_page(request: HttpRequest) -> HttpResponse:
    """Send an archive: whoever does is the referee of the table that is made of it."""
    refusal = ""
    if request.method == "POST":
        if not attempt_limits.count_attempt(request, "table"):
            return error_pages.too_many(request)
        try:
            return _restored(request)
        except ArchiveRefusal as refused:
            refusal = refused.sentence or archive_refusal_text(refused.code)
    context = {"refusal": refusal, "submission": random_token(), "most": LARGEST_ARCHIVE >> 20}
    return render(request, "tables/referee/restore.html", context, status=400 if refusal else 200)


def _restored(request: HttpRequest) -> HttpResponse:
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile) or not file.size:
        raise ArchiveRefusal("not_one")
    now = timezone.now()
    read = table_restore.read_archive(bytes(file.read(LARGEST_ARCHIVE + 1)))
    table = table_restore.restore_table(read, order_requests.submission_id_of(request), now)
    referee = table.players.select_related("table__game").get(number=REFEREE_SEAT)
    if not referee.phone_digest:
        table_seats.take_seat(request, referee, now)
        messages.success(
            request,
            _(
                "Restored. Everyone scans a new code below and submits the orders of this phase again; then "
                "start the clock."
            ),
        )
    return redirect("tables:codes", table.game.key)


def archive_refusal_text(code: str) -> str:
    """Why no table was made of a file."""
    return {
        "too_large": _("This file is too large to be a table’s archive."),
        "not_one": _("This is not the archive of a table. Choose the file downloaded on the referee’s page."),
        "damaged": _("This archive is damaged or was changed. Download it again."),
        "newer": _("This archive was made by another version. Update this installation first."),
        "too_long": _("This archive holds too much to be one table’s."),
        "over": _("The game in this archive is over."),
    }[code]


@require_safe
@for_referee
def codes_page(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:
    """The QR codes of the seats that have no phone."""
    seats = []
    for one in desk.seats:
        if one.number and not one.phone_digest:
            path = reverse("tables:seat", args=[desk.game.key, one.number, one.seat_token])
            door = absolute_urls.absolute_url(request, path)
            powers = desk.names(desk.powers_by_person.get(one.person_id, ()))
            seats.append(
                {
                    "name": seat_name(one),
                    "powers": powers,
                    "door": door,
                    "square": qr_codes.address_qr_svg(door),
                }
            )
    context = {"table": desk.table, "game": desk.game, "player": desk.player, "codes": seats}
    return render(request, "tables/referee/codes.html", context)
