"""Sends what has changed to copies, whenever there is a network; without one it tries again by itself.

A link is claimed by one conditional update. What is sent twice is the same once: versions say so.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from talleyrand.web.notices import counters
from talleyrand.web.tournaments.journal import topic
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.webhooks import calling
from talleyrand.web.webhooks.calling import Answer

from . import parcels, reaching
from .models import Link
from .parcels import Parcel

JOB = "copies"
CLAIM = timedelta(minutes=1)  # more than one call may take
BEAT = timedelta(minutes=2)  # between two words that nothing has changed
PAUSES = tuple(timedelta(seconds=length) for length in (5, 10, 20, 40, 60))  # without a network
REST = timedelta(minutes=10)  # where another try alone would not help
AT_ONCE = 20.0  # seconds of one sweep

GONE, NEWER, REFUSED, UNREAD = "gone", "newer", "refused", "unread"
ANSWERS = {404: GONE, 409: NEWER, 400: UNREAD, 413: REFUSED, 422: UNREAD}
WANTED = 412  # the copy shows another state than it was told of: it is sent whole

logger = logging.getLogger(__name__)


def send_due(now: datetime | None = None) -> int:
    """Tell the copies that have something to hear; how many have heard it."""
    begun, moment, heard = time.monotonic(), now or timezone.now(), 0
    for key in list(_due(moment).order_by("due").values_list("pk", flat=True)):
        if time.monotonic() - begun > AT_ONCE:
            break
        try:
            heard += _send(key, moment)
        except Exception:
            logger.exception("a copy could not be told; others are")
    return heard


def _due(now: datetime) -> QuerySet[Link]:
    changed = Q(failing=None) & ~Q(sent=F("tournament__version"))
    free = Q(worker_until=None) | Q(worker_until__lt=now)
    return Link.objects.filter(Q(due__lte=now) | changed).filter(free)


def _send(key: int, now: datetime) -> bool:
    """Tell one copy, if nobody else does."""
    if not _due(now).filter(pk=key).update(worker_until=now + CLAIM):
        return False
    link = Link.objects.select_related("tournament").get(pk=key)
    parcel = _parcel(link)
    answer = _called(link, parcel)
    _note(link, parcel, answer, now)
    return answer.is_well


def _parcel(link: Link) -> Parcel:
    row = link.tournament
    if link.ending:
        return parcels.ending(row.version)
    if link.sent == row.version:
        return parcels.same(row.version, link.mark)
    return parcels.made(row)


def _called(link: Link, parcel: Parcel) -> Answer:
    try:
        to = reaching.read(link.address)
    except reaching.NotAllowed:  # the settings of the site have changed since
        return Answer(problem=calling.NOWHERE)
    head = {"Authorization": f"Bearer {link.secret}", "Content-Type": parcels.KIND}
    return calling.post(to, head, parcels.write(parcel))


def _note(link: Link, parcel: Parcel, answer: Answer, now: datetime) -> None:
    """What became of it; a link that was changed meanwhile is left alone."""
    mine = Link.objects.filter(pk=link.pk, secret=link.secret, address=link.address)
    if parcel.end and (answer.is_well or answer.status == 404):
        mine.delete()
    elif answer.is_well:
        facts = {"sent": parcel.version, "mark": parcel.mark, "well": now, "due": now + BEAT}
        mine.update(**facts, problem="", failing=None, tries=0, worker_until=None)
    elif answer.status == WANTED and link.sent is not None:
        mine.update(sent=None, due=now, worker_until=None)
    else:
        _failed(mine, link, answer, now)
    if bool(link.problem) == answer.is_well:
        counters.bump(topic(link.tournament.key))


def _failed(mine: QuerySet[Link], link: Link, answer: Answer, now: datetime) -> None:
    known = ANSWERS.get(answer.status or 0, "")
    pause = REST if known else PAUSES[min(link.tries, len(PAUSES) - 1)]
    mine.update(
        problem=known or answer.problem or calling.BROKEN,
        failing=link.failing or now,
        tries=min(link.tries + 1, len(PAUSES)),
        due=now + pause,
        worker_until=None,
    )


def is_behind(tournament: Tournament, link: Link) -> bool:
    """Whether something has been done since the copy was told."""
    return link.sent != tournament.version
