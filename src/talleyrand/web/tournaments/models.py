"""A tournament: the document of its event, what was done to it, who directs it, who comes by which link."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.fields import OrderedJSONField

Json = dict[str, Any]


def key() -> str:
    """The part of an address that names a tournament: 48 bits, read from a wall and typed on a phone."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def secret() -> str:
    """What nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class Tournament(models.Model):
    """`document` is the event as `tournament.codec` writes it; `version` counts what was done to it, `stamp`
    is another whenever it is another.

    `name`, `opens` and `ends` stand in the document too, and are kept here for lists. `listed`: anybody may
    open it; otherwise only who directs it or has a link. `copied`: of an event directed elsewhere, and when
    it was last known to be as it is there; `awards`: its prizes, as they are told there.
    """

    key = models.CharField(max_length=16, unique=True, default=key)
    submission = models.CharField(max_length=64, unique=True, default=secret)
    name = models.CharField(max_length=120)
    opens = models.DateField(null=True)
    ends = models.DateField(null=True)
    document: models.JSONField[Json, Json] = OrderedJSONField()
    version = models.PositiveIntegerField(default=0)
    stamp = models.CharField(max_length=32, default=secret)
    listed = models.BooleanField(default=False)
    copied = models.DateTimeField(null=True)
    awards: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-opens", "-created"]

    def __str__(self) -> str:
        return f"tournament {self.key}"


class Role(models.TextChoices):
    """What an account is for a tournament. An assistant does not change scores or rules."""

    DIRECTOR = "director"
    ASSISTANT = "assistant"


class Membership(models.Model):
    """Somebody of the desk."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "account"], name="one_role_a_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.tournament_id}"


class Pass(models.Model):
    """The door of one person of the event: by a link of his own, a phone that took his name, or an account.

    `claimed`: when a phone took it at the door of the room. Released, its `key` is another one. `follows`:
    whose door it is while the event has nobody of its own number, two entries having become one.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="passes")
    number = models.PositiveIntegerField()  # of the person in the event
    follows = models.PositiveIntegerField(null=True)
    key = models.CharField(max_length=32, unique=True, default=secret)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    claimed = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_pass_a_person")
        ]

    def __str__(self) -> str:
        return f"pass {self.number} of {self.tournament_id}"


class Entry(models.Model):
    """What was done, in one piece: the acts, what they changed and who did it.

    `acts` as `tournament.acts` writes them; none for what takes back the entry `undoes`. `person`: by whom of
    the event, 0 for the desk. `hand`: who of the desk, where an archive told it, "assistant 2". `once`: the
    same thing sent twice is one entry.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    person = models.PositiveIntegerField(default=0)
    hand = models.CharField(max_length=20, blank=True, default="")
    acts: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    changes: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    undoes = models.PositiveIntegerField(null=True)
    undone = models.PositiveIntegerField(null=True)  # by which entry
    once = models.CharField(max_length=64, default=secret)

    class Meta:
        ordering: ClassVar = ["-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "once"], name="entered_once"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament_id}"


class Photo(models.Model):
    """A photograph of a board, made again by us: nothing that the telephone wrote into it is left.

    `mark`: of what was sent, so that the same one sent twice is one. `person`: who of the event sent it, 0
    for the desk. `shown`: to all; otherwise to the board and the desk.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="photos")
    key = models.CharField(max_length=32, unique=True, default=secret)
    round = models.PositiveIntegerField()
    board = models.PositiveIntegerField()
    person = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    mark = models.CharField(max_length=64)
    content = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    shown = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "round", "board", "mark"], name="one_photo_a_mark")
        ]

    def __str__(self) -> str:
        return f"photo of board {self.board}, round {self.round} of {self.tournament_id}"


class Season(models.Model):
    """A circuit: several tournaments and how they are ranked together.

    `document` is the season as `tournament.circuits` writes it: its events by their keys. `listed`: anybody
    may open it; otherwise only who keeps it.
    """

    key = models.CharField(max_length=16, unique=True, default=key)
    submission = models.CharField(max_length=64, unique=True, default=secret)
    name = models.CharField(max_length=120)
    document: models.JSONField[Json, Json] = OrderedJSONField()
    version = models.PositiveIntegerField(default=0)
    listed = models.BooleanField(default=False)
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"season {self.key}"
