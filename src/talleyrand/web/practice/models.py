"""A practice game is its start and its list of inputs; what follows from them is kept as a cache."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.db import models

from talleyrand.web.fields import OrderedJSONField


def address() -> str:
    """A part of an address that nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class PracticeGame(models.Model):
    """`key` is the address of whoever plays, `shared` that of whoever may only look.

    `bots` names the computer’s player of each power that one plays ("search:hard"). `opened` is when
    it was last looked at, give or take a day.
    """

    key = models.CharField(max_length=32, unique=True, default=address)
    shared = models.CharField(max_length=32, unique=True, default=address)
    submission = models.CharField(max_length=64, unique=True, default=address)
    variant = models.CharField(max_length=64)
    rulebook = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, default=address)
    plays = models.CharField(max_length=64, blank=True, default="")
    start: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField()
    draft: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField(default=dict)
    bots: models.JSONField[dict[str, str], dict[str, str]] = OrderedJSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    opened = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.variant} {self.key[:6]}…"


class PracticeTurn(models.Model):
    """One phase played: its orders as they were given, and the judge's answer to them.

    `situation` is where it was played from, when that is not what the phase before led to; `bots` says
    which power was ordered by which of the computer’s players.
    """

    game = models.ForeignKey(PracticeGame, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    submission = models.CharField(max_length=64, default=address)
    situation: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = OrderedJSONField(null=True)
    orders: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField()
    answer: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField()
    bots: models.JSONField[dict[str, str], dict[str, str]] = OrderedJSONField(default=dict)
    played = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_turn_a_number"),
            models.UniqueConstraint(fields=["game", "submission"], name="one_turn_a_submission"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}"


class Thought(models.Model):
    """What the computer’s players are due to think about: `worker` and `beat` say who does it and was last
    heard of when; `visitor` is whose hour pays for it ("": nobody’s).
    """

    visitor = models.CharField(max_length=64, blank=True, default="")
    worker = models.CharField(max_length=32, blank=True, default="")
    beat = models.DateTimeField(null=True)
    asked = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Deliberation(Thought):
    """The computer’s players of a game are due to order: from phase `first` on, now in phase `number`.

    `found` keeps what each has decided, so that nothing is thought twice; with a `trouble` it waits for the
    player. It is gone when all is played.
    """

    game = models.OneToOneField(PracticeGame, models.CASCADE, related_name="deliberation")
    first = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    until = models.CharField(max_length=8)
    submission = models.CharField(max_length=64)
    found: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict)
    visitor = models.CharField(max_length=64)
    trouble = models.CharField(max_length=16, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.game} {self.number}"
