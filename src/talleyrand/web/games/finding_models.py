"""How people find each other: queues for the usual games, private groups, searches that are kept."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models


def new_group_key() -> str:
    """The part of an address that names a group: 72 bits."""
    return secrets.token_urlsafe(9)


def new_group_token() -> str:
    """The part of an address by which one joins it: 128 bits."""
    return secrets.token_urlsafe(16)


class PlayerQueue(models.Model):
    """People who wait for a game of one kind; whoever takes or gives a place holds the rows of all kinds."""

    kind = models.CharField(max_length=24, unique=True)

    def __str__(self) -> str:
        return self.kind


class QueuePlace(models.Model):
    """Somebody waits, until `expires_at` at the latest."""

    queue = models.ForeignKey(PlayerQueue, models.CASCADE, related_name="places")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="queue_places")
    joined_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["joined_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["queue", "person"], name="one_place_a_queue")
        ]

    def __str__(self) -> str:
        return f"{self.queue} {self.joined_at:%F %T}"


class PlayerGroup(models.Model):
    """People who see games that nobody else finds; one joins by `token`, which may be changed."""

    key = models.CharField(max_length=16, unique=True, default=new_group_key)
    name = models.CharField(max_length=80)
    token = models.CharField(max_length=32, unique=True, default=new_group_token)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class GroupMember(models.Model):
    """Somebody in a group; an owner sends others away, changes the link, ends it."""

    group = models.ForeignKey(PlayerGroup, models.CASCADE, related_name="members")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="player_groups")
    is_owner = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["joined_at", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["group", "person"], name="once_in_a_group")]

    def __str__(self) -> str:
        return f"{self.group} {self.joined_at:%F}"


class SavedSearch(models.Model):
    """What somebody wants to hear of: the answers of a `GameFilter`, "" for any."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_searches")
    variant = models.CharField(max_length=64, blank=True, default="")
    rulebook_name = models.CharField(max_length=64, blank=True, default="")
    pace = models.CharField(max_length=8, blank=True, default="")
    press = models.CharField(max_length=8, blank=True, default="")
    anonymity = models.CharField(max_length=12, blank=True, default="")
    language = models.CharField(max_length=8, blank=True, default="")
    bots = models.CharField(max_length=4, blank=True, default="")
    seats = models.CharField(max_length=4, blank=True, default="")
    reliability = models.CharField(max_length=4, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.created_at:%F %T}"
