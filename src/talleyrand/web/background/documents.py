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

from talleyrand.web import low_priority, visitors
from talleyrand.web.patience import patience

from .calling import soon
from .jobs import JOBS
from .models import Document

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
WITHOUT_MEANS = frozenset(("Unavailable", "TalleyrandError"))

logger = logging.getLogger(__name__)


class Preparing(Exception):
    """It is about to be made."""


class NotMade(Exception):
    """It could not be made; the name of what went wrong is its text."""


class Spent(Exception):
    """So much was made for this visitor within an hour that this one has to wait."""


def kept(
    name: str, maker: str, told: Mapping[str, Any], *, visitor: str = "", longest: float = AT_ONCE
) -> bytes:
    """A document, waited for so many seconds at most; what it costs is counted for its first visitor.

    Raises Preparing, NotMade and Spent.
    """
    now = timezone.now()
    row = Document.objects.filter(name=name).first() or _asked(name, maker, told, visitor, now)
    if row.trouble and now - row.asked > AGAIN:
        Document.objects.filter(pk=name).update(trouble="", begun=0, asked=now)
        row.trouble = ""
    elif now - row.asked > FRESH:
        Document.objects.filter(pk=name).update(asked=now)
    if row.content is None and not row.trouble and _wanted(now).filter(pk=name).exists():
        _have_made(name)
    with patience(longest) as seconds:
        return _content(row, monotonic() + seconds)


def _asked(name: str, maker: str, told: Mapping[str, Any], visitor: str, now: datetime) -> Document:
    waiting = _waiting()
    mine = waiting.filter(visitor=visitor).count() if visitor else 0
    if mine >= MOST_A_VISITOR or waiting.count() >= MOST_WAITING:
        raise Preparing  # whoever asks again finds room once some are made
    if visitors.has_spent(visitor):
        raise Spent
    fields = {"maker": maker, "told": told, "asked": now, "visitor": visitor}
    return Document.objects.get_or_create(name=name, defaults=fields)[0]


def asked_for(name: str) -> bool:
    """Whether somebody has asked for a document of this name."""
    return Document.objects.filter(name=name).exists()


def _have_made(name: str) -> None:
    if settings.WORKERS:
        soon("documents")
    elif not low_priority.have_done(JOBS["documents"].path) and (row := _claimed(timezone.now(), name)):
        _make(row)


def _content(row: Document, end: float) -> bytes:
    now = row if row.content is not None else Document.objects.get(pk=row.pk)
    while now.content is None:
        if now.trouble:
            raise NotMade(now.trouble)
        if monotonic() >= end:
            raise Preparing
        sleep(LOOK)
        now = Document.objects.get(pk=row.pk)
    return bytes(now.content)


def make_wanted() -> int:
    """Make what is wanted, one after the other; how many were made or could not be."""
    done = 0
    while row := _claimed(timezone.now()):
        _make(row)
        done += 1
    if done:
        prune(timezone.now())
    return done


def _waiting() -> QuerySet[Document]:
    return Document.objects.filter(content=None, trouble="")


def _wanted(now: datetime) -> QuerySet[Document]:
    return _waiting().filter(Q(worker="") | Q(worker_until__lt=now))


def _claimed(now: datetime, only: str = "") -> Document | None:
    """One that nobody else makes: whoever changes the row first does it.

    Whoever has had the fewest made within an hour comes first; what is of no visitor has always had none.
    """
    _give_up(now)
    me = secrets.token_hex(8)
    begun = Document.objects.filter(begun__gt=0, asked__gt=now - HOUR).exclude(visitor="")
    had = dict(begun.order_by().values_list("visitor").annotate(Count("pk")))
    found = _wanted(now).filter(pk=only) if only else _wanted(now)
    rows = found.order_by("asked").values_list("pk", "visitor")
    for name, _visitor in sorted(rows, key=lambda row: had.get(row[1], 0)):
        if _wanted(now).filter(pk=name).update(worker=me, worker_until=now + LONGEST, begun=F("begun") + 1):
            return Document.objects.filter(pk=name, worker=me).first()
    return None


def _give_up(now: datetime) -> None:
    """What has ended several workers, by all the memory of a machine say, ends no more of them."""
    lost = _wanted(now).filter(begun__gte=TRIES)
    for name in lost.values_list("pk", flat=True):
        logger.error("a document has ended %s workers, and is given up: %s", TRIES, name)
    lost.update(trouble="WorkerLost", worker="")


def _make(row: Document) -> None:
    """Only while it is still ours: who took too long has lost it."""
    mine, begun = Document.objects.filter(pk=row.pk, worker=row.worker), thread_time()
    outcome: dict[str, Any]
    try:
        with low_priority.measured(row.maker):
            content = JOBS[row.maker].do(**row.told)
        assert isinstance(content, bytes), row.maker
        outcome = {"content": content, "told": {}}
    except Exception as problem:
        trouble = type(problem).__name__[:80]
        outcome = {"trouble": trouble}
        if trouble in WITHOUT_MEANS:
            logger.warning("this site has nothing to make it with: %s", row.maker)
        else:
            logger.exception("a document could not be made: %s", row.maker)
    seconds = thread_time() - begun
    visitors.spend(row.visitor, seconds)
    mine.update(**outcome, worker="", seconds=seconds)


def prune(now: datetime) -> int:
    """Forget documents that nobody has asked for in a while, and the oldest beyond MOST or MOST_BYTES."""
    old = Document.objects.filter(asked__lt=now - KEPT).delete()[0]
    sizes = Document.objects.order_by("-asked").values_list("pk", Length("content"))
    beyond, total = [], 0
    for number, (name, size) in enumerate(sizes):
        total += size or 0
        if number and (number >= MOST or total > MOST_BYTES):
            beyond.append(name)
    return old + Document.objects.filter(pk__in=beyond).delete()[0]


def forget_workers() -> None:
    """At the start of the one process that makes documents: whoever made some before is gone. Where there are
    several, what one of them had begun is begun again after LONGEST."""
    Document.objects.filter(content=None).exclude(worker="").update(worker="")
