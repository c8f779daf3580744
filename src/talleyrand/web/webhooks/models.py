"""Addresses of other programs that are told what happens, and what is to be told to them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from talleyrand.web.fields import OrderedJSONField
from talleyrand.web.games.models import Game, secret

LONGEST_ADDRESS = 500
LONGEST_NOTE = 80


class Hook(models.Model):
    """An address of somebody’s program, which hears the news of its owner.

    `kinds`: those it hears; none named: all. `game` null: those of all his games, and of the site.
    `seal` is what its secret is made from, with the key of the site. `why` it is `paused`: "owner",
    "failing", "gone", "password". After failures it is called again at `rests_until`; whoever calls it has
    a claim.
    """

    key = models.CharField(max_length=32, unique=True, default=secret)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    note = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    kinds: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list, blank=True)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    submission = models.CharField(max_length=64)
    seal = models.CharField(max_length=32, default=secret)
    made = models.DateTimeField()
    paused = models.DateTimeField(null=True)
    why = models.CharField(max_length=16, blank=True, default="")
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    rests_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=64, blank=True, default="")
    worker_until = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["made", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "submission"], name="hook_added_once")
        ]

    def __str__(self) -> str:
        return f"hook {self.key[:6]}"


class Call(models.Model):
    """One thing to tell one hook: `body` as it leaves, under `number` at each try.

    `outcome` is "" while it waits (`due`: not before), then "delivered", or why it was not: "given_up",
    "paused", "no_longer", "stale", "failed" (a trial). `status`, `answer` and `problem` are of the last try.
    """

    hook = models.ForeignKey(Hook, models.CASCADE, related_name="calls")
    number = models.CharField(max_length=40, unique=True)
    once = models.CharField(max_length=120)
    kind = models.CharField(max_length=32)
    about = models.CharField(max_length=80, blank=True, default="")
    body = models.TextField()
    made = models.DateTimeField()
    due = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    tried = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=16, blank=True, default="")
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.CharField(max_length=200, blank=True, default="")
    problem = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-made", "-id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["hook", "once"], name="called_once")]
        indexes: ClassVar = [
            models.Index(fields=["due"], name="calls_waiting", condition=Q(outcome="")),
            models.Index(fields=["hook", "made"], name="calls_of_hook"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"
