"""Letters: rooms of powers, what was written in them, and how far each has read."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.games.models import Game, random_token


class Conversation(models.Model):
    """Those who read the same letters.

    `kind`: pair, group, all, master (one power and the game master). `participants_key` names it among the
    rooms of a game: its powers in the variant's order joined by "+"; "*" for everybody, "FRANCE+@" with the
    master.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="rooms")
    key = models.CharField(max_length=32, unique=True, default=random_token)
    kind = models.CharField(max_length=8)
    participants_key = models.CharField(max_length=600)
    powers: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "participants_key"], name="one_room_a_group")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.participants_key}"


class MessageState(models.TextChoices):
    """Where a letter is."""

    DELIVERED = "delivered"
    HELD = "held"
    RETURNED = "returned"


class Message(models.Model):
    """Something written in a room, signed by a power, by the game master ("@") or by nobody ("?");
    `is_bots`: by the bot of its power.

    `state`: delivered, held (waits for the game master), returned (to its writer, with `return_reason`).
    `author_power` is the power that wrote it, which "?" hides; `author`, who held the pen, is shown to
    nobody. `phase_number` and `phase` are those that were open when it was delivered, or written.
    `hold_reasons` say why it waits where letters are free: what in it might tell its person, as pairs of a
    code and the words themselves. `proposal_key` names the public proposal that a letter to everybody is
    about (`conversation_names`).
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="letters")
    key = models.CharField(max_length=64)
    phase_number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16, blank=True, default="")
    signature = models.CharField(max_length=32)
    author_power = models.CharField(max_length=32, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    is_bots = models.BooleanField(default=False)
    text = models.TextField()
    state = models.CharField(max_length=10, choices=MessageState)
    return_reason = models.TextField(blank=True, default="")
    hold_reasons: models.JSONField[list[list[str]], list[list[str]]] = OrderedJSONField(default=list)
    proposal_key = models.CharField(max_length=80, blank=True, default="")
    written_at = models.DateTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["delivered_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "key"], name="one_letter_a_key")
        ]

    def __str__(self) -> str:
        return f"{self.conversation} {self.pk}"


class ReadMark(models.Model):
    """How far a person has read a room: nobody else sees it, not even who plays the power after him."""

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="readings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    read_until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "person"], name="one_reading_a_room")
        ]

    def __str__(self) -> str:
        return f"{self.conversation} {self.read_until:%F %T}"


class OpenedLetters(models.Model):
    """Somebody who played lets everybody read their letters of a game that is over (`message_visibility`)."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="opened_letters")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="opened_letters")
    agreed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "person"], name="letters_opened_once")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.agreed_at:%F}"
