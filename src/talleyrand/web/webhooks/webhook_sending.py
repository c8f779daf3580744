"""Calls the hooks that have something to hear. Any number of processes may do so at once.

A hook is claimed by one conditional update, so that it is called by one at a time and in order; each call is
looked at again just before it leaves. Between an answer and our note of it lies one update: whoever dies
there leaves a call that is made again, under the same `webhook-id`. Nothing is lost.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.claims import Queue, Sweep, each, unclaimed
from talleyrand.web.common import http_delivery, outbound_urls, restore_note
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications import outbox, topic_versions

from . import webhook_events
from .models import Webhook, WebhookCall

CLAIM = timedelta(minutes=2)  # more than one call may take
AT_ONCE = 8.0  # seconds after which the hooks of another person have their turn
SIDE_BY_SIDE = 6  # people whose hooks are called at the same time
DAY = timedelta(days=1)
STALE = timedelta(days=2)
MOVED = timedelta(hours=1)  # a copy put back sooner is a site that moves
# Before a call that failed is made again: a day in all.
PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 2, 5, 15, 30, 60, 120, 240, 480, 490))
PATIENCE = 3  # failures in a row after which a hook rests, whatever waits for it
RESTS = tuple(timedelta(minutes=length) for length in (1, 2, 5, 10, 20, 40, 60))
GONE = 410  # by which a program says that it wants to hear no more

DELIVERED, GIVEN_UP, FAILED = "delivered", "given_up", "failed"
NO_LONGER, STALE_NEWS, PAUSED = "no_longer", "stale", "paused"
BY_OWNER, FAILING, IS_GONE = "owner", "failing", "gone"


def send_due_calls(now: datetime | None = None) -> int:
    """Make the calls that are due; how many were heard. The hooks of several people are called at once."""
    moment = now or timezone.now()
    _reckon_restored(moment)
    free = unclaimed(_due_hooks(moment), moment)
    people = list(free.order_by().values_list("person", flat=True).distinct())
    if len(people) <= 1 or SIDE_BY_SIDE <= 1:
        return sum(Sweep(person_queue(person), moment).run() for person in people)
    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="hooks") as pool:
        return sum(pool.map(partial(_in_thread, now=moment), people))


def _reckon_restored(now: datetime) -> None:
    """What a copy was to tell, the site has told since, if it served for an hour or more."""
    made = restore_note.read_note(settings.DATA, restore_note.WEBHOOKS)
    if made is None:
        return
    if now - made >= MOVED:
        before = now if made == restore_note.LONG_AGO else made + MOVED
        WebhookCall.objects.filter(outcome="", created_at__lt=before).update(outcome=STALE_NEWS)
    restore_note.delete_note(settings.DATA, restore_note.WEBHOOKS)


def _in_thread(person: int, now: datetime) -> int:
    try:
        return Sweep(person_queue(person), now).run()
    finally:
        connection.close()


def _due_hooks(now: datetime) -> QuerySet[Webhook]:
    awake = Q(retry_at=None) | Q(retry_at__lte=now)
    waiting = WebhookCall.objects.filter(webhook=OuterRef("pk"), outcome="", due_at__lte=now)
    trial = waiting.filter(kind=webhook_events.TEST)
    return Webhook.objects.filter(Exists(trial) | awake & Exists(waiting))


def person_queue(person: int) -> Queue:
    """The hooks of a person, the one that has waited longest for an answer last."""
    return Queue(
        lambda now: _due_hooks(now).filter(person=person).order_by("failure_count", "pk"),
        each(_call_hook),
        CLAIM,
        "the hook",
        seconds=AT_ONCE,
    )


def _call_hook(sweep: Sweep, hook: Webhook) -> int:
    """Until nothing is due, a call fails or it takes too long; how many were heard."""
    sent = sweep.while_claimed(hook, lambda: _next(hook, sweep.now), lambda row: _send_call(row, sweep))
    return sum(row.outcome == DELIVERED for row in sent)


def _next(hook: Webhook, now: datetime) -> WebhookCall | None:
    """The oldest that is due; of a hook that rests, a trial alone."""
    due = WebhookCall.objects.filter(webhook=hook, outcome="", due_at__lte=now).order_by("due_at", "pk")
    due = due.select_related("webhook__person", "webhook__game")
    row = due.first()
    if row is None or row.webhook.retry_at is None or row.webhook.retry_at <= now:
        return row
    return due.filter(kind=webhook_events.TEST).first()


def _send_call(row: WebhookCall, sweep: Sweep) -> bool:
    """Make one call, or drop it; False where it failed."""
    why = _dropped(row, sweep.now)
    if why:
        row.outcome = why
        WebhookCall.objects.filter(pk=row.pk, outcome="").update(outcome=why)
        return True
    answer = _called(row, sweep.now)
    failpoint("webhooks: answered, not noted")
    _note(row, answer, sweep.now)
    return answer.is_well


def _called(row: WebhookCall, now: datetime) -> HttpResult:
    try:
        to = outbound_urls.parse_public_url(row.webhook.address)
    except outbound_urls.UrlNotAllowed:  # the settings of the site have changed since
        return HttpResult(error=http_delivery.UNKNOWN_HOST)
    body = row.body.encode()
    return http_delivery.post_once(
        to, webhook_events.signature_headers(row.webhook, row.message_id, int(now.timestamp()), body), body
    )


# who may hear it


def _dropped(row: WebhookCall, now: datetime) -> str:
    """Why a call must not be made now; "" where it may."""
    hook = row.webhook
    if row.kind == webhook_events.TEST:
        return "" if hook.person.is_active else NO_LONGER
    if hook.paused_at is not None:
        return PAUSED
    if now - row.created_at > STALE:
        return STALE_NEWS
    return "" if hook.person.is_active and _concerns(row) else NO_LONGER


def _concerns(row: WebhookCall) -> bool:
    """Whether its owner may still hear it: what has become of him in the game since?"""
    if row.kind.startswith("alarm_"):
        return row.webhook.person.is_administrator
    topic = topic_versions.game_topic("")
    if not row.topic.startswith(topic):
        return True
    game = Game.objects.filter(key=row.topic.removeprefix(topic)).first()
    return game is not None and recipients.may_still_be_notified(
        GameViewer(game, row.webhook.person), row.kind
    )


# what is written down


@write_transaction
def _note(row: WebhookCall, answer: HttpResult, now: datetime) -> None:
    """The outcome of a try, for the call and for its hook."""
    row.attempts += 1
    row.attempted_at, row.status_code = now, answer.status
    row.response_text, row.error = answer.text, answer.error
    hook = Webhook.objects.select_for_update().filter(pk=row.webhook.pk).first()
    if hook is None:  # deleted meanwhile
        return
    if row.kind == webhook_events.TEST:
        row.outcome = DELIVERED if answer.is_well else FAILED
    elif answer.is_well:
        row.outcome = DELIVERED
    else:
        _again(row, now)
        _failed(hook, now)
        _give_up(hook, answer, now)
    if answer.is_well:
        hook.failure_count, hook.failing_since, hook.retry_at = 0, None, None
    hook.save(update_fields=["failure_count", "failing_since", "retry_at", "paused_at", "pause_reason"])
    row.save(
        update_fields=[
            "attempts",
            "attempted_at",
            "status_code",
            "response_text",
            "error",
            "outcome",
            "due_at",
        ]
    )


def _again(row: WebhookCall, now: datetime) -> None:
    if row.attempts > len(PAUSES):
        row.outcome = GIVEN_UP
    else:
        row.due_at = now + PAUSES[row.attempts - 1]


def _failed(hook: Webhook, now: datetime) -> None:
    hook.failure_count += 1
    hook.failing_since = hook.failing_since or now
    if hook.failure_count >= PATIENCE:
        hook.retry_at = now + RESTS[min(hook.failure_count - PATIENCE, len(RESTS) - 1)]


def _give_up(hook: Webhook, answer: HttpResult, now: datetime) -> None:
    """Pause a hook that says it is gone, or has not been heard for a day, and tell its owner."""
    failing = hook.failing_since is not None and now - hook.failing_since >= DAY
    if hook.paused_at is not None or not (failing or answer.status == GONE):
        return
    hook.paused_at, hook.pause_reason = now, FAILING if failing else IS_GONE
    outbox.notify(
        [hook.person_id],
        webhook_events.WEBHOOK_PAUSED,
        {},
        about="",
        path=reverse("webhooks:one", args=[hook.key]),
        once=f"webhook:{hook.key}:{now.isoformat()}",
    )
