"""Both ends of a copy: what is held here of an event directed elsewhere, and where one of ours is held."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.webhooks.models import LONGEST_ADDRESS


class Copy(models.Model):
    """A copy that is held here. `digest`: all that is kept of the secret by which its source is known.

    `version` and `mark`: what it was sent last; before that, none.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="copy")
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    submission = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    version = models.PositiveIntegerField(null=True)
    mark = models.CharField(max_length=64, blank=True, default="")
    made = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-made", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["keeper", "submission"], name="copy_made_once")
        ]

    def __str__(self) -> str:
        return f"copy {self.tournament_id}"


class Link(models.Model):
    """Where a tournament of ours has its copy. `sent`: the version that it was last
    heard to be at, with its `mark`, and `well`: when.

    `problem`: why it could not be told, since `failing`, and `due` says when it is tried again; whoever
    sends has a claim until `worker_until`. `ending`: the copy is to be taken away there.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="link")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    secret = models.CharField(max_length=64)
    sent = models.PositiveIntegerField(null=True)
    mark = models.CharField(max_length=64, blank=True, default="")
    well = models.DateTimeField(null=True)
    problem = models.CharField(max_length=16, blank=True, default="")
    failing = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField()
    worker_until = models.DateTimeField(null=True)
    ending = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["due"], name="copies_due")]

    def __str__(self) -> str:
        return f"link of {self.tournament_id}"
