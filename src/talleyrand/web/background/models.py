"""Documents that workers make for the pages of a large site."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from talleyrand.web.fields import OrderedJSONField


class Document(models.Model):
    """A file that somebody asked for, by a name that holds a digest of all it is made from.

    `maker` names the job that makes it of `told`, which is forgotten once `content` is there. `trouble` says
    why it could not be made, `begun` how often a worker began it. `visitor` asked for it first, and it took
    so many `seconds` of processor. It can always be made again: no copy of a site holds it.
    """

    name = models.CharField(max_length=120, primary_key=True)
    maker = models.CharField(max_length=40)
    told = OrderedJSONField(default=dict)
    content = models.BinaryField(null=True)
    asked = models.DateTimeField()
    worker = models.CharField(max_length=32, blank=True)
    worker_until = models.DateTimeField(null=True)
    begun = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=80, blank=True)
    visitor = models.CharField(max_length=32, blank=True)
    seconds = models.FloatField(default=0.0)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["asked"])]

    def __str__(self) -> str:
        return self.name
