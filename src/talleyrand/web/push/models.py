"""Devices that are told the news, and what is to be sent to each."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.games.models import random_token
from talleyrand.web.notifications.models import Notification

LONGEST_ENDPOINT = 1000


class PushDevice(models.Model):
    """A browser in which somebody is signed in, and which shows his news.

    `endpoint` is where its push service takes them, `p256dh` and `auth_secret` the browser's keys, in base64.
    It lasts as long as the `session_key` in which it was registered: whoever is signed out is told nothing.
    """

    key = models.CharField(max_length=32, unique=True, default=random_token)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=60)
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    endpoint_digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth_secret = models.CharField(max_length=40)
    session_key = models.CharField(max_length=40, db_index=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_delivered_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]

    def __str__(self) -> str:
        return f"device {self.key[:6]}"


class PushMessage(models.Model):
    """One thing that one device is to show; without a notice: a trial.

    `drop_reason` says why it never will: "read", "stale", "refused".
    """

    device = models.ForeignKey(PushDevice, models.CASCADE, related_name="pushes")
    notification = models.ForeignKey(Notification, models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    drop_reason = models.CharField(max_length=16, blank=True, default="")
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "notification"], name="pushed_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="pushes_waiting", condition=Q(sent_at=None, drop_reason=""))
        ]

    def __str__(self) -> str:
        return f"push {self.pk}"
