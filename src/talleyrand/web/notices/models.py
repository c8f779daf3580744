"""Rows that say what is due to whom; whatever empties them may run twice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.fields import OrderedJSONField


class Counter(models.Model):
    """How often something watched has changed; a page that knows an older number looks again.

    `topic` is "game:KEY" for what everybody may see of a game, "person:ID" for what is one person's.
    """

    topic = models.CharField(max_length=80, primary_key=True)
    version = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.topic} {self.version}"


class Notice(models.Model):
    """One thing to tell one person: `kind` and `facts` become a sentence in the reader's language.

    `about` names what it is about ("game:KEY"), `path` leads there; the same `once` to the same person is
    told once. Facts never hold what the reader may not know. `path` is the one without a language. Not
    `shown`: the reader does not want it on the page of news.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=32)
    facts: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict)
    about = models.CharField(max_length=80, blank=True, default="")
    path = models.CharField(max_length=200, blank=True, default="")
    once = models.CharField(max_length=120)
    made = models.DateTimeField(auto_now_add=True)
    read = models.DateTimeField(null=True)
    shown = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["-made", "-id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "once"], name="told_once")]
        indexes: ClassVar = [
            models.Index(fields=["person", "made"], name="unread_news", condition=Q(read=None, shown=True))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"


class Delivery(models.Model):
    """A notice that is to leave the site by `channel` ("mail", "push"); later work empties these rows.

    `due`: not before. What is due to one person at once may leave as one message.
    """

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=16)
    due = models.DateTimeField(default=timezone.now)
    sent = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["notice", "channel"], name="delivered_once")]

    def __str__(self) -> str:
        return f"{self.channel} {self.notice_id}"
