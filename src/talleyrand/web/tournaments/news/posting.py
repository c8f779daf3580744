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

from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments.models import secret
from talleyrand.web.webhooks import calling, destinations
from talleyrand.web.webhooks.calling import Answer

from .chatting import TRIAL
from .models import Chat, Post

CLAIM = timedelta(minutes=2)  # more than one post may take
AT_ONCE = 20.0  # seconds after which a stop is noticed
STALE = timedelta(hours=6)  # news of a room that is elsewhere by then
# Before a post that failed is made again: three hours in all.
PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 1, 2, 5, 10, 20, 40, 60, 60))
GONE = (404, 410)  # nobody is behind the address any more
KEPT = timedelta(days=7)

DELIVERED, GIVEN_UP, STALE_NEWS, REFUSED, PAUSED = "delivered", "given_up", "stale", "refused", "paused"

logger = logging.getLogger(__name__)


def send_due(now: datetime | None = None) -> int:
    """Make the posts that are due; how many were taken."""
    moment, begun, taken = now or timezone.now(), time.monotonic(), 0
    for chat in list(_due_chats(moment).order_by("failed", "pk").values_list("pk", flat=True)):
        if time.monotonic() - begun >= AT_ONCE:
            break
        try:
            taken += Poster(chat, moment, begun).post()
        except DatabaseError:
            raise
        except Exception as problem:  # noqa: BLE001 what is said of it may hold the address
            logger.error("chat %s could not be posted to: %s", chat, type(problem).__name__)  # noqa: TRY400
    return taken


def _due_chats(now: datetime) -> QuerySet[Chat]:
    waiting = Post.objects.filter(chat=OuterRef("pk"), outcome="", due__lte=now)
    return Chat.objects.filter(Exists(waiting)).filter(Q(worker="") | Q(worker_until__lt=now))


class Poster:
    """Posts to one chat, as long as it holds its claim and is heard."""

    def __init__(self, chat: int, now: datetime, begun: float) -> None:
        self.chat, self._from, self._begun = chat, now, begun
        self.worker = f"{os.getpid()}-{secret()[:12]}"

    @property
    def now(self) -> datetime:
        return self._from + timedelta(seconds=time.monotonic() - self._begun)

    def post(self) -> int:
        """Until nothing is due, a post fails or it takes too long; how many were taken."""
        taken = 0
        try:
            while time.monotonic() - self._begun < AT_ONCE and self._claim():
                row = self._next()
                if row is None or not self._one(row):
                    break
                taken += row.outcome == DELIVERED
        finally:
            Chat.objects.filter(pk=self.chat, worker=self.worker).update(worker="", worker_until=None)
        return taken

    def _claim(self) -> bool:
        mine = Q(worker="") | Q(worker=self.worker) | Q(worker_until__lt=self.now)
        claimed = {"worker": self.worker, "worker_until": self.now + CLAIM}
        return bool(Chat.objects.filter(mine, pk=self.chat).update(**claimed))

    def _next(self) -> Post | None:
        """The oldest; those behind one that is tried again later wait for it."""
        waiting = Post.objects.filter(chat=self.chat, outcome="").select_related("chat").order_by("pk")
        row = waiting.exclude(kind=TRIAL).first()
        if row is None or row.due > self.now:
            return waiting.filter(kind=TRIAL, due__lte=self.now).first()
        return row

    def _one(self, row: Post) -> bool:
        """Make one post, or drop it; False where it failed."""
        if self.now - row.made > STALE:
            Post.objects.filter(pk=row.pk, outcome="").update(outcome=STALE_NEWS)
            return True
        answer = _called(row)
        _note(row, answer, self.now)
        return answer.is_well


def _called(row: Post) -> Answer:
    try:
        to = destinations.read(row.chat.address)
    except destinations.NotAllowed:  # the settings of the site have changed since
        return Answer(problem=calling.NOWHERE)
    return calling.post(to, {}, row.body.encode())


@writing
def _note(row: Post, answer: Answer, now: datetime) -> None:
    """What became of a try, for the post and for its chat."""
    chat = Chat.objects.select_for_update().filter(pk=row.chat.pk).first()
    if chat is None or chat.address != row.chat.address:  # another since, or none
        return
    row.tries += 1
    if answer.is_well:
        row.outcome = DELIVERED
        chat.reached, chat.failed, chat.problem, chat.status = now, None, "", None
    else:
        row.outcome, row.due = _again(row, now)
        chat.failed, chat.problem, chat.status = now, answer.problem, answer.status
        if answer.status in GONE and row.kind != TRIAL:
            chat.paused, row.outcome = now, PAUSED
    chat.save(update_fields=["reached", "failed", "problem", "status", "paused"])
    row.save(update_fields=["tries", "outcome", "due"])
    if chat.paused is not None:
        Post.objects.filter(chat=chat, outcome="").exclude(kind=TRIAL).update(outcome=PAUSED)


def _again(row: Post, now: datetime) -> tuple[str, datetime]:
    if row.kind == TRIAL:
        return REFUSED, row.due
    if row.tries > len(PAUSES):
        return GIVEN_UP, row.due
    return "", now + PAUSES[row.tries - 1]


def prune(now: datetime) -> int:
    """Delete posts of long ago that no longer wait; how many."""
    return Post.objects.filter(made__lt=now - KEPT).exclude(outcome="").delete()[0]
