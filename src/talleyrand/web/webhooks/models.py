"""Addresses of other programs that are told what happens, and what is to be told to them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.common.outbound_urls import LONGEST_ADDRESS
from talleyrand.web.games.models import Game, random_token

LONGEST_NOTE = 80


class Webhook(models.Model):
    """An address of somebody’s program, which hears the news of its owner.

    `kinds`: those it hears; none named: all. `game` null: those of all his games, and of the site.
    `secret_seed` is what its secret is made from, with the key of the site. `pause_reason` it is `paused_at`:
    "owner", "failing", "gone", "password". After failures it is called again at `retry_at`; whoever calls it
    has a claim.
    """

    key = models.CharField(max_length=32, unique=True, default=random_token)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    label = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    kinds: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list, blank=True)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    submission_id = models.CharField(max_length=64)
    secret_seed = models.CharField(max_length=32, default=random_token)
    created_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True)
    pause_reason = models.CharField(max_length=16, blank=True, default="")
    failure_count = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)
    claimed_by = models.CharField(max_length=64, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "submission_id"], name="hook_added_once")
        ]

    def __str__(self) -> str:
        return f"hook {self.key[:6]}"


class WebhookCall(models.Model):
    """One thing to tell one hook: `body` as it leaves, under `message_id` at each try.

    `outcome` is "" while it waits (`due_at`: not before), then "delivered", or why it was not: "given_up",
    "paused", "no_longer", "stale", "failed" (a trial). `status_code`, `response_text` and `error` are of the
    last try.
    """

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="calls")
    message_id = models.CharField(max_length=40, unique=True)
    idempotency_key = models.CharField(max_length=120)
    kind = models.CharField(max_length=32)
    topic = models.CharField(max_length=80, blank=True, default="")
    body = models.TextField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    attempted_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=16, blank=True, default="")
    status_code = models.PositiveSmallIntegerField(null=True)
    response_text = models.CharField(max_length=200, blank=True, default="")
    error = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "idempotency_key"], name="called_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="calls_waiting", condition=Q(outcome="")),
            models.Index(fields=["webhook", "created_at"], name="calls_of_hook"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"
