"""Posts to chats what waits for them. Any number of processes may do so at once.

A chat is claimed by one conditional update, so that its posts leave one by one and in order. A failure is
tried again for some hours, more and more seldom; the desk is shown the last one.
"""

from __future__ import annotations

import logging
import os
import time
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from talleyrand.web.common import http_delivery, outbound_urls
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.tournaments.models import random_token

from .chat_posts import TEST
from .models import ChatPost, TournamentChat

CLAIM_LENGTH = timedelta(minutes=2)  # more than one post may take
SECONDS_A_SWEEP = 20.0  # seconds after which a stop is noticed
STALE_AFTER = timedelta(hours=6)  # news of a room that is elsewhere by then
# Before a post that failed is made again: three hours in all.
RETRY_PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 1, 2, 5, 10, 20, 40, 60, 60))
GONE_STATUSES = (404, 410)  # nobody is behind the address any more
POSTS_KEPT = timedelta(days=7)

DELIVERED, GIVEN_UP, STALE_NEWS, REFUSED, PAUSED = "delivered", "given_up", "stale", "refused", "paused"

logger = logging.getLogger(__name__)


def send_due_posts(now: datetime | None = None) -> int:
    """Make the posts that are due; how many were taken."""
    moment, begun, taken = now or timezone.now(), time.monotonic(), 0
    for chat in list(_due_chats(moment).order_by("failed_at", "pk").values_list("pk", flat=True)):
        if time.monotonic() - begun >= SECONDS_A_SWEEP:
            break
        try:
            taken += ChatSender(chat, moment, begun).send_all_due()
        except DatabaseError:
            raise
        except Exception as problem:  # noqa: BLE001 what is said of it may hold the address
            logger.error("chat %s could not be posted to: %s", chat, type(problem).__name__)  # noqa: TRY400
    return taken


def _due_chats(now: datetime) -> QuerySet[TournamentChat]:
    waiting = ChatPost.objects.filter(chat=OuterRef("pk"), outcome="", due_at__lte=now)
    return TournamentChat.objects.filter(Exists(waiting)).filter(Q(claimed_by="") | Q(claimed_until__lt=now))


class ChatSender:
    """Posts to one chat, as long as it holds its claim and is heard."""

    def __init__(self, chat: int, now: datetime, begun: float) -> None:
        self.chat, self._from, self._begun = chat, now, begun
        self.worker = f"{os.getpid()}-{random_token()[:12]}"

    @property
    def now(self) -> datetime:
        return self._from + timedelta(seconds=time.monotonic() - self._begun)

    def send_all_due(self) -> int:
        """Until nothing is due, a post fails or it takes too long; how many were taken."""
        taken = 0
        try:
            while time.monotonic() - self._begun < SECONDS_A_SWEEP and self._claim():
                row = self._next()
                if row is None or not self._one(row):
                    break
                taken += row.outcome == DELIVERED
        finally:
            TournamentChat.objects.filter(pk=self.chat, claimed_by=self.worker).update(
                claimed_by="", claimed_until=None
            )
        return taken

    def _claim(self) -> bool:
        mine = Q(claimed_by="") | Q(claimed_by=self.worker) | Q(claimed_until__lt=self.now)
        claimed = {"claimed_by": self.worker, "claimed_until": self.now + CLAIM_LENGTH}
        return bool(TournamentChat.objects.filter(mine, pk=self.chat).update(**claimed))

    def _next(self) -> ChatPost | None:
        """The oldest; those behind one that is tried again later wait for it."""
        waiting = ChatPost.objects.filter(chat=self.chat, outcome="").select_related("chat").order_by("pk")
        row = waiting.exclude(kind=TEST).first()
        if row is None or row.due_at > self.now:
            return waiting.filter(kind=TEST, due_at__lte=self.now).first()
        return row

    def _one(self, row: ChatPost) -> bool:
        """Make one post, or drop it; False where it failed."""
        if self.now - row.created_at > STALE_AFTER:
            ChatPost.objects.filter(pk=row.pk, outcome="").update(outcome=STALE_NEWS)
            return True
        answer = _called(row)
        _note(row, answer, self.now)
        return answer.is_well


def _called(row: ChatPost) -> HttpResult:
    try:
        to = outbound_urls.parse_public_url(row.chat.url)
    except outbound_urls.UrlNotAllowed:  # the settings of the site have changed since
        return HttpResult(error=http_delivery.UNKNOWN_HOST)
    return http_delivery.post_once(to, {}, row.body.encode())


@write_transaction
def _note(row: ChatPost, answer: HttpResult, now: datetime) -> None:
    """What became of a try, for the post and for its chat."""
    chat = TournamentChat.objects.select_for_update().filter(pk=row.chat.pk).first()
    if chat is None or chat.url != row.chat.url:  # another since, or none
        return
    row.attempts += 1
    if answer.is_well:
        row.outcome = DELIVERED
        chat.delivered_at, chat.failed_at, chat.error, chat.status_code = now, None, "", None
    else:
        row.outcome, row.due_at = _again(row, now)
        chat.failed_at, chat.error, chat.status_code = now, answer.error, answer.status
        if answer.status in GONE_STATUSES and row.kind != TEST:
            chat.paused_at, row.outcome = now, PAUSED
    chat.save(update_fields=["delivered_at", "failed_at", "error", "status_code", "paused_at"])
    row.save(update_fields=["attempts", "outcome", "due_at"])
    if chat.paused_at is not None:
        ChatPost.objects.filter(chat=chat, outcome="").exclude(kind=TEST).update(outcome=PAUSED)


def _again(row: ChatPost, now: datetime) -> tuple[str, datetime]:
    if row.kind == TEST:
        return REFUSED, row.due_at
    if row.attempts > len(RETRY_PAUSES):
        return GIVEN_UP, row.due_at
    return "", now + RETRY_PAUSES[row.attempts - 1]


def prune_posts(now: datetime) -> int:
    """Delete posts of long ago that no longer wait; how many."""
    return ChatPost.objects.filter(created_at__lt=now - POSTS_KEPT).exclude(outcome="").delete()[0]
