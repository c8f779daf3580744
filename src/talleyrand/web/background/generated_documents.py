"""Documents that take long to make: asked for on a page, made behind it, kept for whoever asks next.

A worker makes them where there is one, else the process of low priority; without either they are made at
once. Pages of a large site are served on any machine, so they are kept in the database.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic, sleep, thread_time
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from talleyrand.web.claims import Counted, Queue, Sweep, each, release, unclaimed
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
    """It is about to be made: asked for so many seconds ago, as are so many `others`."""

    def __init__(self, seconds: float, others: int) -> None:
        super().__init__(seconds, others)
        self.seconds, self.others = seconds, others


class DocumentFailed(Exception):
    """It could not be made; the name of what went wrong is its text."""


class QuotaUsedUp(Exception):
    """So much was made for this visitor within an hour that this one has to wait."""


def get_document(
    name: str, maker: str, told: Mapping[str, Any], *, visitor: str = "", longest: float = AT_ONCE
) -> bytes:
    """A document, waited for so many seconds at most; what it costs is counted for its first visitor.

    Raises DocumentPending, DocumentFailed and QuotaUsedUp.
    """
    now = timezone.now()
    row = GeneratedDocument.objects.filter(name=name).first() or _requested_document(
        name, maker, told, visitor, now
    )
    if row.error and now - row.requested_at > AGAIN:
        GeneratedDocument.objects.filter(pk=name).update(error="", attempts=0, requested_at=now)
        row.error = ""
    elif now - row.requested_at > FRESH:
        GeneratedDocument.objects.filter(pk=name).update(requested_at=now)
    if row.content is None and not row.error and unclaimed(_waiting(now), now).filter(pk=name).exists():
        _have_made(name)
    with wait_slot(longest) as seconds:
        return _content(row, monotonic() + seconds)


def _requested_document(
    name: str, maker: str, told: Mapping[str, Any], visitor: str, now: datetime
) -> GeneratedDocument:
    waiting = _waiting(now)
    mine = waiting.filter(visitor_id=visitor).count() if visitor else 0
    if mine >= MOST_A_VISITOR or waiting.count() >= MOST_WAITING:
        raise DocumentPending(0.0, waiting.count())  # whoever asks again finds room once some are made
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
    elif not low_priority.run_at_low_priority(JOBS["documents"].path):
        Sweep(replace(QUEUE, due=lambda now: _waiting(now).filter(pk=name))).run()


def _content(row: GeneratedDocument, end: float) -> bytes:
    now = row if row.content is not None else GeneratedDocument.objects.get(pk=row.pk)
    while now.content is None:
        if now.error:
            raise DocumentFailed(now.error)
        if monotonic() >= end:
            at = timezone.now()
            others = _waiting(at).exclude(pk=now.pk).count()
            raise DocumentPending((at - now.requested_at).total_seconds(), others)
        sleep(LOOK)
        now = GeneratedDocument.objects.get(pk=row.pk)
    return bytes(now.content)


def make_requested_documents() -> int:
    """Make what is wanted, one after the other, in sweeps of a minute; how many were made."""
    done = 0
    while made := Sweep(QUEUE).run():
        done += made
    if done:
        prune(timezone.now())
    return done


def _waiting(_now: datetime) -> QuerySet[GeneratedDocument]:
    return GeneratedDocument.objects.filter(content=None, error="").order_by("requested_at")


def _visitors_in_turn(rows: QuerySet[GeneratedDocument]) -> list[list[str]]:
    """Whoever has had the fewest made within an hour comes first; what is of no visitor had none at all."""
    begun = GeneratedDocument.objects.filter(attempts__gt=0, requested_at__gt=timezone.now() - HOUR)
    begun = begun.exclude(visitor_id="")
    had = dict(begun.order_by().values_list("visitor_id").annotate(Count("pk")))
    found = sorted(rows.values_list("pk", "visitor_id"), key=lambda row: had.get(row[1], 0))
    return [[name] for name, _visitor in found]


def _give_up(sweep: Sweep, row: GeneratedDocument) -> int:
    """What has ended several workers, by all the memory of a machine say, ends no more of them."""
    logger.error("a document has ended %s workers, and is given up: %s", TRIES, row.name)
    sweep.leave(row, error="WorkerLost")
    return 0


def _make(sweep: Sweep, row: GeneratedDocument) -> int:
    """Only while it is still ours: who took too long has lost it."""
    begun = thread_time()
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
    sweep.leave(row, **outcome, cpu_seconds=seconds)
    return 1


QUEUE = Queue(
    _waiting,
    each(_make),
    LONGEST,
    "a document",
    seconds=60.0,
    at_a_look=1,
    in_turns=_visitors_in_turn,
    counted=Counted.EVERY,
    most_attempts=TRIES,
    exhausted=_give_up,
    database_failures=1,
)


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
    release(GeneratedDocument.objects.filter(content=None))
