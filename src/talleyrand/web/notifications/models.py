"""Rows that say what is due to whom; whatever empties them may run twice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.common.model_fields import OrderedJSONField


class TopicVersion(models.Model):
    """How often something watched has changed; a page that knows an older number looks again.

    `topic` is "game:KEY" for what everybody may see of a game, "person:ID" for what is one person's.
    """

    topic = models.CharField(max_length=80, primary_key=True)
    version = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.topic} {self.version}"


class Notification(models.Model):
    """One thing to tell one person: `kind` and `facts` become a sentence in the reader's language.

    `topic` names what it is about ("game:KEY"), `path` leads there; the same `idempotency_key` to the same
    person is told once. Facts never hold what the reader may not know. `path` is the one without a language.
    Not `is_shown`: the reader does not want it on the page of news.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=32)
    facts: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict)
    topic = models.CharField(max_length=80, blank=True, default="")
    path = models.CharField(max_length=200, blank=True, default="")
    idempotency_key = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)
    is_shown = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "idempotency_key"], name="told_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["person", "created_at"], name="unread_news", condition=Q(read_at=None, is_shown=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.topic}"


class NotificationDelivery(models.Model):
    """A notice that is to leave the site by `channel` ("mail", "push"); later work empties these rows.

    `due_at`: not before. What is due to one person at once may leave as one message.
    """

    notification = models.ForeignKey(Notification, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=16)
    due_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["notification", "channel"], name="delivered_once")
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.notification_id}"
