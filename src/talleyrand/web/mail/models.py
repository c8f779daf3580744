"""What came by mail and what leaves by it: rows that say what is due; whatever empties them may run twice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.games.models import Game, random_token

Json = dict[str, Any]


class MailSubscription(models.Model):
    """Somebody who plays a game, or runs it, from his mail program: everything of it is sent to him.

    `game_version` and `person_version` are the numbers of the counters when he was last looked after, which
    was at `checked_at`; `check_count` counts how often, and `next_check_at` is when he is looked after even
    if they stand still. `welcome_keys`: for what he has had the mail to begin with.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="correspondents")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="correspondences")
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)
    game_version = models.BigIntegerField(default=-1)
    person_version = models.BigIntegerField(default=-1)
    check_count = models.PositiveIntegerField(default=0)
    checked_at = models.DateTimeField(null=True)
    next_check_at = models.DateTimeField(default=timezone.now)
    welcome_keys: models.JSONField[Json, Json] = OrderedJSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "person"], condition=Q(ended_at=None), name="one_correspondence_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.started_at:%F}"


class MailboxPurpose(models.TextChoices):
    """What a mail to one of our addresses may do."""

    ORDERS = "orders"  # hand in the sheet of a power
    MESSAGE = "letter"  # write a letter from one to another, and nothing else
    DESK = "desk"  # run a game
    INVITATION = "join"  # take the seat that was offered
    BOUNCE = "return"  # say that a mail of ours did not arrive
    OFFICE = "office"  # write to those who run the site (postmaster@, abuse@)


class Mailbox(models.Model):
    """One of our addresses; `mailboxes` writes it and knows it again.

    It is `person`’s in `game`, for one of his powers or as game master ("@"). `target` names the room that a
    letter goes to, seen from `power`: "FRANCE", "ITALY+FRANCE", "*" for all, "@" for the game master.
    """

    purpose = models.CharField(max_length=8, choices=MailboxPurpose)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="mailboxes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mailboxes")
    power = models.CharField(max_length=32, blank=True, default="")
    target = models.CharField(max_length=600, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["purpose", "game", "person", "power", "target"],
                condition=Q(revoked_at=None),
                name="one_mailbox_a_right",
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.game_id} {self.power} {self.target}"


class InboundEmail(models.Model):
    """A mail as it came, kept before anything else is done with it.

    `received_at` is when our first trusted hop took it, `stored_at` when we had it; `envelope_sender` is whom
    it says it is from, which proves nothing.
    """

    key = models.CharField(max_length=32, unique=True, default=random_token)
    raw_bytes = models.BinaryField()
    envelope_sender = models.CharField(max_length=320, blank=True, default="")
    received_at = models.DateTimeField()
    stored_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key


class InboundDelivery(models.Model):
    """A message at one of our addresses: what became of it. Without `outcome` it waits to be read.

    `content_digest` is the same for one mail that came twice. `facts` say with codes what was done. A worker
    that was not heard of again costs one of `attempts`.
    """

    email = models.ForeignKey(InboundEmail, models.CASCADE, related_name="arrivals")
    mailbox = models.ForeignKey(Mailbox, models.CASCADE, related_name="arrivals")
    content_digest = models.CharField(max_length=64)
    outcome = models.CharField(max_length=24, blank=True, default="")
    facts: models.JSONField[Json, Json] = OrderedJSONField(default=dict)
    processed_at = models.DateTimeField(null=True)
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["email", "mailbox"], name="one_arrival_a_mailbox")
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="unsorted_mail", condition=Q(outcome="")),
            models.Index(fields=["mailbox", "content_digest"], name="same_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.outcome}"


class OutboundEmail(models.Model):
    """A mail that is to leave, once: the same `idempotency_key` to the same person is the same mail.

    It goes to the address that `person` has on file when it leaves, or to `address` where there is no account
    yet. `power`: it concerns whoever plays that and goes to nobody else; "@": the game master. It comes from
    `reply_mailbox`, which its answer goes to, else from the site, and is signed `sender_name`. Mails of one
    `thread` are shown together. `unsubscribe_url`: an address that stops mails like it at a touch.
    `is_of_flood`: so many answers to the same person came before it that it leaves after everything else.
    `attempted_at` is when it was last claimed, to be handed over at once; `attempts` counts how often that
    failed. `drop_reason` says with a code why it never leaves, `server_reply` what a server answered.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="departures")
    address = models.CharField(max_length=320, blank=True, default="")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="departures")
    power = models.CharField(max_length=32, blank=True, default="")
    kind = models.CharField(max_length=16)
    idempotency_key = models.CharField(max_length=160)
    reply_mailbox = models.ForeignKey(Mailbox, models.SET_NULL, null=True, related_name="+")
    sender_name = models.CharField(max_length=160, blank=True, default="")
    subject = models.CharField(max_length=250)
    text = models.TextField()
    thread = models.CharField(max_length=64, blank=True, default="")
    unsubscribe_url = models.CharField(max_length=300, blank=True, default="")
    is_of_flood = models.BooleanField(default=False)
    message_token = models.CharField(max_length=32, unique=True, default=random_token)
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    attempted_at = models.DateTimeField(null=True, db_index=True)
    claimed_by = models.CharField(max_length=40, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    drop_reason = models.CharField(max_length=24, blank=True, default="")
    server_reply = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "idempotency_key"], name="leaves_once"),
            models.UniqueConstraint(
                fields=["address", "idempotency_key"],
                condition=Q(person=None),
                name="leaves_once_for_strangers",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="mail_to_leave", condition=Q(sent_at=None, drop_reason=""))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class SendLock(models.Model):
    """The one way out of the site, by its `name`: whoever takes a mail to it holds this row.

    After so many `failure_count` in a row of the server that takes our mail, it is shut until `closed_until`.
    """

    name = models.CharField(max_length=16, primary_key=True)
    closed_until = models.DateTimeField(null=True)
    failure_count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} {self.failure_count}"


class BouncedAddress(models.Model):
    """Mails to somebody that came back, while `address` is the one on file: on which `bounce_days`, and for
    what.

    Nothing is sent there from `paused_at` on.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="unreached")
    address = models.CharField(max_length=320)
    bounce_days: models.JSONField[list[str], list[str]] = OrderedJSONField(default=list)
    status = models.CharField(max_length=16, blank=True, default="")
    paused_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.person_id} {len(self.bounce_days)}"


class EmailInvitation(models.Model):
    """A seat offered by mail, perhaps to somebody without an account; `mailbox.to` is his address.

    Nobody is shown that address but `invited_by`, who typed it. `answer`: joined, declined or withdrawn ("":
    none yet); `answer_digest` is the mail that brought it, `person` who came.
    """

    mailbox = models.OneToOneField(Mailbox, models.CASCADE, related_name="offer")
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="offers"
    )
    language = models.CharField(max_length=2)
    submission_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    answer = models.CharField(max_length=10, blank=True, default="")
    answered_at = models.DateTimeField(null=True)
    answer_digest = models.CharField(max_length=64, blank=True, default="")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.answer}"


class UnsubscribedAddress(models.Model):
    """An address whose owner declined: nobody’s invitation goes there again. The address is not kept."""

    address_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.address_digest[:8]
