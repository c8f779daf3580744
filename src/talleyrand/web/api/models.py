"""The tokens by which programs act for people."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from talleyrand.web.accounts.models import Person
from talleyrand.web.fields import OrderedJSONField


class Token(models.Model):
    """One program’s right to act for a person. `digest` is all that is kept of the token itself."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    submission = models.CharField(max_length=64, unique=True)
    scopes: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    made = models.DateTimeField()
    ends = models.DateTimeField()
    used = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-made", "-id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.made:%F}"
