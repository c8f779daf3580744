"""Takes what is due to the push services. Any number of processes may do so at once.

News become one row for each device of their reader; each row is claimed by a conditional update. Between an
answer and our note of it lies one update: whoever dies there leaves a row that is sent again under the same
tag and topic, so that the device shows it once. Nothing is lost.
"""

from __future__ import annotations

import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.crashing import point
from talleyrand.web.games import audience
from talleyrand.web.games.models import Game, secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.notices import counters, kinds
from talleyrand.web.notices.choices import NO, Choices
from talleyrand.web.notices.models import Delivery, Notice
from talleyrand.web.webhooks import calling, destinations
from talleyrand.web.webhooks.calling import Answer

from . import devices, keys, words
from .models import Device, Push

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


def send_due(now: datetime | None = None) -> int:
    """Send what is due; how many devices have it now."""
    moment = now or timezone.now()
    gather(moment)
    if cache.add("push-pruned", True, EACH):  # noqa: FBT003 Django's own order
        prune(moment)
    return Sender(moment).send() if _due(moment).exists() else 0


# news


def gather(now: datetime) -> None:
    """Make of the news that are due a row for each device of their reader."""
    for person in list(_news(now).order_by().values_list("notice__person", flat=True).distinct()):
        try:
            _gather(person, now)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("the news of person %s could not be looked at, and wait for an hour", person)
            _news(now).filter(notice__person=person).update(due=now + PUT_OFF)


def _news(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(channel=CHANNEL, sent=None, due__lte=now)


@writing
def _gather(pk: int, now: datetime) -> None:
    mine = _news(now).filter(notice__person=pk).select_for_update(of=("self",))
    rows = list(mine.select_related("notice").order_by("pk"))
    person = Person.objects.get(pk=pk)
    wanted = [row.notice for row in rows if row.due > now - STALE and concerns(person, row.notice)]
    found = Device.objects.filter(person=pk)
    Push.objects.bulk_create(
        [Push(device=device, notice=notice, due=now) for notice in wanted for device in found],
        ignore_conflicts=True,
    )
    point("push: rows written")
    Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(sent=now)
    point("push: news gathered, not committed")


def concerns(person: Person, notice: Notice) -> bool:
    """Whether news are still their reader’s, unread, and wanted on his devices."""
    group = kinds.group_of(notice.kind)
    if not person.is_active or notice.read is not None or Choices.of(person).wants(group, CHANNEL) == NO:
        return False
    if notice.kind.startswith("alarm_"):
        return person.is_administrator
    topic = counters.game_topic("")
    if not notice.about.startswith(topic):
        return True
    game = Game.objects.filter(key=notice.about.removeprefix(topic)).first()
    return game is not None and audience.concerns(Sight(game, person), notice.kind)


def _is_over(notice: Notice, now: datetime) -> bool:
    """Whether it reminds of a date that has passed."""
    due = notice.facts.get("due") if notice.kind in REMINDERS else None
    try:
        when = datetime.fromisoformat(due) if isinstance(due, str) else None
    except ValueError:
        return False
    return when is not None and timezone.is_aware(when) and when < now


def prune(now: datetime) -> int:
    """Delete what has been sent or dropped long ago, and devices whose owner is no longer signed in there."""
    known = list(Device.objects.all())
    gone = {one.pk for one in known} - devices.alive(known)
    Device.objects.filter(pk__in=gone).delete()
    over = Q(made__lt=now - KEPT) & ~Q(sent=None, dropped="")
    return Push.objects.filter(over).delete()[0]


# what waits


def _due(now: datetime) -> QuerySet[Push]:
    free = Q(worker="") | Q(worker_until__lt=now)
    return Push.objects.filter(free, sent=None, dropped="", due__lte=now)


@dataclass(frozen=True)
class Sealed:
    """What leaves for one device: all that is needed beside the database."""

    push: Push
    headers: dict[str, str]
    body: bytes


class Sender:
    """Sends a handful at a time, from the moment `begun`."""

    def __init__(self, begun: datetime) -> None:
        self.begun = begun
        self.worker = f"{os.getpid()}-{secret()[:12]}"
        self._started = time.monotonic()

    @property
    def now(self) -> datetime:
        return self.begun + timedelta(seconds=time.monotonic() - self._started)

    def send(self) -> int:
        """Until nothing is due, or it takes too long; how many were taken."""
        sent = 0
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="push") as pool:
            while time.monotonic() - self._started < AT_ONCE and (rows := self._claim()):
                point("push: claimed")
                sealed = [found for row in rows if (found := self._looked_at(row))]
                for one, answer in zip(sealed, pool.map(_carried, sealed), strict=True):
                    point("push: answered, not noted")
                    sent += self._note(one.push, answer)
                    point("push: noted")
        return sent

    def _claim(self) -> list[Push]:
        """The next ones, whose claim nobody else has."""
        some = list(_due(self.now).order_by("due", "pk").values_list("pk", flat=True)[:HANDFUL])
        claimed = {"worker": self.worker, "worker_until": self.now + CLAIM}
        if not (some and _due(self.now).filter(pk__in=some).update(**claimed)):
            return []
        mine = Push.objects.filter(pk__in=some, worker=self.worker)
        return list(mine.select_related("device__person", "notice").order_by("due", "pk"))

    def _looked_at(self, push: Push) -> Sealed | None:
        """As it leaves now; None where it must not, or fails to be written."""
        if not devices.alive([push.device]):
            Device.objects.filter(pk=push.device_id).delete()
            return None
        if why := self._dropped(push):
            self._leave(push, dropped=why)
            return None
        try:
            with departing.speaking(push.device.person):
                return _sealed(push, words.payload(push), self.now)
        except Exception as problem:  # noqa: BLE001 a fault of ours, which may be mended by then
            logger.error("push %s could not be written: %s", push.pk, type(problem).__name__)  # noqa: TRY400
            self._later(push)
        return None

    def _dropped(self, push: Push) -> str:
        if push.made < self.now - STALE or (push.notice and _is_over(push.notice, self.now)):
            return STALE_NEWS
        if push.notice is None or concerns(push.device.person, push.notice):
            return ""
        return READ

    def _note(self, push: Push, answer: Answer) -> bool:
        """Write down what a service said; whether it took it."""
        if answer.is_well:
            Device.objects.filter(pk=push.device_id).update(reached=self.now)
            self._leave(push, sent=self.now)
            return True
        if answer.status in (*GONE, *FOREIGN):
            Device.objects.filter(pk=push.device_id, endpoint=push.device.endpoint).delete()
        elif answer.status is None or answer.status in LATER or answer.status >= 500:
            self._later(push)
        else:
            logger.warning("push %s is refused with %s", push.pk, answer.status)
            self._leave(push, dropped=REFUSED)
        return False

    def _later(self, push: Push) -> None:
        if push.tries >= len(PAUSES):
            self._leave(push, dropped=REFUSED)
        else:
            self._leave(push, tries=push.tries + 1, due=self.now + PAUSES[push.tries])

    @writing
    def _leave(self, push: Push, **changed: object) -> None:
        """Give up the claim, unless somebody else has it meanwhile."""
        mine = Push.objects.filter(pk=push.pk, worker=self.worker, sent=None)
        mine.update(worker="", worker_until=None, **changed)


# one message


def _sealed(push: Push, data: bytes, now: datetime) -> Sealed:
    left = max(int((push.made + STALE - now).total_seconds()), 60)
    group = kinds.group_of(push.notice.kind) if push.notice else ""
    headers = {
        "TTL": str(left),
        "Urgency": "high" if group in ("deadlines", "site", "") else "normal",
        "Topic": f"talleyrand-{push.pk}",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        **keys.authorization(push.device.endpoint),
    }
    return Sealed(push, headers, keys.encrypted(push.device, data))


def _carried(one: Sealed) -> Answer:
    """In a thread, which touches no database."""
    endpoint = one.push.device.endpoint
    try:
        to = destinations.read(endpoint)
    except destinations.NotAllowed:
        return Answer(problem=calling.NOWHERE)
    if not devices.is_service(endpoint):  # the settings of the site have changed since
        return Answer(status=GONE[0])
    return calling.post(to, one.headers, one.body)
