"""Documents that workers make for the pages of a large site."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField


class GeneratedDocument(models.Model):
    """A file that somebody asked for, by a name that holds a digest of all it is made from.

    `job_name` names the job that makes it of `arguments`, which is forgotten once `content` is there. `error`
    says why it could not be made, `attempts` how often a worker began it. `visitor_id` asked for it first,
    and it took so many `cpu_seconds` of processor. It can always be made again: no copy of a site holds it.
    """

    name = models.CharField(max_length=120, primary_key=True)
    job_name = models.CharField(max_length=40)
    arguments = OrderedJSONField(default=dict)
    content = models.BinaryField(null=True)
    requested_at = models.DateTimeField()
    claimed_by = models.CharField(max_length=32, blank=True)
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=80, blank=True)
    visitor_id = models.CharField(max_length=32, blank=True)
    cpu_seconds = models.FloatField(default=0.0)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["requested_at"], name="oldest_request")]

    def __str__(self) -> str:
        return self.name
