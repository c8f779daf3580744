"""Documents that take long to make: asked for on a page, made by a worker, kept for whoever asks next.

Pages of a large site are served on any machine, so the documents are kept in the database.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from time import monotonic, sleep
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from talleyrand.web.patience import patience

from .calling import soon
from .jobs import JOBS
from .models import Document

LOOK = 0.1  # seconds between two looks whether it is there
LONGEST = timedelta(minutes=10)  # that a worker may take before another begins again
TRIES = 3  # workers that may die of one document
AGAIN = timedelta(minutes=10)  # after which a document that could not be made is tried again
FRESH = timedelta(days=1)  # that it was asked for is noted no more often
KEPT = timedelta(days=30)  # that nobody asks for it
MOST = 2000
MOST_WAITING = 100  # a stranger has a board for each picture that he asks for

logger = logging.getLogger(__name__)


class Preparing(Exception):
    """A worker is about to make it."""


class NotMade(Exception):
    """It could not be made; the name of what went wrong is its text."""


def kept(name: str, maker: str, told: Mapping[str, Any], longest: float) -> bytes:
    """A document, waited for so many seconds at most. Raises Preparing and NotMade."""
    now = timezone.now()
    if not Document.objects.filter(name=name).exists() and _waiting().count() >= MOST_WAITING:
        raise Preparing  # whoever asks again finds room once some are made
    row, made = Document.objects.get_or_create(
        name=name, defaults={"maker": maker, "told": told, "asked": now}
    )
    if row.trouble and now - row.asked > AGAIN:
        Document.objects.filter(pk=name).update(trouble="", begun=0, asked=now)
        row.trouble, made = "", True
    if made:
        soon("documents")
    elif now - row.asked > FRESH:
        Document.objects.filter(pk=name).update(asked=now)
    with patience(longest) as seconds:
        return _content(row, monotonic() + seconds)


def _content(row: Document, end: float) -> bytes:
    while row.content is None:
        if row.trouble:
            raise NotMade(row.trouble)
        if monotonic() >= end:
            raise Preparing
        sleep(LOOK)
        row.refresh_from_db()
    return bytes(row.content)


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


def _claimed(now: datetime) -> Document | None:
    """One that nobody else makes: whoever changes the row first does it."""
    _give_up(now)
    me = secrets.token_hex(8)
    for name in _wanted(now).order_by("asked").values_list("pk", flat=True)[:20]:
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
    mine = Document.objects.filter(pk=row.pk, worker=row.worker)
    try:
        content = JOBS[row.maker].do(**row.told)
        assert isinstance(content, bytes), row.maker
    except Exception as problem:
        logger.exception("a document could not be made: %s", row.maker)
        mine.update(trouble=type(problem).__name__[:80], worker="")
    else:
        mine.update(content=content, told={}, worker="")


def prune(now: datetime) -> int:
    """Forget documents that nobody has asked for in a while, and the oldest beyond MOST; how many."""
    old = Document.objects.filter(asked__lt=now - KEPT).delete()[0]
    beyond = Document.objects.order_by("-asked").values_list("asked", flat=True)[MOST : MOST + 1].first()
    return old + (Document.objects.filter(asked__lte=beyond).delete()[0] if beyond else 0)
