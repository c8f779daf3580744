"""Puts what is to be told into the outbox, inside the transaction of what it tells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import translate_url
from django.utils import timezone
from django.utils.translation import get_language_from_path, override

from talleyrand.web.accounts.models import Person
from talleyrand.web.crashing import point

from . import counters
from .choices import NO, Choices, due, reachable
from .kinds import group_of
from .models import Delivery, Notice

KEPT = timedelta(days=90)
LONGEST_ONCE = 120
LONGEST_PATH = 200


@dataclass(frozen=True)
class Told:
    """What some people have just been told."""

    people: list[Person]
    kind: str
    facts: Mapping[str, Any]
    about: str
    path: str
    once: str


_hearers: list[Callable[[Told], None]] = []


def heard_by(hearer: Callable[[Told], None]) -> None:
    """Have an app above hear whatever is told, inside its transaction; to be called in `AppConfig.ready`."""
    _hearers.append(hearer)


def tell(
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
    told = Notice.objects.filter(person__in=list(people), once=once).values("person")
    listeners = list(Person.objects.filter(pk__in=list(people), is_active=True).exclude(pk__in=told))
    common = {"kind": kind, "facts": dict(facts), "about": about, "path": plain(path), "once": once}
    wishes = {one.pk: Choices.of(one) for one in listeners}
    group = group_of(kind)
    Notice.objects.bulk_create(
        [Notice(person=one, shown=wishes[one.pk].wants(group, "page") != NO, **common) for one in listeners],
        ignore_conflicts=True,
    )
    point("outbox: news written")
    _address(listeners, wishes, group, once)
    for hearer in _hearers if listeners else ():
        hearer(Told(listeners, kind, facts, about, path, once))
    counters.bump_people(one.pk for one in listeners)


def _address(listeners: list[Person], wishes: Mapping[int, Choices], group: str, once: str) -> None:
    channels = reachable(listeners)
    if not any(channels.values()):
        return
    rows = dict(Notice.objects.filter(person__in=listeners, once=once).values_list("person", "pk"))
    now = timezone.now()
    leaving = [
        Delivery(notice_id=rows[one.pk], channel=channel, due=due(one, wanted, now))
        for channel, there in channels.items()
        for one in listeners
        if one.pk in there and (wanted := wishes[one.pk].wants(group, channel)) != NO
    ]
    Delivery.objects.bulk_create(leaving, ignore_conflicts=True)
    point("outbox: deliveries written")


def plain(path: str) -> str:
    """A path of the site as its first language has it; "" for one that is too long to be ours."""
    found = spoken(path, settings.LANGUAGE_CODE)
    return found if len(found) <= LONGEST_PATH else ""


def spoken(path: str, language: str) -> str:
    """A path of the site, of whichever language, as another has it."""
    with override(get_language_from_path(path) or settings.LANGUAGE_CODE):
        return translate_url(path, language)


def _short(once: str) -> str:
    if len(once) <= LONGEST_ONCE:
        return once
    return f"{once[:50]}:{hashlib.sha256(once.encode()).hexdigest()}"


def unread(person: Person) -> int:
    """How many news wait for somebody."""
    return Notice.objects.filter(person=person, read=None, shown=True).count()


def mark_read(person: Person, **which: Any) -> int:
    """Mark one’s news as read, all or some by the fields of `Notice`; gives how many were not yet."""
    found = Notice.objects.filter(person=person, read=None, **which)
    if not found.exists():  # asked first: even an update of nothing waits for whoever writes
        return 0
    marked = found.update(read=timezone.now())
    if marked:
        counters.bump_people([person.pk])
    return marked


def prune(now: datetime) -> int:
    """Delete what was read long ago; gives how many rows. The clock calls it now and then."""
    return Notice.objects.filter(read__lt=now - KEPT).delete()[1].get("notices.Notice", 0)
