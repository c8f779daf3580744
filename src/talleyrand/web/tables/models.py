"""A table and the people at it."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.crypto import salted_hmac

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.games.models import Game, new_game_key, random_token

from .table_clock import TableClock

Json = dict[str, Any]


CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # told apart at ten metres
CODE_LENGTH = 6
BOARD = "board"  # what `Table.clock` says of the board of a tournament that a table is


def new_table_code() -> str:
    """The word by which phones find a table: 29 bits, and whoever guesses is counted."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Dealing(models.TextChoices):
    """How the powers are given."""

    LOT = "lot"
    WISHES = "wishes"
    SEATED = "seated"  # each seat has its powers from the start


class ClassSession(models.Model):
    """A class that plays: its tables have one bell, and all of it is erased in the end.

    `code` opens the door for the pupils, `teacher_token` makes a browser the teacher's. Since `stopped_at`
    the phones say to look at the teacher. At `erase_at` it is erased if nobody has done so; `erasing_since`
    says that this has begun, `erased_at` that it is done, `receipt` how many rows of each kind went. What is
    left then is this row, with no name in it.
    """

    key = models.CharField(max_length=16, unique=True, default=new_game_key)
    code = models.CharField(max_length=8, unique=True, default=new_table_code)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    teacher_token = models.CharField(max_length=32, unique=True, default=random_token)
    name = models.CharField(max_length=80, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    stopped_at = models.DateTimeField(null=True)
    erase_at = models.DateTimeField(db_index=True)
    erasing_since = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    receipt: models.JSONField[Json, Json] = OrderedJSONField(default=dict)

    def __str__(self) -> str:
        return f"class {self.key[:6]}"


class Table(models.Model):
    """A game round a table; its address has the key of the game.

    `code` opens the door: the QR code for all holds it, and it is short enough to type. `host` is the game
    master of the game, as whom nobody ever signs in: what is done at the table is done by its hand. `clock`
    is a `TableClock` as JSON, `reading` how far the screen has read the orders of the last phase, `consents`
    what the players have agreed to. `class_session` is the class that it belongs to. `is_one_device`: one
    device is handed round, and is each player in turn (see `one_device`).
    """

    game = models.OneToOneField(Game, models.CASCADE, related_name="round_table")
    code = models.CharField(max_length=8, unique=True, default=new_table_code)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    dealing = models.CharField(max_length=8, choices=Dealing, default=Dealing.LOT)
    class_session = models.ForeignKey(ClassSession, models.SET_NULL, null=True, related_name="tables")
    is_one_device = models.BooleanField(default=False)
    clock: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    reading: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    consents: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.game)

    @property
    def screen_code(self) -> str:
        """The word that opens its screen on another device. The door's word does not: everybody in the room
        knows that one, and whoever sees the screen reads the PINs by which seats move.
        """
        secret = salted_hmac("table screen", self.submission_id, algorithm="sha256").digest()
        return self.code + "".join(CODE_LETTERS[one % len(CODE_LETTERS)] for one in secret[:CODE_LENGTH])

    @property
    def clock_rules(self) -> TableClock:
        return TableClock.from_json(self.clock)

    @property
    def board(self) -> tuple[str, int, int] | None:
        """Which board of a tournament it is: its key, the round, the board; None for a table of its own."""
        kept = self.clock.get(BOARD)
        return (str(kept[0]), int(kept[1]), int(kept[2])) if kept else None


class TablePlayer(models.Model):
    """Somebody at a table: a guest of the game, or the account that keeps the seat (see `seat_claims`).

    `number` is the seat, from 1 in the order of the room; 0 is the referee who plays no power. `seat_token`
    is what the seat's QR code holds, `phone_digest` the digest of what the session of its phone keeps; "" as
    long as no phone has come: such a seat plays on paper. `phone_session` is the session of that phone, so
    that it can be forgotten with the table. `pin` lets another phone take the seat until `pin_until`;
    `pin_attempts` counts the wrong ones. `powers` are those that the seat has from the start where
    powers are dealt as people are seated. `is_beginner`: the orders are read first.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="table_seats")
    powers: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    is_referee = models.BooleanField(default=False)
    is_beginner = models.BooleanField(default=False)
    is_on_paper = models.BooleanField(default=False)
    seat_token = models.CharField(max_length=32, unique=True, default=random_token)
    phone_digest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    phone_session = models.CharField(max_length=40, blank=True, default="")
    phone_joined_at = models.DateTimeField(null=True)
    pin = models.CharField(max_length=8, blank=True, default="")
    pin_until = models.DateTimeField(null=True)
    pin_attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="one_player_a_table_seat"),
            models.UniqueConstraint(fields=["table", "person"], name="one_table_seat_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class LateOrders(models.Model):
    """Orders that a phone had when the bell rang and that came after it, until the referee decides.

    `written_at` is when the phone says that they were written, `decision` "", counted or torn.
    """

    player = models.ForeignKey(TablePlayer, models.CASCADE, related_name="late_orders")
    phase_number = models.PositiveIntegerField()
    power = models.CharField(max_length=32)
    idempotency_key = models.CharField(max_length=64)
    lines: models.JSONField[list[str], list[str]] = OrderedJSONField()
    written_at = models.DateTimeField(null=True)
    received_at = models.DateTimeField()
    decision = models.CharField(max_length=8, blank=True, default="")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "idempotency_key"], name="one_late_sheet_a_key")
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.power} {self.phase_number}"
