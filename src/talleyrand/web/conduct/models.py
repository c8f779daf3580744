"""Whom people do not want to play with."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

PERSON = settings.AUTH_USER_MODEL


class Block(models.Model):
    """`person` does not want to play with `blocked`, who is never told."""

    person = models.ForeignKey(PERSON, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(PERSON, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "blocked"], name="blocked_once")]

    def __str__(self) -> str:
        return f"{self.created_at:%F %T}"
