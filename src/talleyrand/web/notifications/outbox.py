"""Puts what is to be told into the outbox, inside the transaction of what it tells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
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


_hearers: list[Callable[[NotificationEvent], None]] = []


def add_listener(hearer: Callable[[NotificationEvent], None]) -> None:
    """Have an app above hear whatever is told, inside its transaction; to be called in `AppConfig.ready`."""
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
    once = _short(once)
    told = Notification.objects.filter(person__in=list(people), idempotency_key=once).values("person")
    listeners = list(Person.objects.filter(pk__in=list(people), is_active=True).exclude(pk__in=told))
    common = {
        "kind": kind,
        "facts": dict(facts),
        "topic": about,
        "path": path_without_language(path),
        "idempotency_key": once,
    }
    wishes = {one.pk: NotificationPreferences.for_person(one) for one in listeners}
    group = group_of(kind)
    Notification.objects.bulk_create(
        [
            Notification(person=one, is_shown=wishes[one.pk].wants(group, "page") != NO, **common)
            for one in listeners
        ],
        ignore_conflicts=True,
    )
    failpoint("outbox: news written")
    _address(listeners, wishes, group, once)
    for hearer in _hearers if listeners else ():
        hearer(NotificationEvent(listeners, kind, facts, about, path, once))
    topic_versions.bump_people(one.pk for one in listeners)


def _address(
    listeners: list[Person], wishes: Mapping[int, NotificationPreferences], group: str, once: str
) -> None:
    channels = reachable_by_channel(listeners)
    if not any(channels.values()):
        return
    rows = dict(
        Notification.objects.filter(person__in=listeners, idempotency_key=once).values_list("person", "pk")
    )
    now = timezone.now()
    leaving = [
        NotificationDelivery(
            notification_id=rows[one.pk], channel=channel, due_at=delivery_time(one, wanted, now)
        )
        for channel, there in channels.items()
        for one in listeners
        if one.pk in there and (wanted := wishes[one.pk].wants(group, channel)) != NO
    ]
    NotificationDelivery.objects.bulk_create(leaving, ignore_conflicts=True)
    failpoint("outbox: deliveries written")


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
    """Mark one’s news as read, all or some by the fields of `Notice`; gives how many were not yet."""
    person.unread_notifications = None
    found = Notification.objects.filter(person=person, read_at=None, **which)
    if not found.exists():  # asked first: even an update of nothing waits for whoever writes
        return 0
    marked = found.update(read_at=timezone.now())
    if marked:
        topic_versions.bump_people([person.pk])
    return marked


def prune(now: datetime) -> int:
    """Delete what was read long ago; gives how many rows. The clock calls it now and then."""
    return Notification.objects.filter(read_at__lt=now - KEPT).delete()[1].get(Notification._meta.label, 0)
