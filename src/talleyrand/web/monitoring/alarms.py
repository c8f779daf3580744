"""Tells the administrators what goes wrong with the site, once for as long as it lasts."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError
from django.urls import reverse

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox

from . import health_checks
from .models import Alarm

# Checks that fail while the database answers; and counts that are told again when they grow.
CHECKED = ("clock", "phases", "post", "disk")
COUNTED = ("parked", "faults")
CALM = timedelta(hours=1)  # what comes back sooner is the same alarm


def update_alarms(health: health_checks.Health, now: datetime) -> int:
    """Begin the alarms that are due and end those that are over; how many were told.

    Any number of processes may do so at once. Nothing can be told without the database.
    """
    if health.checks.get("database") != health_checks.OK:
        return 0
    told = 0
    for kind, count in _alarm_counts(health).items():
        try:
            told += _settle(kind, count, now)
        except IntegrityError:
            continue  # another process began it in the same moment
    return told


def _alarm_counts(health: health_checks.Health) -> dict[str, int]:
    """How much of each kind there is; 0 for what is well."""
    failing = {name: int(health.checks.get(name, health_checks.OK) != health_checks.OK) for name in CHECKED}
    failing["phases"] *= max(1, health.counts["overdue"])
    return {**failing, **{name: health.counts[name] for name in COUNTED}}


@write_transaction
def _settle(kind: str, count: int, now: datetime) -> bool:
    alarm = Alarm.objects.select_for_update().filter(kind=kind, ended_at=None).first()
    if alarm is None:
        return bool(count) and _begin(kind, count, now)
    if not count:
        Alarm.objects.filter(pk=alarm.pk).update(ended_at=now, count=0)
        return False
    return kind in COUNTED and _grown(alarm, count, now)


def _begin(kind: str, count: int, now: datetime) -> bool:
    """A new one, or the last one again where it has been over for a moment only."""
    last = Alarm.objects.filter(kind=kind).first()
    if last is not None and last.ended_at is not None and now - last.ended_at < CALM and kind in CHECKED:
        Alarm.objects.filter(pk=last.pk).update(ended_at=None, count=count)
        return False
    _tell(Alarm.objects.create(kind=kind, started_at=now, count=count), count, now)
    return True


def _grown(alarm: Alarm, count: int, now: datetime) -> bool:
    """More of it than was told: each game that stops is news; one that goes on is not."""
    if count == alarm.count:
        return False
    Alarm.objects.filter(pk=alarm.pk).update(count=count)
    if count > alarm.count:
        _tell(alarm, count, now)
    return count > alarm.count


def _tell(alarm: Alarm, count: int, now: datetime) -> None:
    chiefs = Person.objects.filter(is_administrator=True, is_active=True)
    outbox.notify(
        chiefs.values_list("pk", flat=True),
        f"alarm_{alarm.kind}",
        {"game": settings.SITE_NAME, "count": count},
        about="site",
        path=reverse("watching:page"),
        once=f"alarm:{alarm.pk}:{now.isoformat()}",
    )
