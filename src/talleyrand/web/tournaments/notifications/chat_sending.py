"""Posts to chats what waits for them. Any number of processes may do so at once.

A chat is claimed by one conditional update, so that its posts leave one by one and in order. A failure is
tried again for some hours, more and more seldom; the desk is shown the last one.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from talleyrand.web.claims import Queue, Sweep, each
from talleyrand.web.common import http_delivery, outbound_urls
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.common.transactions import write_transaction

from .chat_posts import TEST
from .models import ChatPost, TournamentChat

CLAIM_LENGTH = timedelta(minutes=2)  # more than one post may take
SECONDS_A_SWEEP = 20.0  # seconds after which a stop is noticed
STALE_AFTER = timedelta(hours=6)  # news of a room that is elsewhere by then
# Before a post that failed is made again: three hours in all.
RETRY_PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 1, 2, 5, 10, 20, 40, 60, 60))
GONE_STATUSES = (404, 410)  # nobody is behind the address any more
POSTS_KEPT = timedelta(days=7)
A_DAY = 86_400  # seconds

DELIVERED, GIVEN_UP, STALE_NEWS, REFUSED, PAUSED = "delivered", "given_up", "stale", "refused", "paused"


def send_due_posts(now: datetime | None = None) -> int:
    """Make the posts that are due; how many were taken. Once a day those of long ago are deleted."""
    moment = now or timezone.now()
    if cache.add("chat-posts-pruned", True, A_DAY):  # noqa: FBT003 Django's own order
        prune_posts(moment)
    return Sweep(QUEUE, moment).run()


def _due_chats(now: datetime) -> QuerySet[TournamentChat]:
    waiting = ChatPost.objects.filter(chat=OuterRef("pk"), outcome="", due_at__lte=now)
    return TournamentChat.objects.filter(Exists(waiting)).order_by("failed_at", "pk")


def _post_to_chat(sweep: Sweep, chat: TournamentChat) -> int:
    """Until nothing is due, a post fails or it takes too long; how many were taken."""
    sent = sweep.while_claimed(chat, lambda: _next(chat, sweep.now), lambda row: _send_post(row, sweep))
    return sum(row.outcome == DELIVERED for row in sent)


QUEUE = Queue(
    _due_chats,
    each(_post_to_chat),
    CLAIM_LENGTH,
    "chat",
    seconds=SECONDS_A_SWEEP,
    is_secret=True,  # what is said of a problem may hold the address
    database_failures=1,
)


def _next(chat: TournamentChat, now: datetime) -> ChatPost | None:
    """The oldest; those behind one that is tried again later wait for it."""
    waiting = ChatPost.objects.filter(chat=chat, outcome="").select_related("chat").order_by("pk")
    row = waiting.exclude(kind=TEST).first()
    if row is None or row.due_at > now:
        return waiting.filter(kind=TEST, due_at__lte=now).first()
    return row


def _send_post(row: ChatPost, sweep: Sweep) -> bool:
    """Make one post, or drop it; False where it failed."""
    if sweep.now - row.created_at > STALE_AFTER:
        ChatPost.objects.filter(pk=row.pk, outcome="").update(outcome=STALE_NEWS)
        return True
    answer = _called(row)
    _note(row, answer, sweep.now)
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
