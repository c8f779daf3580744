"""Takes what is due to the push services. Any number of processes may do so at once.

News become one row for each device of their reader; each row is claimed by a conditional update. Between an
answer and our note of it lies one update: whoever dies there leaves a row that is sent again under the same
tag and topic, so that the device shows it once. Nothing is lost.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Queue, Sweep
from talleyrand.web.common import http_delivery, outbound_urls
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.http_delivery import HttpResult
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.notifications import notification_kinds, topic_versions
from talleyrand.web.notifications.models import Notification, NotificationDelivery
from talleyrand.web.notifications.preferences import NO, NotificationPreferences

from . import devices, push_payload, vapid_keys
from .models import PushDevice, PushMessage

CHANNEL = "push"
STALE = timedelta(days=1)  # news that could not leave for so long are none
PUT_OFF = timedelta(hours=1)
KEPT = timedelta(days=7)
EACH = 60 * 60  # seconds between two prunings
CLAIM = timedelta(minutes=3)  # more than a handful may take
HANDFUL, SIDE_BY_SIDE = 16, 8
AT_ONCE = 8.0  # seconds after which a stop is noticed
# Before one that a service did not take is sent again.
PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 2, 10, 30, 60, 120, 240, 480))
GONE = (404, 410)  # nobody is behind the endpoint any more
LATER = (408, 425, 429)
FOREIGN = (401, 403)  # it was registered with another key of ours
REMINDERS = ("due_soon", "missing")
READ, STALE_NEWS, REFUSED = "read", "stale", "refused"

logger = logging.getLogger(__name__)


def send_due_pushes(now: datetime | None = None) -> int:
    """Send what is due; how many devices have it now."""
    moment = now or timezone.now()
    create_pushes(moment)
    if cache.add("push-pruned", True, EACH):  # noqa: FBT003 Django's own order
        prune_pushes(moment)
    return Sweep(QUEUE, moment).run()


# news


def create_pushes(now: datetime) -> None:
    """Make of the news that are due a row for each device of their reader."""
    for person in list(_news(now).order_by().values_list("notification__person", flat=True).distinct()):
        try:
            _gather(person, now)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("the news of person %s could not be looked at, and wait for an hour", person)
            _news(now).filter(notification__person=person).update(due_at=now + PUT_OFF)


def _news(now: datetime) -> QuerySet[NotificationDelivery]:
    return NotificationDelivery.objects.filter(channel=CHANNEL, sent_at=None, due_at__lte=now)


@write_transaction
def _gather(pk: int, now: datetime) -> None:
    mine = _news(now).filter(notification__person=pk).select_for_update(of=("self",))
    rows = list(mine.select_related("notification").order_by("pk"))
    person = Person.objects.get(pk=pk)
    wanted = [
        row.notification for row in rows if row.due_at > now - STALE and is_wanted(person, row.notification)
    ]
    found = PushDevice.objects.filter(person=pk)
    PushMessage.objects.bulk_create(
        [
            PushMessage(device=device, notification=notice, due_at=now)
            for notice in wanted
            for device in found
        ],
        ignore_conflicts=True,
    )
    failpoint("push: rows written")
    NotificationDelivery.objects.filter(pk__in=[row.pk for row in rows]).update(sent_at=now)
    failpoint("push: news gathered, not committed")


def is_wanted(person: Person, notice: Notification) -> bool:
    """Whether news are still their reader’s, unread, and wanted on his devices."""
    group = notification_kinds.group_of(notice.kind)
    if (
        not person.is_active
        or notice.read_at is not None
        or NotificationPreferences.for_person(person).wants(group, CHANNEL, notice.topic) == NO
    ):
        return False
    if notice.kind.startswith("alarm_"):
        return person.is_administrator
    topic = topic_versions.game_topic("")
    if not notice.topic.startswith(topic):
        return True
    game = Game.objects.filter(key=notice.topic.removeprefix(topic)).first()
    return game is not None and recipients.may_still_be_notified(GameViewer(game, person), notice.kind)


def _is_over(notice: Notification, now: datetime) -> bool:
    """Whether it reminds of a date that has passed."""
    due = notice.facts.get("due") if notice.kind in REMINDERS else None
    try:
        when = datetime.fromisoformat(due) if isinstance(due, str) else None
    except ValueError:
        return False
    return when is not None and timezone.is_aware(when) and when < now


def prune_pushes(now: datetime) -> int:
    """Delete what has been sent or dropped long ago, and devices whose owner is no longer signed in there."""
    known = list(PushDevice.objects.all())
    gone = {one.pk for one in known} - devices.signed_in_devices(known)
    PushDevice.objects.filter(pk__in=gone).delete()
    over = Q(created_at__lt=now - KEPT) & ~Q(sent_at=None, drop_reason="")
    return PushMessage.objects.filter(over).delete()[0]


# what waits


def _due(now: datetime) -> QuerySet[PushMessage]:
    rows = PushMessage.objects.filter(sent_at=None, drop_reason="", due_at__lte=now)
    return rows.select_related("device__person", "notification").order_by("due_at", "pk")


@dataclass(frozen=True)
class EncryptedPush:
    """What leaves for one device: all that is needed beside the database."""

    message: PushMessage
    headers: dict[str, str]
    body: bytes


def _send(sweep: Sweep, rows: list[PushMessage]) -> int:
    """A handful side by side; how many were taken."""
    failpoint("push: claimed")
    sealed = [found for row in rows if (found := _looked_at(sweep, row))]
    sent = 0
    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="push") as pool:
        for one, answer in zip(sealed, pool.map(_carried, sealed), strict=True):
            failpoint("push: answered, not noted")
            sent += _note(sweep, one.message, answer)
            failpoint("push: noted")
    return sent


QUEUE = Queue(
    _due, _send, CLAIM, "a push", a_claim=HANDFUL, at_a_look=HANDFUL, seconds=AT_ONCE, pauses=PAUSES
)


def _looked_at(sweep: Sweep, push: PushMessage) -> EncryptedPush | None:
    """As it leaves now; None where it must not, or fails to be written."""
    if not devices.signed_in_devices([push.device]):
        PushDevice.objects.filter(pk=push.device_id).delete()
        return None
    if why := _dropped(push, sweep.now):
        sweep.leave(push, drop_reason=why)
        return None
    try:
        with email_queue.reader_locale(push.device.person):
            return _sealed(push, push_payload.push_payload(push), sweep.now)
    except Exception as problem:  # noqa: BLE001 a fault of ours, which may be mended by then
        logger.error("push %s could not be written: %s", push.pk, type(problem).__name__)  # noqa: TRY400
        _later(sweep, push)
    return None


def _dropped(push: PushMessage, now: datetime) -> str:
    if push.created_at < now - STALE or (push.notification and _is_over(push.notification, now)):
        return STALE_NEWS
    if push.notification is None or is_wanted(push.device.person, push.notification):
        return ""
    return READ


def _note(sweep: Sweep, push: PushMessage, answer: HttpResult) -> bool:
    """Write down what a service said; whether it took it."""
    if answer.is_well:
        PushDevice.objects.filter(pk=push.device_id).update(last_delivered_at=sweep.now)
        sweep.leave(push, sent_at=sweep.now)
        return True
    if answer.status in (*GONE, *FOREIGN):
        PushDevice.objects.filter(pk=push.device_id, endpoint=push.device.endpoint).delete()
    elif answer.status is None or answer.status in LATER or answer.status >= 500:
        _later(sweep, push)
    else:
        logger.warning("push %s is refused with %s", push.pk, answer.status)
        sweep.leave(push, drop_reason=REFUSED)
    return False


def _later(sweep: Sweep, push: PushMessage) -> None:
    if not sweep.put_off(push):
        sweep.leave(push, drop_reason=REFUSED)


# one message


def _sealed(push: PushMessage, data: bytes, now: datetime) -> EncryptedPush:
    left = max(int((push.created_at + STALE - now).total_seconds()), 60)
    group = notification_kinds.group_of(push.notification.kind) if push.notification else ""
    headers = {
        "TTL": str(left),
        "Urgency": "high" if group in ("deadlines", "site", "") else "normal",
        "Topic": f"talleyrand-{push.pk}",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        **vapid_keys.vapid_headers(push.device.endpoint),
    }
    return EncryptedPush(push, headers, vapid_keys.encrypt_for_device(push.device, data))


def _carried(one: EncryptedPush) -> HttpResult:
    """In a thread, which touches no database."""
    endpoint = one.message.device.endpoint
    try:
        to = outbound_urls.parse_public_url(endpoint)
    except outbound_urls.UrlNotAllowed:
        return HttpResult(error=http_delivery.UNKNOWN_HOST)
    if not devices.is_push_service(endpoint):  # the settings of the site have changed since
        return HttpResult(status=GONE[0])
    return http_delivery.post_once(to, one.headers, one.body)
