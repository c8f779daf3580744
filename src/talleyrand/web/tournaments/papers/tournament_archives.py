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
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.exports.event_archive import EventArchive, InvalidArchive
from talleyrand.tournament.round_timing import parse_time
from talleyrand.web.accounts.models import Person
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.boards import file_downloads
from talleyrand.web.tournaments import access_tokens, actor_labels, tournament_context
from talleyrand.web.tournaments.event_documents import event_days
from talleyrand.web.tournaments.models import (
    AccessToken,
    JournalEntry,
    Json,
    Tournament,
    TournamentMembership,
    TournamentRole,
    random_token,
)

from . import paper_texts

UPLOAD_KEPT = timedelta(hours=6)  # that a file is kept until somebody says that it is the right one
UPLOAD_JOB = "restore"


@never_cache
@require_safe
def download_archive(request: HttpRequest, key: str) -> HttpResponse:
    """All of it, private facts too, for the desk; with people’s own links for the director alone."""
    sight = tournament_context.tournament_viewer_at_desk(request, key)
    links = sight.is_director and "links" in request.GET
    content = event_archive.write_archive(archive_of(sight.tournament, links=links))
    what = _("archive-private")
    name = f"{slugify(sight.tournament.name) or 'tournament'}-{what}.zip"
    return file_downloads.download_response(content, "application/zip", name)


def archive_of(tournament: Tournament, *, links: bool) -> EventArchive:
    """What the archive of a tournament holds, all of one moment."""
    with transaction.atomic():
        row = Tournament.objects.get(pk=tournament.pk)
        kept = list(row.entries.filter(number__lte=row.version).order_by("number"))
        doors = tuple(_links(row)) if links else ()
    before = kept[0].number - 1 if kept else 0  # entries that have been forgotten
    known = actor_labels.actor_labels(row, kept)
    entries = tuple(_entry(one, before, known.get(one.account_id or 0, one.actor_label)) for one in kept)
    made = timezone.now().isoformat(timespec="seconds")
    return EventArchive(row.document, entries, doors, made, talleyrand.__version__)


def _entry(row: JournalEntry, before: int, hand: str) -> event_archive.ArchivedEntry:
    return event_archive.ArchivedEntry(
        number=row.number - before,
        at=row.created_at.isoformat(),
        once=row.idempotency_key,
        person=row.person_number,
        hand="" if row.person_number else hand,
        acts=tuple(row.acts),
        changes=tuple(row.changes),
        undoes=row.undoes_number and row.undoes_number - before,
        undone=row.undone_by_number and row.undone_by_number - before,
    )


def _links(row: Tournament) -> Iterator[event_archive.ArchivedLink]:
    """Those that open somebody: who was removed may have left one behind."""
    for one in row.passes.order_by("person_number"):
        if access_tokens.person_of_token(row, one):
            claimed = one.claimed_at.isoformat() if one.claimed_at else ""
            yield event_archive.ArchivedLink(one.person_number, one.token, claimed, one.merged_into or 0)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def restore_page(request: HttpRequest) -> HttpResponse:
    """Send a file, look at what it holds, make a tournament of it."""
    assert isinstance(request.user, Person)
    if request.method != "POST":
        return _form_page(request)
    try:
        if "waiting" in request.POST:
            return _create_from_archive(request, request.user)
        content = uploaded_file(request)
        told = event_archive.read_archive(content)
    except TalleyrandError as problem:
        return _form_page(request, paper_texts.refusal_text(problem))
    return _preview(request, told, _wait(request.user, content))


def _form_page(request: HttpRequest, refusal: str = "") -> HttpResponse:
    context = {"refusal": refusal, "most": event_archive.MAX_FILE_BYTES >> 20}
    return render(request, "tournaments/papers/restore.html", context, status=409 if refusal else 200)


def uploaded_file(request: HttpRequest, otherwise: str = "archive_not_one") -> bytes:
    """The file that came; raises InvalidArchive, `otherwise` where there is none."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile) or not file.size:
        raise InvalidArchive(otherwise)
    return bytes(file.read(event_archive.MAX_FILE_BYTES + 1))


def _wait(account: Person, content: bytes) -> str:
    """Keep a file until he says that it is the right one; what others forgot goes."""
    now, name = timezone.now(), random_token()
    GeneratedDocument.objects.filter(job_name=UPLOAD_JOB, requested_at__lt=now - UPLOAD_KEPT).delete()
    GeneratedDocument.objects.filter(name__startswith=_folder(account)).delete()
    GeneratedDocument.objects.create(
        name=f"{_folder(account)}{name}", job_name=UPLOAD_JOB, content=content, requested_at=now
    )
    return name


def _folder(account: Person) -> str:
    return f"{UPLOAD_JOB}/{account.pk}/"


def _preview(request: HttpRequest, told: EventArchive, waiting: str) -> HttpResponse:
    event = told.event
    context = {
        "held": event,
        "days": paper_texts.event_days_text(event),
        "made": paper_texts.dated_time(event, told.made),
        "entries": len(told.entries),
        "links": len(told.links),
        "played": sum(1 for one in event.rounds.values() if one.boards),
        "results": sum(1 for one in event.rounds.values() for board in one.boards.values() if board.result),
        "same": Tournament.objects.filter(name=event.name, memberships__account=request.user.pk).exists(),
        "waiting": waiting,
    }
    return render(request, "tournaments/papers/restore.html", context)


def _create_from_archive(request: HttpRequest, account: Person) -> HttpResponse:
    """The tournament of a file that waits; the same one for a second click."""
    waiting = request.POST["waiting"].replace("\0", "")[:64]
    made = Tournament.objects.filter(submission_id=waiting, creator=account).first()
    if made is None:
        row = GeneratedDocument.objects.filter(
            name=f"{_folder(account)}{waiting}", job_name=UPLOAD_JOB
        ).first()
        if row is None or row.content is None:
            return _form_page(request, _("This file is no longer available. Upload it again."))
        made = tournament_from_archive(
            event_archive.read_archive(bytes(row.content)), account, submission=waiting
        )
        row.delete()
    return redirect("tournaments:desk", made.key)


def tournament_from_archive(told: EventArchive, account: Person, *, submission: str = "") -> Tournament:
    """A new tournament that is the one of an archive, directed by who restores it."""
    with transaction.atomic():
        row, new = Tournament.objects.select_for_update().get_or_create(
            submission_id=submission or random_token(),
            defaults={
                "name": told.event.name,
                "document": dict(told.document),
                "version": len(told.entries),
                "creator": account,
                "created_at": timezone.now(),
                **event_days(told.event),
            },
        )
        if new:
            TournamentMembership.objects.create(tournament=row, account=account, role=TournamentRole.DIRECTOR)
            JournalEntry.objects.bulk_create([_as_row(row, one) for one in told.entries])
            AccessToken.objects.bulk_create(_passes(row, told))
    return row


def _as_row(row: Tournament, entry: event_archive.ArchivedEntry) -> JournalEntry:
    return JournalEntry(
        tournament=row,
        number=entry.number,
        created_at=cast(datetime, parse_time(entry.at)),
        person_number=entry.person,
        actor_label=entry.hand,
        acts=cast(list[Json], list(entry.acts)),
        changes=cast(list[Json], list(entry.changes)),
        undoes_number=entry.undoes,
        undone_by_number=entry.undone,
        idempotency_key=entry.once,
    )


def _passes(row: Tournament, told: EventArchive) -> list[AccessToken]:
    """People’s own links work here as there, but for those that are somebody’s here already."""
    keys = [one.key for one in told.links]
    taken = set(AccessToken.objects.filter(token__in=keys).values_list("token", flat=True))
    return [
        AccessToken(
            tournament=row,
            person_number=one.person,
            token=one.key,
            claimed_at=parse_time(one.claimed) if one.claimed else None,
            merged_into=one.follows or None,
        )
        for one in told.links
        if one.key not in taken
    ]
