"""What a tournament tells, whom, and what it has told already."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.common.outbound_urls import LONGEST_ADDRESS
from talleyrand.web.tournaments.models import Tournament

Json = dict[str, Any]


class TournamentNotificationState(models.Model):
    """What the people of a tournament are told.

    `audiences`: who is told what, where the director has said so. `notified`: what each has been told, by
    what it is about, so that the same is told once, whatever was taken back and done again meanwhile.
    `checked_version`: the version of the event that was looked at last.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="telling")
    audiences: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    notified: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    checked_version = models.IntegerField(default=-1)

    def __str__(self) -> str:
        return f"news of {self.tournament_id}"


class MailUnsubscription(models.Model):
    """Somebody of the event who wants no mail from it: nothing leaves to the address he gave."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="quiet")
    person_number = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "person_number"], name="quiet_once")
        ]

    def __str__(self) -> str:
        return f"quiet {self.person_number} of {self.tournament_id}"


class TournamentChat(models.Model):
    """The chat that a tournament posts to. `url` is as good as a password: the director alone sees it.

    `format`: what the program there reads. `kinds`: what is posted; `posted_states`: what has been, as it was
    then. `error` and `status_code`: why the last try failed; `paused_at`: it has said that it wants nothing
    more.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="chat")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    format = models.CharField(max_length=12)
    language = models.CharField(max_length=2)
    kinds: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    posted_states: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    delivered_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=16, blank=True, default="")
    status_code = models.PositiveSmallIntegerField(null=True)
    paused_at = models.DateTimeField(null=True)
    claimed_by = models.CharField(max_length=64, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"chat of {self.tournament_id}"


class ChatPost(models.Model):
    """One text for a chat, in the words it will have at each try.

    `outcome` is "" while it waits (`due_at`: not before), then "delivered", "given_up", "stale", "refused" or
    "paused".
    """

    chat = models.ForeignKey(TournamentChat, models.CASCADE, related_name="posts")
    idempotency_key = models.CharField(max_length=120)
    kind = models.CharField(max_length=16)
    body = models.TextField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=12, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chat", "idempotency_key"], name="posted_once")
        ]
        indexes: ClassVar = [models.Index(fields=["due_at"], name="posts_waiting", condition=Q(outcome=""))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
