"""What a tournament tells, whom, and what it has told already."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from talleyrand.web.fields import OrderedJSONField
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.webhooks.models import LONGEST_ADDRESS

Json = dict[str, Any]


class Telling(models.Model):
    """What the people of a tournament are told.

    `wanted`: who is told what, where the director has said so. `told`: what each has been told, by what it
    is about, so that the same is told once, whatever was taken back and done again meanwhile. `heard`: the
    version of the event that was looked at last.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="telling")
    wanted: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    told: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    heard = models.IntegerField(default=-1)

    def __str__(self) -> str:
        return f"news of {self.tournament_id}"


class Quiet(models.Model):
    """Somebody of the event who wants no mail from it: nothing leaves to the address he gave."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="quiet")
    number = models.PositiveIntegerField()
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "number"], name="quiet_once")]

    def __str__(self) -> str:
        return f"quiet {self.number} of {self.tournament_id}"


class Chat(models.Model):
    """The chat that a tournament posts to. `address` is as good as a password: the director alone sees it.

    `form`: what the program there reads. `kinds`: what is posted; `posted`: what has been, as it was then.
    `problem` and `status`: why the last try failed; `paused`: it has said that it wants nothing more.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="chat")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    form = models.CharField(max_length=12)
    language = models.CharField(max_length=2)
    kinds: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    posted: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    reached = models.DateTimeField(null=True)
    failed = models.DateTimeField(null=True)
    problem = models.CharField(max_length=16, blank=True, default="")
    status = models.PositiveSmallIntegerField(null=True)
    paused = models.DateTimeField(null=True)
    worker = models.CharField(max_length=64, blank=True, default="")
    worker_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"chat of {self.tournament_id}"


class Post(models.Model):
    """One text for a chat, in the words it will have at each try.

    `outcome` is "" while it waits (`due`: not before), then "delivered", "given_up", "stale", "refused" or
    "paused".
    """

    chat = models.ForeignKey(Chat, models.CASCADE, related_name="posts")
    once = models.CharField(max_length=120)
    kind = models.CharField(max_length=16)
    body = models.TextField()
    made = models.DateTimeField()
    due = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=12, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["chat", "once"], name="posted_once")]
        indexes: ClassVar = [models.Index(fields=["due"], name="posts_waiting", condition=Q(outcome=""))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
