"""Letters: rooms of powers, what was written in them, and how far each has read."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.fields import OrderedJSONField
from talleyrand.web.games.models import Game, secret


class Room(models.Model):
    """Those who read the same letters.

    `kind`: pair, group, all, master (one power and the game master). `members` names it among the rooms of
    a game: its powers in the variant's order joined by "+"; "*" for everybody, "FRANCE+@" with the master.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="rooms")
    key = models.CharField(max_length=32, unique=True, default=secret)
    kind = models.CharField(max_length=8)
    members = models.CharField(max_length=600)
    powers: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    opened = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "members"], name="one_room_a_group")]

    def __str__(self) -> str:
        return f"{self.game} {self.members}"


class Fate(models.TextChoices):
    """Where a letter is."""

    DELIVERED = "delivered"
    HELD = "held"
    RETURNED = "returned"


class Letter(models.Model):
    """Something written in a room, signed by a power, by the game master ("@") or by nobody ("?").

    `state`: delivered, held (waits for the game master), returned (to its writer, with `reason`).
    `writer` is the power that wrote it, which "?" hides; `person`, who held the pen, is shown to nobody.
    `number` and `phase` are those that were open when it was delivered, or written. `doubts` say why it waits
    where letters are free: what in it might tell its person, as pairs of a code and the words themselves.
    `about` names the public proposal that a letter to everybody is about (`motions.Motion.key`).
    """

    room = models.ForeignKey(Room, models.CASCADE, related_name="letters")
    key = models.CharField(max_length=64)
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16, blank=True, default="")
    signed = models.CharField(max_length=32)
    writer = models.CharField(max_length=32, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    text = models.TextField()
    state = models.CharField(max_length=10, choices=Fate)
    reason = models.TextField(blank=True, default="")
    doubts: models.JSONField[list[list[str]], list[list[str]]] = OrderedJSONField(default=list)
    about = models.CharField(max_length=80, blank=True, default="")
    written = models.DateTimeField(auto_now_add=True)
    delivered = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["delivered", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["room", "key"], name="one_letter_a_key")]

    def __str__(self) -> str:
        return f"{self.room} {self.pk}"


class Reading(models.Model):
    """How far a person has read a room: nobody else sees it, not even who plays the power after him."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="readings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "person"], name="one_reading_a_room")
        ]

    def __str__(self) -> str:
        return f"{self.room} {self.until:%F %T}"
