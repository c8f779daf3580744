"""Puts a mail into the outbox, inside the transaction of what it tells; and why some never leave."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta

from django.urls import reverse
from django.utils import timezone, translation

from talleyrand.web import background
from talleyrand.web.accounts import email_addresses, time_zones
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.models import ENDED_STATES, Game
from talleyrand.web.mail.coded_sentences import coded_sentence
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import (
    BouncedAddress,
    EmailInvitation,
    InboundDelivery,
    Mailbox,
    MailboxPurpose,
    MailSubscription,
    OutboundEmail,
)
from talleyrand.web.notifications import outbox

BREAKS = re.compile(r"[ \t\r\n\v\f\x00]+")
LONGEST_ONCE, LONGEST_SUBJECT, LONGEST_SENDER = 160, 250, 160

ANSWER, OFFICE = "answer", "office"  # kinds of departures
# Answers to one person beyond so many in ten minutes: whoever floods us waits behind everybody.
FEW_ANSWERS, LATELY = 3, timedelta(minutes=10)

BOUNCE_DAYS = 3  # on so many different ones
BOUNCES_REMEMBERED = timedelta(days=30)
REVIVED_WITHIN = timedelta(days=7)  # what was not sent meanwhile leaves afterwards, unless it is older
PAUSED_REASON, UNDELIVERABLE = "paused", "undeliverable"
PAUSED_NOTICE, UNREACHED_NOTICE = "mail_paused", "unreached"  # kinds of news
LONGEST_STATUS = 16
# What a server sends by itself says nothing of whether anybody reads.
AUTOMATIC_OUTCOMES = (
    MailOutcome.AUTOMATIC,
    MailOutcome.BOUNCE,
    MailOutcome.LOOP,
    MailOutcome.REPEATED,
    MailOutcome.SPAM,
    "",
)


def queue_email(
    person: Person,
    kind: str,
    once: str,
    subject: str,
    text: str,
    *,
    game: Game | None = None,
    power: str = "",
    mailbox: Mailbox | None = None,
    sender: str = "",
    thread: str = "",
    due: datetime | None = None,
) -> bool:
    """Have a mail leave; False where it is in the outbox already, or the person has no address on file.

    `power`: it is for whoever plays it when the mail leaves, and dropped if that is somebody else by then;
    "@" likewise for the game master. Lines of orders in `text` begin with `MARK`.
    """
    if not email_addresses.confirmed_email(person):
        return False
    _row, made = OutboundEmail.objects.get_or_create(
        person=person,
        idempotency_key=_short(once),
        defaults={
            "kind": kind,
            "subject": on_one_line(subject)[:LONGEST_SUBJECT],
            "text": text.replace("\x00", ""),
            "game": game,
            "power": power,
            "reply_mailbox": mailbox,
            "sender_name": on_one_line(sender)[:LONGEST_SENDER],
            "thread": thread,
            "is_of_flood": kind == ANSWER and _has_had_many(person),
            "due_at": due or timezone.now(),
        },
    )
    failpoint("mail out: queued")
    if made and due is None:
        background.run_soon("mail")
    return made


def _has_had_many(person: Person) -> bool:
    """Whether somebody has had so many answers lately that the next one leaves after everything else."""
    now = timezone.now()
    lately = OutboundEmail.objects.filter(person=person, kind=ANSWER, created_at__range=(now - LATELY, now))
    return lately.count() >= FEW_ANSWERS


def on_one_line(words: str) -> str:
    """On one line; the spaces of French signs stay what they are."""
    return BREAKS.sub(" ", words).strip()


def _short(once: str) -> str:
    return once if len(once) <= LONGEST_ONCE else f"{once[:80]}:{hashlib.sha256(once.encode()).hexdigest()}"


@contextmanager
def reader_locale(person: Person) -> Iterator[None]:
    """Meanwhile sentences and times are those of somebody’s language and zone."""
    with (
        translation.override(person.language or "fr"),
        timezone.override(time_zones.zone_named(person.time_zone)),
    ):
        yield


def tell_inviter(departure: OutboundEmail) -> None:
    """Whoever invited somebody by a mail that cannot arrive learns it, once; of another mail nobody does."""
    offer = EmailInvitation.objects.filter(mailbox=departure.reply_mailbox, answer="").first()
    if offer is None or offer.invited_by_id is None or departure.game is None:
        return
    once = f"invitation_undelivered:{offer.pk}"
    recipients.notify_about_game(
        departure.game, [offer.invited_by_id], "invitation_undelivered", once, offer=offer.pk
    )


# Why a mail never left, in a sentence.


def drop_reason_text(code: str) -> str:
    """The same for a code; "" for one without words."""
    return coded_sentence("dropped", code)


# To whom no mail is sent for a while: those to him came back, on several days.


@write_transaction
def record_bounce(person: Person, address: str, at: datetime, status: str = "") -> bool:
    """A mail to somebody’s address on file cannot be delivered; whether none is sent there from now on."""
    row, _new = BouncedAddress.objects.select_for_update().get_or_create(
        person=person, defaults={"address": address}
    )
    if row.address != address or _has_written(row):
        row.address, row.bounce_days, row.paused_at = address, [], None
    oldest = (at - BOUNCES_REMEMBERED).astimezone(UTC).date().isoformat()
    days = {day for day in row.bounce_days if day >= oldest} | {at.astimezone(UTC).date().isoformat()}
    row.bounce_days, row.status = sorted(days), status[:LONGEST_STATUS]
    begins = len(days) >= BOUNCE_DAYS and row.paused_at is None
    row.paused_at = at if begins else row.paused_at
    row.save()
    if begins:
        _tell(row)
    return row.paused_at is not None


def is_paused(person: Person, address: str) -> bool:
    """Whether nothing is sent to this address; it ends when he has another, or writes to us by mail."""
    row = BouncedAddress.objects.filter(person=person).exclude(paused_at=None).first()
    if row is None:
        return False
    if row.address == address and not _has_written(row):
        return True
    resume_sending(person)
    return False


@write_transaction
def resume_sending(person: Person) -> int:
    """Send to somebody again, also what was kept from him lately; how many mails that is."""
    if not BouncedAddress.objects.filter(person=person).delete()[0]:
        return 0
    now = timezone.now()
    kept = OutboundEmail.objects.filter(
        person=person, drop_reason=PAUSED_REASON, sent_at=None, created_at__gt=now - REVIVED_WITHIN
    )
    return kept.update(drop_reason="", due_at=now, attempts=0)


def _has_written(row: BouncedAddress) -> bool:
    """Whether a mail of his has come since it is so, or since the day when the last one to him came back."""
    since = row.paused_at or _after(row)
    theirs = InboundDelivery.objects.filter(mailbox__person=row.person_id, email__received_at__gt=since)
    written = theirs.exclude(mailbox__purpose=MailboxPurpose.BOUNCE)
    return written.exclude(outcome__in=AUTOMATIC_OUTCOMES).exists()


def _after(row: BouncedAddress) -> datetime:
    last = row.bounce_days[-1] if row.bounce_days else date.max.isoformat()
    return datetime.combine(date.fromisoformat(last), time.max, UTC)


def _tell(row: BouncedAddress) -> None:
    """On his page of news; and the game masters learn it of a power, not of him."""
    assert row.paused_at is not None
    once = f"{PAUSED_REASON}:{row.pk}:{row.paused_at.isoformat()}"
    outbox.notify([row.person_id], PAUSED_NOTICE, {}, about="", path=reverse("account_email"), once=once)
    open_now = MailSubscription.objects.filter(person=row.person_id, ended_at=None).select_related("game")
    for one in open_now.exclude(game__state__in=ENDED_STATES):
        for power in power_assignments.powers_played_by(one.game, row.person):
            masters = recipients.game_master_ids(one.game)
            recipients.notify_about_game(one.game, masters, UNREACHED_NOTICE, f"{once}:{power}", power=power)
