"""A game on line: what was agreed, who sits where, every sheet received and every phase published."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.practice.models import BotTask

from . import bot_letter_models, finding_models, record_models  # noqa: F401 models of this app too
from .game_settings import Anonymity, GameSettings, Pace, PressSetting, listing_facets

Json = dict[str, Any]


def new_game_key() -> str:
    """The part of an address that names a game: 72 bits."""
    return secrets.token_urlsafe(9)


def random_token() -> str:
    """What nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class GameState(models.TextChoices):
    """Where a game is in its life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"
    ABANDONED = "abandoned"


RUNNING_STATES = (GameState.PLAYING, GameState.PAUSED)  # a phase is open
ENDED_STATES = (GameState.ENDED, GameState.ABANDONED)


class GameRole(models.TextChoices):
    """What a person is in a game."""

    PLAYER = "player"
    GAME_MASTER = "master"
    ASSISTANT = "assistant"
    OBSERVER = "observer"


class Game(models.Model):
    """`phase_number` counts the phases from 1, the open one; 0 before the start.

    `deadline` is what the players are told, `next_check_at` when the clock has to look next. `version` is
    raised by everything that a publication depends on. `is_waiting`: past its date, the game waits for those
    who are missing. With a `adjudication_error` it waits for its game master. Phases up to
    `scripted_until_phase` were played by the variant `scripted_variant`, one of whose powers nobody played
    then. `last_outage_id` is the last one that was reckoned with, `attempts` how often a clock has begun with
    the game and was not heard of again. One of a `group` is listed for its members alone. The columns after
    `rematch_of` repeat what of the agreement games are looked for by.
    """

    key = models.CharField(max_length=16, unique=True, default=new_game_key)
    submission_id = models.CharField(max_length=64, unique=True, default=random_token)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=64)
    scripted_variant = models.CharField(max_length=64, blank=True, default="")
    scripted_until_phase = models.PositiveIntegerField(default=0)
    rulebook: models.JSONField[str | Json, str | Json] = OrderedJSONField()
    seed = models.CharField(max_length=64, default=random_token)
    settings_json: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    state = models.CharField(max_length=12, choices=GameState, default=GameState.GATHERING)
    is_listed = models.BooleanField(default=True)
    phase_number = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=16, blank=True, default="")
    phase_opened_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    next_check_at = models.DateTimeField(null=True, db_index=True)
    extension_count = models.PositiveIntegerField(default=0)
    time_left_when_paused = models.DurationField(null=True)
    is_waiting = models.BooleanField(default=False)
    last_outage_id = models.PositiveBigIntegerField(default=0)
    adjudication_error = models.CharField(max_length=200, blank=True, default="")
    attempts = models.PositiveIntegerField(default=0)
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    receipt_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    powers_revealed_at = models.DateTimeField(null=True)
    result: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    group = models.ForeignKey(finding_models.PlayerGroup, models.SET_NULL, null=True, related_name="games")
    rematch_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    rulebook_name = models.CharField(max_length=64, default="")
    pace = models.CharField(max_length=8, default=Pace.DAYS)
    press = models.CharField(max_length=8, default=PressSetting.FULL)
    anonymity = models.CharField(max_length=12, default=Anonymity.UNTIL_END)
    language = models.CharField(max_length=8, blank=True, default="")
    has_bots = models.BooleanField(default=False)
    offers_bot_seats = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["is_listed", "state", "id"], name="listed_by_state")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """With the columns that repeat the agreement, so that lists find games by them."""
        if update_fields is None or "settings_json" in update_fields:
            facets = listing_facets(self.settings_json, self.rulebook)
            vars(self).update(facets)
            update_fields = None if update_fields is None else {*update_fields, *facets}
        super().save(*args, update_fields=update_fields, **more)

    @property
    def settings(self) -> GameSettings:
        return GameSettings.from_json(self.settings_json)

    @property
    def is_at_table(self) -> bool:
        """Whether it is played round a table, led by a guest as whom nobody signs in."""
        return self.creator is not None and self.creator.is_guest

    @property
    def is_shown_late(self) -> bool:
        """Whether onlookers see it with a delay while it is played."""
        late = bool(self.settings_json.get("delay_phases") or self.settings_json.get("delay_hours"))
        return late and self.state in RUNNING_STATES

    def variant_of_phase(self, number: int) -> str:
        """By which variant a phase is judged: the script’s until somebody sat down in its seat."""
        return (
            self.scripted_variant
            if self.scripted_variant and number <= self.scripted_until_phase
            else self.variant
        )


class GameMembership(models.Model):
    """A person's role in a game; `preferences` are the powers that a player would like, best first."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="memberships")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=GameRole)
    preferences: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "person"], condition=Q(left_at=None), name="one_role_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.role}"


class Invitation(models.Model):
    """A link that gives a role, to all who have it or to the first; `proposer` names the seat it gives."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=random_token)
    role = models.CharField(max_length=12, choices=GameRole, default=GameRole.PLAYER)
    power = models.CharField(max_length=32, blank=True, default="")
    is_single_use = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.role}"


class GameSeat(models.Model):
    """A power of a game that somebody may play.

    `draft_orders` are the lines in preparation for phase `draft_phase_number`. `is_ready`: no need to wait
    for me in this phase. `missed_phases` counts movement phases in a row without a sheet; `in_civil_disorder`
    until somebody plays it. `bot` names the computer’s player that plays it while nobody does
    ("values:normal").
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    power = models.CharField(max_length=32)
    draft_orders: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    draft_phase_number = models.PositiveIntegerField(default=0)
    drafted_at = models.DateTimeField(null=True)
    is_ready = models.BooleanField(default=False)
    missed_phases = models.PositiveIntegerField(default=0)
    in_civil_disorder = models.BooleanField(default=False)
    bot = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "power"], name="one_seat_a_power")]

    def __str__(self) -> str:
        return f"{self.game} {self.power}"


class PowerAssignment(models.Model):
    """Somebody plays a power from phase `first_phase_number` to phase `last_phase_number` (null: still); a
    stand-in for a while.

    Who holds a seat now: its stand-in if there is one, else its player, among those without `ended_at`.
    """

    seat = models.ForeignKey(GameSeat, models.CASCADE, related_name="tenures")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tenures")
    is_stand_in = models.BooleanField(default=False)
    first_phase_number = models.PositiveIntegerField(default=0)
    last_phase_number = models.PositiveIntegerField(null=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["started_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["seat", "is_stand_in"], condition=Q(ended_at=None), name="one_player_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.first_phase_number}-{self.last_phase_number or ''}"


class OrderSet(models.Model):
    """A whole sheet of orders as it was received; the last one of a power before the deadline counts.

    `receipt_number` counts the sheets of its power: those of the game would tell it when others hand in.
    `idempotency_key` makes one sent twice one sheet, `digest` is told with it. `origin`: map, text, mail,
    granted (a late mail that the game master let in), late (after the bell of a table), master, draft (taken
    at the deadline), computer. One `withdrawn_at` counts no more: it was meant for a phase that was gone when
    the one before it was taken back. `binding_lines` are lines of former sheets that stand beside its own;
    null until that is settled.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="sheets")
    phase_number = models.PositiveIntegerField()
    power = models.CharField(max_length=32)
    receipt_number = models.PositiveIntegerField()
    idempotency_key = models.CharField(max_length=64)
    lines: models.JSONField[list[str], list[str]] = OrderedJSONField()
    binding_lines: models.JSONField[list[str] | None, list[str] | None] = OrderedJSONField(null=True)
    digest = models.CharField(max_length=64)
    origin = models.CharField(max_length=8)
    is_ready = models.BooleanField(default=False)
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    received_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "power", "receipt_number"], name="one_sheet_a_receipt"),
            models.UniqueConstraint(fields=["game", "idempotency_key"], name="one_sheet_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.power} {self.receipt_number}"


class GameBotTask(BotTask):
    """The computer plays seats of a game: how far it is with the open phase.

    It has answered the phase that follows from revision `base_revision_id`, so often as `answered_count`
    says; it is to answer `request_count` times. `failed_powers` are the powers that it could not order,
    `attempts` counts the workers that were not heard of again since one has. `waiting_since` is since when
    the game would go on but for the computer.
    """

    game = models.OneToOneField(Game, models.CASCADE, related_name="computer")
    base_revision_id = models.PositiveBigIntegerField(default=0)
    request_count = models.PositiveIntegerField(default=1)
    answered_count = models.PositiveIntegerField(default=0)
    failed_powers: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    attempts = models.PositiveIntegerField(default=0)
    waiting_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.base_revision_id}"


class UnreadEmailOrders(models.Model):
    """Orders that came by mail, by `delivery_key`, and wait to be read: no phase ends without them before
    `wait_until`. Likewise orders of a game that were told to come back (see `returning_orders`).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="unread")
    delivery_key = models.CharField(max_length=64, unique=True)
    received_at = models.DateTimeField()
    wait_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game} {self.delivery_key}"


class PhaseRevision(models.Model):
    """A phase as it was published, or published again: at most one of a phase is current.

    Number 0 is the start. `order_lines` are the lines that counted, `powers_without_orders` the powers
    without a sheet; `next_situation` is the situation of the next phase, null where the game ended.
    `overrides` lists what the game master overrode, with their `reason`. A phase taken back has no current
    revision any more. `secret_part`: what of it is secret until the game is over, null where nothing is (see
    `secret_votes`).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="revisions")
    phase_number = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)  # start, adjudication, override, edit
    phase = models.CharField(max_length=16, blank=True)
    situation: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    order_lines: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField(default=dict)
    powers_without_orders: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    digest = models.CharField(max_length=64)
    answer: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    next_situation: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    secret_part: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    overrides: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    reason = models.TextField(blank=True, default="")
    is_current = models.BooleanField(default=True)
    published_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["phase_number", "revision"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "phase_number", "revision"], name="one_revision_a_number"
            ),
            models.UniqueConstraint(
                fields=["game", "phase_number"], condition=Q(is_current=True), name="one_current_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.phase_number}.{self.revision}"


class DelayedGame(Game):
    """A game as onlookers see it, where it was at `seen_until`: its open phase is one of those published
    since. Made by `delayed_games`, never saved.
    """

    seen_until: datetime

    class Meta:
        proxy = True

    @property
    def revisions(self) -> models.QuerySet[PhaseRevision]:  # type: ignore[override]
        return PhaseRevision.objects.filter(game=self.pk, phase_number__lt=self.phase_number)

    def save(self, *_args: Any, **_more: Any) -> None:
        raise TypeError(self)


class GameLogEntry(models.Model):
    """A line of the game's log: what was done, by whom, as what. `is_public` ones are for players too."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="log")
    phase_number = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=32)
    facts: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    role = models.CharField(max_length=12, blank=True, default="")  # "", master, assistant, player
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    is_public = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.game} {self.kind}"


class Absence(models.Model):
    """A time that a player said beforehand he would be away: deadlines within it move to its end."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="absences")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    announced_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.starts_at:%F}"


class EndProposal(models.Model):
    """A proposal to end the game, made by a power while phase `phase_number` was open.

    `counted_position`: now, last_adjustments or autumn_disorder (what a spring proposal has to say). `state`:
    vetoes (while anybody may veto), voting, accepted, vetoed, refused, lapsed.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="proposals")
    phase_number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    proposer = models.CharField(max_length=32)
    counted_position = models.CharField(max_length=20, default="now")
    state = models.CharField(max_length=10)
    created_at = models.DateTimeField()
    answers_due_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game"], condition=Q(closed_at=None), name="one_open_proposal")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.proposer}"


class EndProposalBallot(models.Model):
    """A power's answer to a proposal: yes, no or veto. Never shown, but for a veto."""

    proposal = models.ForeignKey(EndProposal, models.CASCADE, related_name="ballots")
    power = models.CharField(max_length=32)
    choice = models.CharField(max_length=4)
    answered_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["proposal", "power"], name="one_ballot_a_power")
        ]

    def __str__(self) -> str:
        return f"{self.proposal} {self.power}"


class Gazette(models.Model):
    """The game master's words on a phase, published with its report."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="gazettes")
    phase_number = models.PositiveIntegerField()
    text = models.TextField()
    published_at = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["phase_number", "id"]

    def __str__(self) -> str:
        return f"{self.game} {self.phase_number}"


class ClockOutage(models.Model):
    """A time without a clock, so long that deadlines within it, or soon after, are moved."""

    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.started_at:%F %T}"


class Heartbeat(models.Model):
    """The clocks’ sign of life; whichever of them finds that it was silent for long notes an outage."""

    process_name = models.CharField(max_length=40, primary_key=True)
    last_seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.process_name} {self.last_seen_at:%F %T}"
