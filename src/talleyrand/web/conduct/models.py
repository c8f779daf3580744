"""Whom people block, what they report, what moderators did about it, and whence orders came."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField

PERSON = settings.AUTH_USER_MODEL


def new_report_key() -> str:
    """The part of an address that names a report: 96 bits."""
    return secrets.token_urlsafe(12)


class Block(models.Model):
    """`person` does not want to play with `blocked`, who is never told."""

    person = models.ForeignKey(PERSON, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(PERSON, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "blocked"], name="blocked_once")]

    def __str__(self) -> str:
        return f"{self.created_at:%F %T}"


class Moderator(models.Model):
    """Somebody who reads reports; administrators do without such a row."""

    person = models.OneToOneField(PERSON, models.CASCADE, related_name="moderator")
    named_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.named_at:%F}"


class ReportReason(models.TextChoices):
    """What somebody complains of."""

    INSULT = "insult"
    THREAT = "threat"
    CHEATING = "cheating"
    SPAM = "spam"
    OTHER = "other"


class ReportKind(models.TextChoices):
    """What is reported."""

    MESSAGE = "message"
    COMMENT = "comment"


class ReportOutcome(models.TextChoices):
    """What became of a report."""

    DISMISSED = "dismissed"
    WARNED = "warned"
    BANNED = "banned"


class Report(models.Model):
    """A message, or a comment of an onlooker, that somebody reported, by a copy of what they could read then.

    `message_key`: of a comment its number.
    `excerpt`: messages of the conversation, the oldest first, each with signature (of a message in every
    language too), text, time and whether it is the reported one. The game is named by its key: it may be
    gone. Open until there is an `outcome`.
    Where the account of the accused is deleted, `pseudonym` stands for it since `unnamed_at`.
    """

    key = models.CharField(max_length=16, unique=True, default=new_report_key)
    kind = models.CharField(max_length=8, choices=ReportKind, default=ReportKind.MESSAGE)
    reporter = models.ForeignKey(PERSON, models.SET_NULL, null=True, related_name="reports")
    accused = models.ForeignKey(PERSON, models.SET_NULL, null=True, related_name="+")
    pseudonym = models.CharField(max_length=16, blank=True, default="")
    unnamed_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=10, choices=ReportReason)
    remark = models.TextField(blank=True, default="")
    game_key = models.CharField(max_length=16)
    game_name = models.CharField(max_length=200)
    message_key = models.CharField(max_length=64)
    excerpt: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = OrderedJSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=10, choices=ReportOutcome, blank=True, default="")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["reporter", "game_key", "message_key"], name="reported_once")
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.key}"


class MeasureKind(models.TextChoices):
    """What a moderator may do about somebody."""

    WARNING = "warning"
    BAN = "ban"


class Measure(models.Model):
    """A warning, or a ban until `ends_at` or `lifted_at`; its person reads the reason, not whose it is."""

    person = models.ForeignKey(PERSON, models.CASCADE, related_name="measures")
    kind = models.CharField(max_length=8, choices=MeasureKind)
    reason = models.TextField()
    report = models.ForeignKey(Report, models.SET_NULL, null=True, related_name="measures")
    created_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.created_at:%F}"


class ModerationEntry(models.Model):
    """A line of the moderators' log: who did what about whom; `text` is a note, or the reason given.

    Nobody did it where the site itself did; it is about nobody where that account is deleted already.
    """

    kind = models.CharField(max_length=12)
    by = models.ForeignKey(PERSON, models.SET_NULL, null=True, related_name="+")
    person = models.ForeignKey(PERSON, models.CASCADE, null=True, related_name="+")
    report = models.ForeignKey(Report, models.CASCADE, null=True, related_name="entries")
    text = models.TextField(blank=True, default="")
    until = models.DateTimeField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%F %T}"


class DepartedAccount(models.Model):
    """What waits until `kept_until` for a deleted account to come back with the same email address, which is
    sealed: the ban that still ran, and the reports under its `pseudonym`. One row for each address.
    """

    seal = models.CharField(max_length=64, db_index=True)
    pseudonym = models.CharField(max_length=16)
    ban_ends_at = models.DateTimeField(null=True)
    ban_reason = models.TextField(blank=True, default="")
    kept_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pseudonym} {self.kept_until:%F}"


class ModeratedGame(models.Model):
    """A game of which a moderator has read a report, or who shares a device: they cannot join it."""

    person = models.ForeignKey(PERSON, models.CASCADE, related_name="+")
    game_key = models.CharField(max_length=16)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "game_key"], name="read_once")]

    def __str__(self) -> str:
        return f"{self.game_key} {self.at:%F}"


class GameTrace(models.Model):
    """From where somebody gave orders in a game: sealed for this game alone, so that no two games compare.

    `hours`: a bit for each hour of the day, in UTC.
    """

    person = models.ForeignKey(PERSON, models.CASCADE, related_name="+")
    game_key = models.CharField(max_length=16)
    device = models.CharField(max_length=32, blank=True, default="")
    address = models.CharField(max_length=32)
    hours = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game_key", "person", "device", "address"], name="traced_once")
        ]

    def __str__(self) -> str:
        return f"{self.game_key} {self.last_at:%F}"
