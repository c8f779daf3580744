"""A tournament as one file, and a file as a new tournament."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import talleyrand
from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.exports import archive
from talleyrand.tournament.exports.archive import Archive, BadArchive
from talleyrand.tournament.timing import moment
from talleyrand.web.accounts.models import Person
from talleyrand.web.background.models import Document
from talleyrand.web.boards import files
from talleyrand.web.tournaments import frame, hands, passes
from talleyrand.web.tournaments.documents import days_of
from talleyrand.web.tournaments.models import Entry, Json, Membership, Pass, Role, Tournament, secret

from . import words

WAITING = timedelta(hours=6)  # that a file is kept until somebody says that it is the right one
RESTORED = "restore"


@never_cache
@require_safe
def download(request: HttpRequest, key: str) -> HttpResponse:
    """All of it, private facts too, for the desk; with people’s own links for the director alone."""
    sight = frame.desk(request, key)
    links = sight.directs and "links" in request.GET
    content = archive.write(held(sight.tournament, links=links))
    what = _("archive-private")
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{what}.zip"
    return files.file(content, "application/zip", name)


def held(tournament: Tournament, *, links: bool) -> Archive:
    """What the archive of a tournament holds, all of one moment."""
    with transaction.atomic():
        row = Tournament.objects.get(pk=tournament.pk)
        kept = list(row.entries.filter(number__lte=row.version).order_by("number"))
        doors = tuple(_links(row)) if links else ()
    before = kept[0].number - 1 if kept else 0  # entries that have been forgotten
    known = hands.of(row, kept)
    entries = tuple(_entry(one, before, known.get(one.by_id or 0, one.hand)) for one in kept)
    made = timezone.now().isoformat(timespec="seconds")
    return Archive(row.document, entries, doors, made, talleyrand.__version__)


def _entry(row: Entry, before: int, hand: str) -> archive.Entry:
    return archive.Entry(
        number=row.number - before,
        at=row.at.isoformat(),
        once=row.once,
        person=row.person,
        hand="" if row.person else hand,
        acts=tuple(row.acts),
        changes=tuple(row.changes),
        undoes=row.undoes and row.undoes - before,
        undone=row.undone and row.undone - before,
    )


def _links(row: Tournament) -> Iterator[archive.Link]:
    """Those that open somebody: who was removed may have left one behind."""
    for one in row.passes.order_by("number"):
        if passes.person_of(row, one):
            claimed = one.claimed.isoformat() if one.claimed else ""
            yield archive.Link(one.number, one.key, claimed, one.follows or 0)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: HttpRequest) -> HttpResponse:
    """Send a file, look at what it holds, make a tournament of it."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return _ask(request)
    try:
        if "waiting" in request.POST:
            return _made(request, request.user)
        content = sent(request)
        told = archive.read(content)
    except TalleyrandError as problem:
        return _ask(request, words.refusal(problem))
    return _preview(request, told, _wait(request.user, content))


def _ask(request: HttpRequest, refusal: str = "") -> HttpResponse:
    context = {"refusal": refusal, "most": archive.LARGEST >> 20}
    return render(request, "tournaments/papers/restore.html", context, status=409 if refusal else 200)


def sent(request: HttpRequest, otherwise: str = "archive_not_one") -> bytes:
    """The file that came; raises BadArchive, `otherwise` where there is none."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile) or not file.size:
        raise BadArchive(otherwise)
    return bytes(file.read(archive.LARGEST + 1))


def _wait(account: Person, content: bytes) -> str:
    """Keep a file until he says that it is the right one; what others forgot goes."""
    now, name = timezone.now(), secret()
    Document.objects.filter(maker=RESTORED, asked__lt=now - WAITING).delete()
    Document.objects.filter(name__startswith=_folder(account)).delete()
    Document.objects.create(name=f"{_folder(account)}{name}", maker=RESTORED, content=content, asked=now)
    return name


def _folder(account: Person) -> str:
    return f"{RESTORED}/{account.pk}/"


def _preview(request: HttpRequest, told: Archive, waiting: str) -> HttpResponse:
    event = told.event
    context = {
        "held": event,
        "days": words.days(event),
        "made": words.hour(event, told.made),
        "entries": len(told.entries),
        "links": len(told.links),
        "played": sum(1 for one in event.rounds.values() if one.boards),
        "results": sum(1 for one in event.rounds.values() for board in one.boards.values() if board.result),
        "same": Tournament.objects.filter(name=event.name, memberships__account=request.user.pk).exists(),
        "waiting": waiting,
    }
    return render(request, "tournaments/papers/restore.html", context)


def _made(request: HttpRequest, account: Person) -> HttpResponse:
    """The tournament of a file that waits; the same one for a second click."""
    waiting = request.POST["waiting"].replace("\0", "")[:64]
    made = Tournament.objects.filter(submission=waiting, creator=account).first()
    if made is None:
        row = Document.objects.filter(name=f"{_folder(account)}{waiting}", maker=RESTORED).first()
        if row is None or row.content is None:
            return _ask(request, _("This file is no longer here. Send it again."))
        made = restored(archive.read(bytes(row.content)), account, submission=waiting)
        row.delete()
    return redirect("tournaments:desk", made.key)


def restored(told: Archive, account: Person, *, submission: str = "") -> Tournament:
    """A new tournament that is the one of an archive, directed by who restores it."""
    with transaction.atomic():
        row, new = Tournament.objects.select_for_update().get_or_create(
            submission=submission or secret(),
            defaults={
                "name": told.event.name,
                "document": dict(told.document),
                "version": len(told.entries),
                "creator": account,
                "created": timezone.now(),
                **days_of(told.event),
            },
        )
        if new:
            Membership.objects.create(tournament=row, account=account, role=Role.DIRECTOR)
            Entry.objects.bulk_create([_as_row(row, one) for one in told.entries])
            Pass.objects.bulk_create(_passes(row, told))
    return row


def _as_row(row: Tournament, entry: archive.Entry) -> Entry:
    return Entry(
        tournament=row,
        number=entry.number,
        at=cast(datetime, moment(entry.at)),
        person=entry.person,
        hand=entry.hand,
        acts=cast(list[Json], list(entry.acts)),
        changes=cast(list[Json], list(entry.changes)),
        undoes=entry.undoes,
        undone=entry.undone,
        once=entry.once,
    )


def _passes(row: Tournament, told: Archive) -> list[Pass]:
    """People’s own links work here as there, but for those that are somebody’s here already."""
    keys = [one.key for one in told.links]
    taken = set(Pass.objects.filter(key__in=keys).values_list("key", flat=True))
    return [
        Pass(
            tournament=row,
            number=one.person,
            key=one.key,
            claimed=_hour(one.claimed),
            follows=one.follows or None,
        )
        for one in told.links
        if one.key not in taken
    ]


def _hour(told: str) -> datetime | None:
    return moment(told) if told else None
