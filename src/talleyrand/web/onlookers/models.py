"""The games that people follow, and what onlookers say of a game."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.games.models import Game


class FollowedGame(models.Model):
    """A game that somebody wants to find again; `is_told`: they hear of its phases.

    `told_number` is the last phase whose results they were told of, or had before them when they began.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="followers")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed_games")
    is_told = models.BooleanField(default=False)
    told_number = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "person"], name="followed_once")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.since:%F}"


class OnlookerComment(models.Model):
    """What an onlooker said of a game while it was played, about the phase that they saw.

    Onlookers read it, and everybody once the game is over. `key` makes one sent twice one comment. One that
    the game master or a moderator removed has no text any more.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="comments")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="game_comments")
    phase_number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    text = models.TextField()
    key = models.CharField(max_length=64)
    written_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "key"], name="one_comment_a_key")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.written_at:%F %T}"
