"""Puts what is to be told into the outbox, inside the transaction of what it tells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import local
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.urls import translate_url
from django.utils import timezone
from django.utils.translation import get_language_from_path, override

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.failpoints import failpoint

from . import topic_versions
from .models import Notification, NotificationDelivery
from .notification_kinds import group_of
from .preferences import NO, NotificationPreferences, delivery_time, reachable_by_channel

KEPT = timedelta(days=90)
LONGEST_ONCE = 120
LONGEST_PATH = 200


@dataclass(frozen=True)
class NotificationEvent:
    """What some people have just been told."""

    people: list[Person]
    kind: str
    facts: Mapping[str, Any]
    topic: str
    path: str
    idempotency_key: str


@dataclass(frozen=True)
class _Notice:
    """What some people are to be told, by primary key."""

    people: frozenset[int]
    common: Mapping[str, Any]  # what a `Notification` has but for its person

    @property
    def once(self) -> str:
        return str(self.common["idempotency_key"])


_hearers: list[Callable[[Sequence[NotificationEvent]], None]] = []
_waiting = local()


def add_listener(hearer: Callable[[Sequence[NotificationEvent]], None]) -> None:
    """Have an app above hear whatever is told, what is told at once together, inside its transaction; to be
    called in `AppConfig.ready`.
    """
    _hearers.append(hearer)


def notify(
    people: Iterable[int],
    kind: str,
    facts: Mapping[str, Any],
    *,
    about: str,
    path: str,
    once: str,
) -> None:
    """Tell each person (by primary key) one thing; the same `once` again tells nobody twice.

    Each is told as he chose: on the page of news, and by a row for each way out of the site that has an
    address. `path` may be of any language.
    """
    common = {
        "kind": kind,
        "facts": dict(facts),
        "topic": about,
        "path": path_without_language(path),
        "idempotency_key": _short(once),
    }
    notice, waiting = _Notice(frozenset(people), common), getattr(_waiting, "notices", None)
    if waiting is None:
        _tell([notice])
    else:
        waiting.append(notice)


@contextmanager
def notified_together() -> Iterator[None]:
    """Have this thread write what it tells in the block at its end, all at once, inside the transaction that
    is open then. A block within another leaves that to it, or takes back what it would have told where it
    fails.
    """
    before, mine = getattr(_waiting, "notices", None), list[_Notice]()
    _waiting.notices = mine
    try:
        yield
    finally:
        _waiting.notices = before
    if before is not None:
        before.extend(mine)
    elif mine:
        _tell(mine)


def _tell(notices: Sequence[_Notice]) -> None:
    """Write what is told, leaving out who has been told before."""
    everybody = {one for notice in notices for one in notice.people}
    onces = [notice.once for notice in notices]
    told = set(
        Notification.objects.filter(person__in=everybody, idempotency_key__in=onces).values_list(
            "person", "idempotency_key"
        )
    )
    people = {one.pk: one for one in Person.objects.filter(pk__in=everybody, is_active=True).order_by("pk")}
    wishes = {pk: NotificationPreferences.for_person(one) for pk, one in people.items()}
    heard: list[tuple[_Notice, list[Person]]] = []
    for notice in notices:
        new = [one for pk, one in people.items() if pk in notice.people and (pk, notice.once) not in told]
        told |= {(one.pk, notice.once) for one in new}
        heard.append((notice, new))
    Notification.objects.bulk_create(
        [
            Notification(
                person_id=one.pk,
                is_shown=wishes[one.pk].wants(group_of(notice.common["kind"]), "page") != NO,
                **notice.common,
            )
            for notice, listeners in heard
            for one in listeners
        ],
        ignore_conflicts=True,
    )
    failpoint("outbox: news written")
    heard = [(notice, listeners) for notice, listeners in heard if listeners]
    _address(heard, wishes)
    for hearer in _hearers if heard else ():
        hearer([NotificationEvent(listeners, **notice.common) for notice, listeners in heard])
    topic_versions.bump_people({one.pk for _, listeners in heard for one in listeners})


def _address(
    heard: Sequence[tuple[_Notice, list[Person]]], wishes: Mapping[int, NotificationPreferences]
) -> None:
    people = {one.pk: one for _, some in heard for one in some}
    channels = reachable_by_channel(list(people.values()))
    if not any(channels.values()):
        return
    onces = [notice.once for notice, _ in heard]
    # with the people, which the index begins with: else all that was ever told is looked through
    written = Notification.objects.filter(person__in=people, idempotency_key__in=onces)
    rows = {tuple(key): pk for *key, pk in written.values_list("person", "idempotency_key", "pk")}
    now = timezone.now()
    leaving = [
        NotificationDelivery(
            notification_id=rows[one.pk, notice.once],
            channel=channel,
            due_at=delivery_time(one, wanted, now, notice.common["facts"].get("due")),
        )
        for notice, listeners in heard
        for channel, there in channels.items()
        for one in listeners
        if one.pk in there and (wanted := wishes[one.pk].wants(*_group_channel_topic(notice, channel))) != NO
    ]
    NotificationDelivery.objects.bulk_create(leaving, ignore_conflicts=True)
    failpoint("outbox: deliveries written")


def _group_channel_topic(notice: _Notice, channel: str) -> tuple[str, str, str]:
    return group_of(notice.common["kind"]), channel, notice.common["topic"]


def path_without_language(path: str) -> str:
    """A path of the site as its first language has it; "" for one that is too long to be ours."""
    found = path_in_language(path, settings.LANGUAGE_CODE)
    return found if len(found) <= LONGEST_PATH else ""


def path_in_language(path: str, language: str) -> str:
    """A path of the site, of whichever language, as another has it."""
    written = get_language_from_path(path) or settings.LANGUAGE_CODE
    if written == language:
        return path
    with override(written):
        return translate_url(path, language)


def _short(once: str) -> str:
    if len(once) <= LONGEST_ONCE:
        return once
    return f"{once[:50]}:{hashlib.sha256(once.encode()).hexdigest()}"


def unread_count(person: Person) -> int:
    """How many news wait for somebody."""
    if person.unread_notifications is not None:
        return person.unread_notifications
    return Notification.objects.filter(person=person, read_at=None, is_shown=True).count()


def mark_opened(person: Person, path: str) -> None:
    """Mark the news that lead to a page which their reader opens; in the same question, count all others."""
    told = Notification.objects.filter(person=person, read_at=None).aggregate(
        shown=Count("pk", filter=Q(is_shown=True)), here=Count("pk", filter=Q(path=path))
    )
    if told["here"]:
        mark_read(person, path=path)
    else:
        person.unread_notifications = told["shown"]


def mark_read(person: Person, **which: Any) -> int:
    """Mark one’s news as read, all or some by the fields of `Notification`; gives how many were not yet."""
    person.unread_notifications = None
    found = Notification.objects.filter(person=person, read_at=None, **which)
    if not found.exists():  # asked first: even an update of nothing waits for whoever writes
        return 0
    marked = found.update(read_at=timezone.now())
    if marked:
        topic_versions.bump_people([person.pk])
    return marked


def prune(now: datetime) -> int:
    """Delete what was read long ago; gives how many rows."""
    return Notification.objects.filter(read_at__lt=now - KEPT).delete()[1].get(Notification._meta.label, 0)
