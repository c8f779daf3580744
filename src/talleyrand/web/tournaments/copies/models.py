"""Both ends of a copy: what is held here of an event directed elsewhere, and where one of ours is held."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.common.outbound_urls import LONGEST_ADDRESS
from talleyrand.web.tournaments.models import Tournament


class HeldCopy(models.Model):
    """A copy that is held here. `secret_digest`: all that is kept of the secret by which its source is known.

    `version` and `content_mark`: what it was sent last; before that, none.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="copy")
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    submission_id = models.CharField(max_length=64)
    secret_digest = models.CharField(max_length=64)
    version = models.PositiveIntegerField(null=True)
    content_mark = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["holder", "submission_id"], name="copy_made_once")
        ]

    def __str__(self) -> str:
        return f"copy {self.tournament_id}"


class CopyLink(models.Model):
    """Where a tournament of ours has its copy. `sent_version`: the version that it was last
    heard to be at, with its `content_mark`, and `delivered_at`: when.

    `error`: why it could not be told, since `failing_since`, and `due_at` says when it is tried again;
    whoever sends has a claim until `claimed_until`. `is_being_removed`: the copy is to be taken away there.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="link")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    secret = models.CharField(max_length=64)
    sent_version = models.PositiveIntegerField(null=True)
    content_mark = models.CharField(max_length=64, blank=True, default="")
    delivered_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=16, blank=True, default="")
    failing_since = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True)
    is_being_removed = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["due_at"], name="copies_due")]

    def __str__(self) -> str:
        return f"link of {self.tournament_id}"
