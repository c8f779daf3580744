"""A practice game is its start and its list of inputs; what follows from them is kept as a cache."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField


def random_token() -> str:
    """A part of an address that nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class PracticeGame(models.Model):
    """`key` is the address of whoever plays, `shared_key` that of whoever may only look.

    `bots` names the computer’s player of each power that one plays ("search:hard"); `talk` has the `messages`
    to them with their answers, and the `characters` that were chosen for them. `opened_at` is when
    it was last looked at, give or take a day.
    """

    key = models.CharField(max_length=32, unique=True, default=random_token)
    shared_key = models.CharField(max_length=32, unique=True, default=random_token)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    variant = models.CharField(max_length=64)
    rulebook = models.CharField(max_length=64)
    seed = models.CharField(max_length=64, default=random_token)
    played_power = models.CharField(max_length=64, blank=True, default="")
    start_situation: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField()
    draft_orders: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField(
        default=dict
    )
    bots: models.JSONField[dict[str, str], dict[str, str]] = OrderedJSONField(default=dict)
    talk: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    opened_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.variant} {self.key[:6]}…"


class PracticeTurn(models.Model):
    """One phase played: its orders as they were given, and the judge's answer to them.

    `situation` is where it was played from, when that is not what the phase before led to; `bots` says
    which power was ordered by which of the computer’s players.
    """

    game = models.ForeignKey(PracticeGame, models.CASCADE, related_name="turns")
    phase_number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    submission_id = models.CharField(max_length=64, default=random_token)
    situation: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = OrderedJSONField(null=True)
    orders: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField()
    answer: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField()
    bots: models.JSONField[dict[str, str], dict[str, str]] = OrderedJSONField(default=dict)
    played_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["phase_number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "phase_number"], name="one_turn_a_number"),
            models.UniqueConstraint(fields=["game", "submission_id"], name="one_turn_a_submission"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.phase_number}"


class BotTask(models.Model):
    """What the computer’s players are due to think about. Who does it, `claimed_by`, has it until
    `claimed_until`, unless they are heard of again; `visitor_id` is whose hour pays for it ("": nobody’s).
    """

    visitor_id = models.CharField(max_length=64, blank=True, default="")
    claimed_by = models.CharField(max_length=32, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    requested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class PracticeBotTask(BotTask):
    """The computer’s players of a game are due to order: from phase `first_phase_number` on, now in phase
    `phase_number`.

    `found_orders` keeps what each has decided, so that nothing is thought twice; with a `error` it waits for
    the player. It is gone when all is played.
    """

    game = models.OneToOneField(PracticeGame, models.CASCADE, related_name="deliberation")
    first_phase_number = models.PositiveIntegerField()
    phase_number = models.PositiveIntegerField()
    goal = models.CharField(max_length=8)
    submission_id = models.CharField(max_length=64)
    found_orders: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict)
    visitor_id = models.CharField(max_length=64)
    error = models.CharField(max_length=16, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.game} {self.phase_number}"
