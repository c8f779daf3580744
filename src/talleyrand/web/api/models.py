"""The tokens by which programs act for people."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import OrderedJSONField


class ApiToken(models.Model):
    """One program’s right to act for a person. `token_digest` is all that is kept of the token itself."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    token_digest = models.CharField(max_length=64, unique=True)
    submission_id = models.CharField(max_length=64, unique=True)
    scopes: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.created_at:%F}"
