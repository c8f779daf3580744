"""A tournament: the document of its event, what was done to it, who directs it, who comes by which link."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from talleyrand.web.common.model_fields import OrderedJSONField

Json = dict[str, Any]


def new_tournament_key() -> str:
    """The part of an address that names a tournament: 48 bits, read from a wall and typed on a phone."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def random_token() -> str:
    """What nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class Tournament(models.Model):
    """`document` is the event as `tournament.codec` writes it; `version` counts what was done to it,
    `state_token` is another whenever it is another.

    `name`, `first_day` and `last_day` stand in the document too, and are kept here for lists. `is_listed`:
    anybody may open it; otherwise only who directs it or has a link. `copied_at`: of an event directed
    elsewhere, and when it was last known to be as it is there; `copied_awards`: its prizes, as they are told
    there. `follows_games`: its boards are games on the site and it is not over, as its document says.
    """

    key = models.CharField(max_length=16, unique=True, default=new_tournament_key)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    name = models.CharField(max_length=120)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    document: models.JSONField[Json, Json] = OrderedJSONField()
    version = models.PositiveIntegerField(default=0)
    state_token = models.CharField(max_length=32, default=random_token)
    is_listed = models.BooleanField(default=False)
    copied_at = models.DateTimeField(null=True)
    copied_awards: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    follows_games = models.BooleanField(default=False, db_index=True)
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-first_day", "-created_at"]

    def __str__(self) -> str:
        return f"tournament {self.key}"


class TournamentRole(models.TextChoices):
    """What an account is for a tournament. An assistant does not change scores or rules."""

    DIRECTOR = "director"
    ASSISTANT = "assistant"


class TournamentMembership(models.Model):
    """Somebody of the desk."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    role = models.CharField(max_length=12, choices=TournamentRole)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "account"], name="one_role_a_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.tournament_id}"


class AccessToken(models.Model):
    """The door of one person of the event: by a link of his own, a phone that took his name, or an account.

    `claimed_at`: when a phone took it at the door of the room. Released, its `token` is another one.
    `merged_into`: whose door it is while the event has nobody of its own number, two entries having become
    one.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="passes")
    person_number = models.PositiveIntegerField()  # of the person in the event
    merged_into = models.PositiveIntegerField(null=True)
    token = models.CharField(max_length=32, unique=True, default=random_token)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "person_number"], name="one_pass_a_person")
        ]

    def __str__(self) -> str:
        return f"pass {self.person_number} of {self.tournament_id}"


class JournalEntry(models.Model):
    """What was done, in one piece: the acts, what they changed and who did it.

    `acts` as `tournament.acts` writes them; none for what takes back the entry `undoes_number`.
    `person_number`: by whom of the event, 0 for the desk. `actor_label`: who of the desk, where an archive
    told it, "assistant 2". `idempotency_key`: the same thing sent twice is one entry.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    person_number = models.PositiveIntegerField(default=0)
    actor_label = models.CharField(max_length=20, blank=True, default="")
    acts: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    changes: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    undoes_number = models.PositiveIntegerField(null=True)
    undone_by_number = models.PositiveIntegerField(null=True)  # by which entry
    idempotency_key = models.CharField(max_length=64, default=random_token)

    class Meta:
        ordering: ClassVar = ["-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "idempotency_key"], name="entered_once"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament_id}"


class BoardPhoto(models.Model):
    """A photograph of a board, made again by us: nothing that the telephone wrote into it is left.

    `content_digest`: of what was sent, so that the same one sent twice is one. `person_number`: who of the
    event sent it, 0 for the desk. `is_public`: to all; otherwise to the board and the desk.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="photos")
    key = models.CharField(max_length=32, unique=True, default=random_token)
    round_number = models.PositiveIntegerField()
    board_number = models.PositiveIntegerField()
    person_number = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField()
    content_digest = models.CharField(max_length=64)
    content = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    is_public = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tournament", "round_number", "board_number", "content_digest"],
                name="one_photo_a_mark",
            )
        ]

    def __str__(self) -> str:
        return f"photo of board {self.board_number}, round {self.round_number} of {self.tournament_id}"


class KeptTogether(models.Model):
    """Several tournaments that somebody keeps together. `is_listed`: anybody may open it; otherwise only who
    keeps it.
    """

    key = models.CharField(max_length=16, unique=True, default=new_tournament_key)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    name = models.CharField(max_length=120)
    is_listed = models.BooleanField(default=False)
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering: ClassVar = ["-created_at"]


class TournamentCircuit(KeptTogether):
    """A circuit: several tournaments and how they are ranked together.

    `document` is the season as `tournament.circuits` writes it: its events by their keys.
    """

    document: models.JSONField[Json, Json] = OrderedJSONField()
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"season {self.key}"


class TournamentLeague(KeptTogether):
    """A league: divisions of tournaments whose boards are games on the site, season after season.

    `moving`: how many go up from each division and down to the next.
    """

    moving = models.PositiveSmallIntegerField(default=2)

    def __str__(self) -> str:
        return f"league {self.key}"


class LeagueDivision(models.Model):
    """A division in a season of a league; the highest has rank 1."""

    league = models.ForeignKey(TournamentLeague, models.CASCADE, related_name="divisions")
    season = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="division")

    class Meta:
        ordering: ClassVar = ["-season", "rank"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "season", "rank"], name="one_division_a_rank")
        ]

    def __str__(self) -> str:
        return f"division {self.rank} of season {self.season} of {self.league_id}"
