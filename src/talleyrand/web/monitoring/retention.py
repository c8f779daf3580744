"""Deletes what has had its time. What is never deleted is in the reference of the site."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from talleyrand.web.accounts import expired_rows
from talleyrand.web.background import generated_documents
from talleyrand.web.common import error_files
from talleyrand.web.conduct import conduct_personal_data
from talleyrand.web.mail.mail_personal_data import prune_mail
from talleyrand.web.notifications import outbox
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.webhooks import webhook_personal_data as hooks

from .models import Alarm, ClockSweep

ALARMS_KEPT = timedelta(days=90)
SWEEPS_KEPT = timedelta(days=1)
AT_ONCE = 200  # games that are deleted in one transaction


def prune(now: datetime) -> dict[str, int]:
    """Delete what is old; how many rows of each kind, but for what accounts forget by themselves."""
    expired_rows.delete_expired_rows()
    return {
        "practice": prune_practice(now),
        "documents": generated_documents.prune(now),
        "notifications": outbox.prune(now),
        "mails": prune_mail(now),
        "webhooks": hooks.prune_calls(now),
        "moderation": conduct_personal_data.prune(now),
        "alarms": Alarm.objects.filter(ended_at__lt=now - ALARMS_KEPT).delete()[0],
        "errors": error_files.prune(settings.DATA, now),
        "sweeps": ClockSweep.objects.filter(noted_at__lt=now - SWEEPS_KEPT).delete()[0],
    }


def prune_practice(now: datetime) -> int:
    """Delete games on the practice board that nobody opened for TALLEYRAND_KEEP_PRACTICE days; how many."""
    if not settings.PRACTICE_DAYS:
        return 0
    before, gone = now - timedelta(days=settings.PRACTICE_DAYS), 0
    while some := list(_abandoned(before).values_list("pk", flat=True)[:AT_ONCE]):
        gone += _delete(some, before)
    return gone


def _abandoned(before: datetime) -> QuerySet[PracticeGame]:
    """Neither looked at nor changed since, by any of its addresses; nor does the computer think about it."""
    unopened = Q(opened_at__lt=before) | Q(opened_at=None)
    return PracticeGame.objects.filter(unopened, changed_at__lt=before, deliberation=None)


def _delete(some: list[int], before: datetime) -> int:
    """Those of some games that nobody has opened in this very moment."""
    with transaction.atomic():
        locked = _abandoned(before).filter(pk__in=some).select_for_update(of=("self",))
        rows = PracticeGame.objects.filter(pk__in=[one.pk for one in locked])
        return rows.delete()[1].get("practice.PracticeGame", 0)
