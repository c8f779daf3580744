"""Who is banned now, and who may do something about how people behave."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person

from .models import Measure, MeasureKind, Moderator


def running_bans(person: Person) -> QuerySet[Measure]:
    """The bans that somebody has now; each ends by itself."""
    return _running().filter(person=person)


def _running() -> QuerySet[Measure]:
    return Measure.objects.filter(kind=MeasureKind.BAN, lifted_at=None, ends_at__gt=timezone.now())


def banned_among(people: Collection[int]) -> set[int]:
    """Those of some people who are banned now, by primary key."""
    return set(_running().filter(person__in=people).values_list("person_id", flat=True))


def running_ban(person: Person) -> Measure | None:
    """The one that lasts longest."""
    return running_bans(person).order_by("-ends_at").first()


def is_moderator(person: Person | None) -> bool:
    """Whether somebody reads reports: moderators, and administrators."""
    if person is None or not person.is_active:
        return False
    return person.is_administrator or Moderator.objects.filter(person=person).exists()


def moderator_ids() -> list[int]:
    """All who read reports, by primary key."""
    either = Q(is_administrator=True) | Q(moderator__isnull=False)
    return list(Person.objects.filter(either, is_active=True).values_list("pk", flat=True))
