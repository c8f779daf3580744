"""How people find each other: queues for the usual games."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class PlayerQueue(models.Model):
    """People who wait for a game of one kind; whoever takes or gives a place in it holds this row."""

    kind = models.CharField(max_length=24, unique=True)

    def __str__(self) -> str:
        return self.kind


class QueuePlace(models.Model):
    """Somebody waits, until `expires_at` at the latest."""

    queue = models.ForeignKey(PlayerQueue, models.CASCADE, related_name="places")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="queue_places")
    joined_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["joined_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["queue", "person"], name="one_place_a_queue")
        ]

    def __str__(self) -> str:
        return f"{self.queue} {self.joined_at:%F %T}"
