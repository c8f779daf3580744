"""A game on line: what was agreed, who sits where, every sheet received and every phase published."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from talleyrand.web.fields import OrderedJSONField
from talleyrand.web.practice.models import Thought

from .terms import Terms

Json = dict[str, Any]


def key() -> str:
    """The part of an address that names a game: 72 bits."""
    return secrets.token_urlsafe(9)


def secret() -> str:
    """What nobody guesses: 128 bits."""
    return secrets.token_urlsafe(16)


class State(models.TextChoices):
    """Where a game is in its life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"
    ABANDONED = "abandoned"


RUNNING = (State.PLAYING, State.PAUSED)  # a phase is open
OVER = (State.ENDED, State.ABANDONED)


class Role(models.TextChoices):
    """What a person is in a game."""

    PLAYER = "player"
    MASTER = "master"
    ASSISTANT = "assistant"
    OBSERVER = "observer"


class Game(models.Model):
    """`number` counts the phases from 1, the open one; 0 before the start.

    `due` is what the players are told, `sweep` when the clock has to look next. `version` is raised by
    everything that a publication depends on. `waiting`: past its date, the game waits for those who are
    missing. With a `trouble` it waits for its game master. Phases up to `script_until` were played by the
    variant `script`, one of whose powers nobody played then. `outage` is the last one that was reckoned with,
    `attempts` how often a clock has begun with the game and was not heard of again.
    """

    key = models.CharField(max_length=16, unique=True, default=key)
    submission = models.CharField(max_length=64, unique=True, default=secret)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=64)
    script = models.CharField(max_length=64, blank=True, default="")
    script_until = models.PositiveIntegerField(default=0)
    rulebook: models.JSONField[str | Json, str | Json] = OrderedJSONField()
    seed = models.CharField(max_length=64, default=secret)
    kept_terms: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    state = models.CharField(max_length=12, choices=State, default=State.GATHERING)
    listed = models.BooleanField(default=True)
    number = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=16, blank=True, default="")
    opened = models.DateTimeField(null=True)
    due = models.DateTimeField(null=True)
    sweep = models.DateTimeField(null=True, db_index=True)
    extended = models.PositiveIntegerField(default=0)
    paused_left = models.DurationField(null=True)
    waiting = models.BooleanField(default=False)
    outage = models.PositiveBigIntegerField(default=0)
    trouble = models.CharField(max_length=200, blank=True, default="")
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True, default="")
    worker_until = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    receipts = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    revealed = models.DateTimeField(null=True)
    result: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)

    def __str__(self) -> str:
        return self.name

    @property
    def terms(self) -> Terms:
        return Terms.read(self.kept_terms)

    def variant_at(self, number: int) -> str:
        """By which variant a phase is judged: the script’s until somebody sat down in its seat."""
        return self.script if self.script and number <= self.script_until else self.variant


class Membership(models.Model):
    """A person's role in a game; `wishes` are the powers that a player would like, best first."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="memberships")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    wishes: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    joined = models.DateTimeField(auto_now_add=True)
    left = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "person"], condition=Q(left=None), name="one_role_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.role}"


class Invitation(models.Model):
    """A link that gives a role, to everybody who has it or to the first; `power` names the seat it gives."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=secret)
    role = models.CharField(max_length=12, choices=Role, default=Role.PLAYER)
    power = models.CharField(max_length=32, blank=True, default="")
    once = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.role}"


class Seat(models.Model):
    """A power of a game that somebody may play.

    `draft` are the lines in preparation for phase `draft_number`. `final`: no need to wait for me in this
    phase. `missed` counts movement phases in a row without a sheet; `disorder` until somebody plays it.
    `bot` names the computer’s player that plays it while nobody does ("values:normal").
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    power = models.CharField(max_length=32)
    draft: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    draft_number = models.PositiveIntegerField(default=0)
    draft_at = models.DateTimeField(null=True)
    final = models.BooleanField(default=False)
    missed = models.PositiveIntegerField(default=0)
    disorder = models.BooleanField(default=False)
    bot = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "power"], name="one_seat_a_power")]

    def __str__(self) -> str:
        return f"{self.game} {self.power}"


class Tenure(models.Model):
    """Somebody plays a power from phase `first` to phase `last` (null: still); a stand-in for a while.

    Who holds a seat now: its stand-in if there is one, else its player, among those without `until`.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="tenures")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tenures")
    stand_in = models.BooleanField(default=False)
    first = models.PositiveIntegerField(default=0)
    last = models.PositiveIntegerField(null=True)
    since = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["since", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["seat", "stand_in"], condition=Q(until=None), name="one_player_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.first}-{self.last or ''}"


class Sheet(models.Model):
    """A whole sheet of orders as it was received; the last one of a power before the deadline counts.

    `receipt` counts the sheets of its power: those of the game would tell it when others hand in. `key`
    makes one sent twice one sheet, `digest` is told with it. `origin`: map, text, mail, granted (a late
    mail that the game master let in), master, draft (taken at the deadline), computer. One `withdrawn`
    counts no more: it was meant for a phase that was gone when the one before it was taken back. `lasting`
    are lines of former sheets that stand beside its own; null until that is settled.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="sheets")
    number = models.PositiveIntegerField()
    power = models.CharField(max_length=32)
    receipt = models.PositiveIntegerField()
    key = models.CharField(max_length=64)
    lines: models.JSONField[list[str], list[str]] = OrderedJSONField()
    lasting: models.JSONField[list[str] | None, list[str] | None] = OrderedJSONField(null=True)
    digest = models.CharField(max_length=64)
    origin = models.CharField(max_length=8)
    final = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    withdrawn = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "power", "receipt"], name="one_sheet_a_receipt"),
            models.UniqueConstraint(fields=["game", "key"], name="one_sheet_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.power} {self.receipt}"


class ComputerTurn(Thought):
    """The computer plays seats of a game: how far it is with the open phase.

    It has answered the phase that follows from revision `base`, so often as `answered` says; it is to answer
    `requests` times. `failed` are the powers that it could not order, `deaths` counts the workers that were
    not heard of again since one has. `waited` is since when the game would go on but for the computer.
    """

    game = models.OneToOneField(Game, models.CASCADE, related_name="computer")
    base = models.PositiveBigIntegerField(default=0)
    requests = models.PositiveIntegerField(default=1)
    answered = models.PositiveIntegerField(default=0)
    failed: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    deaths = models.PositiveIntegerField(default=0)
    waited = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.base}"


class Unread(models.Model):
    """Orders that came by mail, by `key`, and wait to be read: no phase ends without them before `until`."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="unread")
    key = models.CharField(max_length=64, unique=True)
    received = models.DateTimeField()
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game} {self.key}"


class Revision(models.Model):
    """A phase as it was published, or published again: at most one of a phase is current.

    Number 0 is the start. `sheets` are the lines that counted, `absent` the powers without a sheet; `after`
    is the situation of the next phase, null where the game ended. `changes` lists what the game master
    overrode, with their `reason`. A phase taken back has no current revision any more. `sealed`: what of it
    is secret until the game is over, null where nothing is (see `sealing`).
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)  # start, adjudication, override, edit
    phase = models.CharField(max_length=16, blank=True)
    situation: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    sheets: models.JSONField[dict[str, list[str]], dict[str, list[str]]] = OrderedJSONField(default=dict)
    absent: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    digest = models.CharField(max_length=64)
    answer: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    after: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    sealed: models.JSONField[Json | None, Json | None] = OrderedJSONField(null=True)
    changes: models.JSONField[list[Json], list[Json]] = OrderedJSONField(default=list)
    reason = models.TextField(blank=True, default="")
    current = models.BooleanField(default=True)
    made = models.DateTimeField(auto_now_add=True)
    withdrawn = models.DateTimeField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["number", "revision"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number", "revision"], name="one_revision_a_number"),
            models.UniqueConstraint(
                fields=["game", "number"], condition=Q(current=True), name="one_current_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}.{self.revision}"


class Entry(models.Model):
    """A line of the game's log: what was done, by whom in which role. `open` ones are for players too."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=32)
    facts: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    role = models.CharField(max_length=12, blank=True, default="")  # "", master, assistant, player
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    open = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.game} {self.kind}"


class Absence(models.Model):
    """A time that a player said beforehand he would be away: deadlines within it move to its end."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="absences")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    since = models.DateTimeField()
    until = models.DateTimeField()
    asked = models.DateTimeField(auto_now_add=True)
    withdrawn = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.game} {self.since:%F}"


class Proposal(models.Model):
    """A proposal to end the game, made by a power while phase `number` was open.

    `counts`: now, last_adjustments or autumn_disorder (what a spring proposal has to say). `state`: vetoes
    (while anybody may veto), voting, accepted, vetoed, refused, lapsed.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="proposals")
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=16)
    power = models.CharField(max_length=32)
    counts = models.CharField(max_length=20, default="now")
    state = models.CharField(max_length=10)
    made = models.DateTimeField(auto_now_add=True)
    closes = models.DateTimeField(null=True)
    closed = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game"], condition=Q(closed=None), name="one_open_proposal")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.power}"


class Ballot(models.Model):
    """A power's answer to a proposal: yes, no or veto. Never shown, but for a veto."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="ballots")
    power = models.CharField(max_length=32)
    choice = models.CharField(max_length=4)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["proposal", "power"], name="one_ballot_a_power")
        ]

    def __str__(self) -> str:
        return f"{self.proposal} {self.power}"


class Gazette(models.Model):
    """The game master's words on a phase, published with its report."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="gazettes")
    number = models.PositiveIntegerField()
    text = models.TextField()
    published = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["number", "id"]

    def __str__(self) -> str:
        return f"{self.game} {self.number}"


class Outage(models.Model):
    """A time without a clock, so long that deadlines within it, or soon after, are moved."""

    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.since:%F %T}"


class Beat(models.Model):
    """The clocks’ sign of life; whichever of them finds that it was silent for long notes an outage."""

    worker = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} {self.at:%F %T}"
