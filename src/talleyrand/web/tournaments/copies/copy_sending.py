"""Sends what has changed to copies, whenever there is a network; without one it tries again by itself.

A link is claimed by one conditional update. What is sent twice is the same once: versions say so.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from talleyrand.web.claims import Queue, Sweep, each
from talleyrand.web.common import http_delivery
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.notifications import topic_versions
from talleyrand.web.tournaments.event_journal import tournament_topic
from talleyrand.web.tournaments.models import Tournament

from . import copy_parcels, copy_urls
from .copy_parcels import CopyParcel
from .models import CopyLink

COPY_JOB = "copies"
CLAIM_LENGTH = timedelta(minutes=1)  # more than one call may take
CONFIRM_EVERY = timedelta(minutes=2)  # between two words that nothing has changed
RETRY_PAUSES = tuple(timedelta(seconds=length) for length in (5, 10, 20, 40, 60))  # without a network
LONG_PAUSE = timedelta(minutes=10)  # where another try alone would not help
SECONDS_A_SWEEP = 20.0  # seconds of one sweep

GONE, NEWER, REFUSED, UNREAD = "gone", "newer", "refused", "unread"
ERRORS_BY_STATUS = {404: GONE, 409: NEWER, 400: UNREAD, 413: REFUSED, 422: UNREAD}
WHOLE_NEEDED_STATUS = 412  # the copy shows another state than it was told of: it is sent whole


def send_due_copies(now: datetime | None = None) -> int:
    """Tell the copies that have something to hear; how many have heard it."""
    return Sweep(QUEUE, now or timezone.now()).run()


def _due(now: datetime) -> QuerySet[CopyLink]:
    told = Tournament.objects.filter(pk=OuterRef("tournament"), version=OuterRef("sent_version"))
    changed = Q(~Exists(told), failing_since=None)
    return CopyLink.objects.filter(Q(due_at__lte=now) | changed).order_by("due_at")


def _send(sweep: Sweep, link: CopyLink) -> bool:
    """Tell one copy."""
    parcel = _parcel(link)
    answer = _called(link, parcel)
    _note(link, parcel, answer, sweep.started_at)
    return answer.is_well


QUEUE = Queue(_due, each(_send), CLAIM_LENGTH, "a copy", seconds=SECONDS_A_SWEEP)


def _parcel(link: CopyLink) -> CopyParcel:
    row = link.tournament
    if link.is_being_removed:
        return copy_parcels.removal_parcel(row.version)
    if link.sent_version == row.version:
        return copy_parcels.unchanged_parcel(row.version, link.content_mark)
    return copy_parcels.full_parcel(row)


def _called(link: CopyLink, parcel: CopyParcel) -> HttpResult:
    try:
        to = copy_urls.parse_copy_url(link.url)
    except copy_urls.UrlNotAllowed:  # the settings of the site have changed since
        return HttpResult(error=http_delivery.UNKNOWN_HOST)
    head = {"Authorization": f"Bearer {link.secret}", "Content-Type": copy_parcels.CONTENT_TYPE}
    return http_delivery.post_once(to, head, copy_parcels.pack_parcel(parcel))


def _note(link: CopyLink, parcel: CopyParcel, answer: HttpResult, now: datetime) -> None:
    """What became of it; a link that was changed meanwhile is left alone."""
    mine = CopyLink.objects.filter(pk=link.pk, secret=link.secret, url=link.url)
    if parcel.end and (answer.is_well or answer.status == 404):
        mine.delete()
    elif answer.is_well:
        facts = {
            "sent_version": parcel.version,
            "content_mark": parcel.mark,
            "delivered_at": now,
            "due_at": now + CONFIRM_EVERY,
        }
        mine.update(**facts, error="", failing_since=None, attempts=0, claimed_until=None)
    elif answer.status == WHOLE_NEEDED_STATUS and link.sent_version is not None:
        mine.update(sent_version=None, due_at=now, claimed_until=None)
    else:
        _failed(mine, link, answer, now)
    if bool(link.error) == answer.is_well:
        topic_versions.bump(tournament_topic(link.tournament.key))


def _failed(mine: QuerySet[CopyLink], link: CopyLink, answer: HttpResult, now: datetime) -> None:
    known = ERRORS_BY_STATUS.get(answer.status or 0, "")
    pause = LONG_PAUSE if known else RETRY_PAUSES[min(link.attempts, len(RETRY_PAUSES) - 1)]
    mine.update(
        error=known or answer.error or http_delivery.BROKEN,
        failing_since=link.failing_since or now,
        attempts=min(link.attempts + 1, len(RETRY_PAUSES)),
        due_at=now + pause,
        claimed_until=None,
    )


def is_copy_behind(tournament: Tournament, link: CopyLink) -> bool:
    """Whether something has been done since the copy was told."""
    return link.sent_version != tournament.version
