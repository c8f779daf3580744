"""Documents that take long to make: asked for on a page, made behind it, kept for whoever asks next.

A worker makes them where there is one, else the process of low priority; without either they are made at
once. Pages of a large site are served on any machine, so they are kept in the database.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from time import monotonic, sleep, thread_time
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from talleyrand.web.common import visitor_quota
from talleyrand.web.limits import low_priority
from talleyrand.web.limits.wait_slots import wait_slot

from .jobs import JOBS
from .models import GeneratedDocument
from .triggers import run_soon

LOOK = 0.1  # seconds between two looks whether it is there
AT_ONCE = 2.0  # seconds that a page waits for one before it says that it is being prepared
LONGEST = timedelta(minutes=10)  # that a worker may take before another begins again
TRIES = 3  # workers that may die of one document
AGAIN = timedelta(minutes=10)  # after which a document that could not be made is tried again
FRESH = timedelta(days=1)  # that it was asked for is noted no more often
HOUR = timedelta(hours=1)
KEPT = timedelta(days=30)  # that nobody asks for it
MOST, MOST_BYTES = 2000, 256 << 20
MOST_WAITING, MOST_A_VISITOR = 100, 20  # a stranger has a board for each picture that they ask for

# Troubles of a site that was installed without an extra.
WITHOUT_MEANS = frozenset(("PdfUnavailable", "TalleyrandError"))

logger = logging.getLogger(__name__)


class DocumentPending(Exception):
    """It is about to be made."""


class DocumentFailed(Exception):
    """It could not be made; the name of what went wrong is its text."""


class QuotaUsedUp(Exception):
    """So much was made for this visitor within an hour that this one has to wait."""


def get_document(
    name: str, maker: str, told: Mapping[str, Any], *, visitor: str = "", longest: float = AT_ONCE
) -> bytes:
    """A document, waited for so many seconds at most; what it costs is counted for its first visitor.

    Raises Preparing, NotMade and Spent.
    """
    now = timezone.now()
    row = GeneratedDocument.objects.filter(name=name).first() or _asked(name, maker, told, visitor, now)
    if row.error and now - row.requested_at > AGAIN:
        GeneratedDocument.objects.filter(pk=name).update(error="", attempts=0, requested_at=now)
        row.error = ""
    elif now - row.requested_at > FRESH:
        GeneratedDocument.objects.filter(pk=name).update(requested_at=now)
    if row.content is None and not row.error and _wanted(now).filter(pk=name).exists():
        _have_made(name)
    with wait_slot(longest) as seconds:
        return _content(row, monotonic() + seconds)


def _asked(name: str, maker: str, told: Mapping[str, Any], visitor: str, now: datetime) -> GeneratedDocument:
    waiting = _waiting()
    mine = waiting.filter(visitor_id=visitor).count() if visitor else 0
    if mine >= MOST_A_VISITOR or waiting.count() >= MOST_WAITING:
        raise DocumentPending  # whoever asks again finds room once some are made
    if visitor_quota.quota_exceeded(visitor):
        raise QuotaUsedUp
    fields = {"job_name": maker, "arguments": told, "requested_at": now, "visitor_id": visitor}
    return GeneratedDocument.objects.get_or_create(name=name, defaults=fields)[0]


def is_requested(name: str) -> bool:
    """Whether somebody has asked for a document of this name."""
    return GeneratedDocument.objects.filter(name=name).exists()


def _have_made(name: str) -> None:
    if settings.WORKERS:
        run_soon("documents")
    elif not low_priority.run_at_low_priority(JOBS["documents"].path) and (
        row := _claimed(timezone.now(), name)
    ):
        _make(row)


def _content(row: GeneratedDocument, end: float) -> bytes:
    now = row if row.content is not None else GeneratedDocument.objects.get(pk=row.pk)
    while now.content is None:
        if now.error:
            raise DocumentFailed(now.error)
        if monotonic() >= end:
            raise DocumentPending
        sleep(LOOK)
        now = GeneratedDocument.objects.get(pk=row.pk)
    return bytes(now.content)


def make_requested_documents() -> int:
    """Make what is wanted, one after the other; how many were made or could not be."""
    done = 0
    while row := _claimed(timezone.now()):
        _make(row)
        done += 1
    if done:
        prune(timezone.now())
    return done


def _waiting() -> QuerySet[GeneratedDocument]:
    return GeneratedDocument.objects.filter(content=None, error="")


def _wanted(now: datetime) -> QuerySet[GeneratedDocument]:
    return _waiting().filter(Q(claimed_by="") | Q(claimed_until__lt=now))


def _claimed(now: datetime, only: str = "") -> GeneratedDocument | None:
    """One that nobody else makes: whoever changes the row first does it.

    Whoever has had the fewest made within an hour comes first; what is of no visitor has always had none.
    """
    _give_up(now)
    me = secrets.token_hex(8)
    begun = GeneratedDocument.objects.filter(attempts__gt=0, requested_at__gt=now - HOUR).exclude(
        visitor_id=""
    )
    had = dict(begun.order_by().values_list("visitor_id").annotate(Count("pk")))
    found = _wanted(now).filter(pk=only) if only else _wanted(now)
    rows = found.order_by("requested_at").values_list("pk", "visitor_id")
    for name, _visitor in sorted(rows, key=lambda row: had.get(row[1], 0)):
        if (
            _wanted(now)
            .filter(pk=name)
            .update(claimed_by=me, claimed_until=now + LONGEST, attempts=F("attempts") + 1)
        ):
            return GeneratedDocument.objects.filter(pk=name, claimed_by=me).first()
    return None


def _give_up(now: datetime) -> None:
    """What has ended several workers, by all the memory of a machine say, ends no more of them."""
    lost = _wanted(now).filter(attempts__gte=TRIES)
    for name in lost.values_list("pk", flat=True):
        logger.error("a document has ended %s workers, and is given up: %s", TRIES, name)
    lost.update(error="WorkerLost", claimed_by="")


def _make(row: GeneratedDocument) -> None:
    """Only while it is still ours: who took too long has lost it."""
    mine, begun = GeneratedDocument.objects.filter(pk=row.pk, claimed_by=row.claimed_by), thread_time()
    outcome: dict[str, Any]
    try:
        with low_priority.cpu_bounded(row.job_name):
            content = JOBS[row.job_name].run(**row.arguments)
        assert isinstance(content, bytes), row.job_name
        outcome = {"content": content, "arguments": {}}
    except Exception as problem:
        trouble = type(problem).__name__[:80]
        outcome = {"error": trouble}
        if trouble in WITHOUT_MEANS:
            logger.warning("this site has nothing to make it with: %s", row.job_name)
        else:
            logger.exception("a document could not be made: %s", row.job_name)
    seconds = thread_time() - begun
    visitor_quota.charge_cpu_seconds(row.visitor_id, seconds)
    mine.update(**outcome, claimed_by="", cpu_seconds=seconds)


def prune(now: datetime) -> int:
    """Forget documents that nobody has asked for in a while, and the oldest beyond MOST or MOST_BYTES."""
    old = GeneratedDocument.objects.filter(requested_at__lt=now - KEPT).delete()[0]
    sizes = GeneratedDocument.objects.order_by("-requested_at").values_list("pk", Length("content"))
    beyond, total = [], 0
    for number, (name, size) in enumerate(sizes):
        total += size or 0
        if number and (number >= MOST or total > MOST_BYTES):
            beyond.append(name)
    return old + GeneratedDocument.objects.filter(pk__in=beyond).delete()[0]


def release_claims() -> None:
    """At the start of the one process that makes documents: whoever made some before is gone. Where there are
    several, what one of them had begun is begun again after LONGEST."""
    GeneratedDocument.objects.filter(content=None).exclude(claimed_by="").update(claimed_by="")
