"""What is remembered of how the site fares: counts and dates, nobody's name."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Alarm(models.Model):
    """Something that went wrong at `started_at`; over at `ended_at`, null while it lasts.

    `count` is the highest number that was told (games, mails).
    """

    kind = models.CharField(max_length=16)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["-started_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind"], condition=Q(ended_at=None), name="one_alarm_at_a_time")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.started_at:%F %T}"


class ClockSweep(models.Model):
    """How long the last sweep of a clock took that was noted, by the clock's name."""

    clock_name = models.CharField(max_length=64, primary_key=True)
    noted_at = models.DateTimeField()
    seconds = models.FloatField()

    def __str__(self) -> str:
        return f"{self.clock_name} {self.seconds:.3f}"
