"""What is counted of people once a game is over, and what of it they let others see."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField

Json = dict[str, Any]
RECORD_JOB, RATING_JOB = "records", "ratings"  # what counts the games that are over, and rates their players


class PageReaders(models.TextChoices):
    """Who may open a person's page."""

    NOBODY = "nobody"
    MEMBERS = "members"  # whoever is signed in
    EVERYBODY = "everybody"


class PagePart(models.TextChoices):
    """What a person's page may tell."""

    SINCE = "since"
    RELIABILITY = "reliability"
    GAMES = "games"
    RESULTS = "results"
    ALLIANCES = "alliances"
    OPENINGS = "openings"
    RATINGS = "ratings"


def usual_parts() -> list[str]:
    """What a page tells until its owner says otherwise."""
    return [PagePart.SINCE.value, PagePart.RELIABILITY.value]


class RatingPool(models.TextChoices):
    """The ratings that are kept apart: with or without messages, among people or with bots."""

    PRESS = "press"
    GUNBOAT = "gunboat"
    PRESS_BOTS = "press_bots"
    GUNBOAT_BOTS = "gunboat_bots"


class FinishedGame(models.Model):
    """A listed game that is over: until `due_at` is null, its players are still to be counted.

    `pool` is the rating that it counts for, "" for none: nobody has won or it has no points.
    """

    game = models.OneToOneField("games.Game", models.CASCADE, related_name="finished")
    ended_at = models.DateTimeField(db_index=True)
    pool = models.CharField(max_length=16, choices=RatingPool, blank=True, default="")
    due_at = models.DateTimeField(null=True, db_index=True)
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.game_id} {self.ended_at:%F}"


class PlayedGame(models.Model):
    """What one person did in a finished game.

    `powers` are those that were theirs from the start, or that they took over. `points` is their score as a
    fraction ("" without one), `is_rated` whether it is theirs alone. `openings` holds the orders of the first
    phase of each power, `alliances` the powers with which supports went both ways and the years between the
    first and the last of them. Nothing here names another person.
    """

    finished = models.ForeignKey(FinishedGame, models.CASCADE, related_name="played")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="played_games")
    powers: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    outcome = models.CharField(max_length=12)
    points = models.CharField(max_length=60, blank=True, default="")
    centres = models.PositiveIntegerField(default=0)
    phases_due = models.PositiveIntegerField(default=0)
    phases_missed = models.PositiveIntegerField(default=0)
    has_left = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=False)
    openings: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    alliances: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["finished", "person"], name="one_record_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.finished} {self.outcome}"


class RatingChange(models.Model):
    """A person's rating in one pool after a game (see `talleyrand.ratings`)."""

    finished = models.ForeignKey(FinishedGame, models.CASCADE, related_name="rating_changes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rating_changes")
    pool = models.CharField(max_length=16, choices=RatingPool)
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["finished", "person"], name="one_rating_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.pool} {self.rating:.0f}"


class RatingLedger(models.Model):
    """One pool: its ratings stand for the games that ended before `due_from`; null where they all count.

    `mark_count` says how often something was made due.
    """

    pool = models.CharField(max_length=16, choices=RatingPool, primary_key=True)
    due_from = models.DateTimeField(null=True)
    mark_count = models.PositiveIntegerField(default=0)
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.pool


class PlayerProfile(models.Model):
    """What is told of a person, and to whom.

    `reliability` in hundredths, null while no finished game counts; `phases_due`, `phases_missed` and
    `games_left` are what it is made of (see `player_records.reliability`). `shown_parts` are the parts of the
    page that they show, `is_rated` whether they have ratings.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="profile")
    reliability = models.PositiveSmallIntegerField(null=True, db_index=True)
    phases_due = models.PositiveIntegerField(default=0)
    phases_missed = models.PositiveIntegerField(default=0)
    games_left = models.PositiveIntegerField(default=0)
    readers = models.CharField(max_length=12, choices=PageReaders, default=PageReaders.MEMBERS)
    shown_parts: models.JSONField[list[str], list[str]] = OrderedJSONField(default=usual_parts)
    is_rated = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.person_id} {self.reliability}"
