"""What bots of a game have to read and to propose, and what they and others have said to proposals."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.practice.models import BotTask

Json = dict[str, Any]


class BotLetterTask(BotTask):
    """A letter that a bot is due to answer, by its primary key; 0: the bots’ own proposals are due.

    It is gone once that is done. `attempts` counts the workers that began with it.
    """

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="bot_letters")
    phase_number = models.PositiveIntegerField()
    letter_id = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "letter_id"], condition=~Q(letter_id=0), name="one_task_a_letter"
            ),
            models.UniqueConstraint(
                fields=["game", "phase_number"], condition=Q(letter_id=0), name="one_round_of_proposals"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.letter_id}"


class AgreementState(models.TextChoices):
    """How far a proposal is."""

    OFFERED = "offered"  # by the bot, and not answered
    TAKEN = "taken"  # and agreed, as another row says
    AGREED = "agreed"
    DECLINED = "declined"


class BotAgreement(models.Model):
    """A proposal that the bot of `power` has made to `partner`, or has agreed to in phase `phase_number`.

    `proposal` is what the partner would say; it lasts until the end of year `until`. The letter `letter_key`
    tells the partner, who knows of it (`is_known`) once that is delivered. `is_ordered`: the bot's orders
    regard it. It ends at `ended_at`, before phase `ended_number` is played, when another has the bot's seat.
    """

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="bot_agreements")
    power = models.CharField(max_length=32)
    partner = models.CharField(max_length=32)
    proposal: models.JSONField[Json, Json] = OrderedJSONField()
    state = models.CharField(max_length=10, choices=AgreementState)
    phase_number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    until = models.PositiveIntegerField(default=0)
    letter_key = models.CharField(max_length=64)
    is_known = models.BooleanField(default=False)
    is_ordered = models.BooleanField(default=True)
    ended_at = models.DateTimeField(null=True)
    ended_number = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "letter_key"], name="one_agreement_a_letter")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.power} {self.partner} {self.state}"
