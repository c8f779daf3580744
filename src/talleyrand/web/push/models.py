"""Devices that are told the news, and what is to be sent to each."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.games.models import secret
from talleyrand.web.notices.models import Notice

LONGEST_ENDPOINT = 1000


class Device(models.Model):
    """A browser in which somebody is signed in, and which shows his news.

    `endpoint` is where its push service takes them, `known` and `shared` the browser's keys, in base64.
    It lasts as long as the `session` in which it was registered: whoever is signed out is told nothing.
    """

    key = models.CharField(max_length=32, unique=True, default=secret)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=60)
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    digest = models.CharField(max_length=64, unique=True)
    known = models.CharField(max_length=100)
    shared = models.CharField(max_length=40)
    session = models.CharField(max_length=40, db_index=True)
    made = models.DateTimeField(default=timezone.now)
    reached = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["made", "id"]

    def __str__(self) -> str:
        return f"device {self.key[:6]}"


class Push(models.Model):
    """One thing that one device is to show; without a notice: a trial.

    `dropped` says why it never will: "read", "stale", "refused".
    """

    device = models.ForeignKey(Device, models.CASCADE, related_name="pushes")
    notice = models.ForeignKey(Notice, models.CASCADE, null=True, related_name="+")
    made = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)
    dropped = models.CharField(max_length=16, blank=True, default="")
    worker = models.CharField(max_length=40, blank=True, default="")
    worker_until = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["device", "notice"], name="pushed_once")]
        indexes: ClassVar = [
            models.Index(fields=["due"], name="pushes_waiting", condition=Q(sent=None, dropped=""))
        ]

    def __str__(self) -> str:
        return f"push {self.pk}"
