"""What came by mail and what leaves by it: rows that say what is due; whatever empties them may run twice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.fields import OrderedJSONField
from talleyrand.web.games.models import Game, secret

Json = dict[str, Any]


class Correspondent(models.Model):
    """Somebody who plays a game, or runs it, from his mail program: everything of it is sent to him.

    `heard_game` and `heard_person` are the numbers of the counters when he was last looked after, which was
    at `looked`; `looks` counts how often, and `again` is when he is looked after even if they stand still.
    `welcomed`: for what he has had the mail to begin with.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="correspondents")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="correspondences")
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True)
    heard_game = models.BigIntegerField(default=-1)
    heard_person = models.BigIntegerField(default=-1)
    looks = models.PositiveIntegerField(default=0)
    looked = models.DateTimeField(null=True)
    again = models.DateTimeField(default=timezone.now)
    welcomed: models.JSONField[Json, Json] = OrderedJSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "person"], condition=Q(until=None), name="one_correspondence_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.since:%F}"


class Door(models.TextChoices):
    """What a mail to one of our addresses may do."""

    ORDERS = "orders"  # hand in the sheet of a power
    LETTER = "letter"  # write a letter from one to another, and nothing else
    DESK = "desk"  # run a game
    JOIN = "join"  # take the seat that was offered
    RETURN = "return"  # say that a mail of ours did not arrive


class Mailbox(models.Model):
    """One of our addresses; `addressing` writes it and knows it again.

    It is `person`’s in `game`, for one of his powers or as game master ("@"). `to` names the room that a
    letter goes to, seen from `power`: "FRANCE", "ITALY+FRANCE", "*" for all, "@" for the game master.
    """

    door = models.CharField(max_length=8, choices=Door)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="mailboxes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mailboxes")
    power = models.CharField(max_length=32, blank=True, default="")
    to = models.CharField(max_length=600, blank=True, default="")
    made = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["door", "game", "person", "power", "to"],
                condition=Q(revoked=None),
                name="one_mailbox_a_right",
            )
        ]

    def __str__(self) -> str:
        return f"{self.door} {self.game_id} {self.power} {self.to}"


class Message(models.Model):
    """A mail as it came, kept before anything else is done with it.

    `received` is when our first trusted hop took it, `kept` when we had it; `envelope` is whom it says it is
    from, which proves nothing.
    """

    key = models.CharField(max_length=32, unique=True, default=secret)
    data = models.BinaryField()
    envelope = models.CharField(max_length=320, blank=True, default="")
    received = models.DateTimeField()
    kept = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key


class Arrival(models.Model):
    """A message at one of our addresses: what became of it. Without `outcome` it waits to be read.

    `same` is the same for one mail that came twice. `facts` say with codes what was done. A worker that was
    not heard of again costs one of `attempts`.
    """

    message = models.ForeignKey(Message, models.CASCADE, related_name="arrivals")
    mailbox = models.ForeignKey(Mailbox, models.CASCADE, related_name="arrivals")
    same = models.CharField(max_length=64)
    outcome = models.CharField(max_length=24, blank=True, default="")
    facts: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    sorted = models.DateTimeField(null=True)
    worker = models.CharField(max_length=40, blank=True, default="")
    worker_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "mailbox"], name="one_arrival_a_mailbox")
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="unsorted_mail", condition=Q(outcome="")),
            models.Index(fields=["mailbox", "same"], name="same_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.outcome}"


class Departure(models.Model):
    """A mail that is to leave, once: the same `once` to the same person is the same mail.

    It goes to the address that `person` has on file when it leaves, or to `address` where there is no
    account yet. `power`: it concerns whoever plays that and goes to nobody else; "@": the game master. It
    comes from `mailbox`, which its answer goes to, else from the site, and is signed `sender`. Mails of
    one `thread` are shown together. `unsubscribe`: an address that stops mails like it at a touch.
    `tried` is when it was last claimed, to be handed over at once; `tries` counts how often that failed.
    `dropped` says with a code why it never leaves, `refusal` what a server answered.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="departures")
    address = models.CharField(max_length=320, blank=True, default="")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="departures")
    power = models.CharField(max_length=32, blank=True, default="")
    kind = models.CharField(max_length=16)
    once = models.CharField(max_length=160)
    mailbox = models.ForeignKey(Mailbox, models.SET_NULL, null=True, related_name="+")
    sender = models.CharField(max_length=160, blank=True, default="")
    subject = models.CharField(max_length=250)
    text = models.TextField()
    thread = models.CharField(max_length=64, blank=True, default="")
    unsubscribe = models.CharField(max_length=300, blank=True, default="")
    token = models.CharField(max_length=32, unique=True, default=secret)
    made = models.DateTimeField(auto_now_add=True)
    due = models.DateTimeField(default=timezone.now)
    tries = models.PositiveIntegerField(default=0)
    tried = models.DateTimeField(null=True, db_index=True)
    worker = models.CharField(max_length=40, blank=True, default="")
    worker_until = models.DateTimeField(null=True)
    sent = models.DateTimeField(null=True)
    dropped = models.CharField(max_length=24, blank=True, default="")
    refusal = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "once"], name="leaves_once"),
            models.UniqueConstraint(
                fields=["address", "once"], condition=Q(person=None), name="leaves_once_for_strangers"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due"], name="mail_to_leave", condition=Q(sent=None, dropped=""))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Gate(models.Model):
    """The one way out of the site, by its `name`: whoever takes a mail to it holds this row.

    After so many `failures` in a row of the server that takes our mail, it is shut until `opens`.
    """

    name = models.CharField(max_length=16, primary_key=True)
    opens = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} {self.failures}"


class Unreached(models.Model):
    """Mails to somebody that came back, while `address` is the one on file: on which `days`, and for what.

    Nothing is sent there from `paused` on.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="unreached")
    address = models.CharField(max_length=320)
    days: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    status = models.CharField(max_length=16, blank=True, default="")
    paused = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.person_id} {len(self.days)}"


class Offer(models.Model):
    """A seat offered by mail, perhaps to somebody without an account; `mailbox.to` is his address.

    Nobody is shown that address but `by`, who typed it. `answer`: joined, declined or withdrawn ("": none
    yet); `same` is the mail that brought it, `person` who came.
    """

    mailbox = models.OneToOneField(Mailbox, models.CASCADE, related_name="offer")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="offers")
    language = models.CharField(max_length=2)
    submission = models.CharField(max_length=64)
    made = models.DateTimeField(auto_now_add=True)
    answer = models.CharField(max_length=10, blank=True, default="")
    answered = models.DateTimeField(null=True)
    same = models.CharField(max_length=64, blank=True, default="")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.answer}"


class Unwilling(models.Model):
    """An address whose owner declined: nobody’s invitation goes there again. The address is not kept."""

    digest = models.CharField(max_length=64, unique=True)
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.digest[:8]
