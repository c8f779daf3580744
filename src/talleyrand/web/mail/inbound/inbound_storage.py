"""Keeps a mail before anything else is done with it: whoever sent it hears that we have it once it lasts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.db.models.functions import Length
from django.utils import timezone

from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import unread_email_orders
from talleyrand.web.games.models import RUNNING_STATES
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose
from talleyrand.web.mail.parsing import content_digest

LARGEST = 11 * 1024 * 1024  # bytes: 10 MB, and what the servers on the way add
CROWD, WITHIN = 20, timedelta(minutes=1)  # arrivals for one address
ROOM, FILLED = 60 * 1024 * 1024, timedelta(days=1)  # bytes that come to all addresses of one person
OLDEST = timedelta(days=5)  # servers give up after that
LONGEST_ENVELOPE, LONGEST_HEAD = 320, 256 * 1024
STAMP = re.compile(rb"^received[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE | re.IGNORECASE)


def store_email(data: bytes, mailboxes: Iterable[Mailbox], envelope: str, received: datetime) -> InboundEmail:
    """Write a mail and that it came to these addresses of ours, in one transaction; the clocks of the games
    that it may bring orders for wait for it.
    """
    same = content_digest(data)  # looked for while nobody waits: in a large mail that takes seconds
    return _keep(data, same, mailboxes, envelope, received)


@write_transaction
def _keep(
    data: bytes, same: str, mailboxes: Iterable[Mailbox], envelope: str, received: datetime
) -> InboundEmail:
    message = InboundEmail.objects.create(
        raw_bytes=data, envelope_sender=_clean(envelope), received_at=received
    )
    failpoint("mail in: message written")
    for mailbox in {one.pk: one for one in mailboxes}.values():
        _arrive(message, mailbox, same)
        failpoint("mail in: arrival written")
    return message


def _arrive(message: InboundEmail, mailbox: Mailbox, same: str) -> None:
    arrival = InboundDelivery.objects.create(email=message, mailbox=mailbox, content_digest=same)
    if (
        mailbox.purpose == MailboxPurpose.ORDERS
        and mailbox.game is not None
        and mailbox.game.state in RUNNING_STATES
    ):
        unread_email_orders.wait_for_orders(
            mailbox.game, delivery_key(arrival), message.received_at, message.stored_at
        )


def delivery_key(arrival: InboundDelivery) -> str:
    """The name by which a game’s clock knows an arrival."""
    return f"mail:{arrival.pk}"


def is_crowded(mailbox: Mailbox, now: datetime | None = None) -> bool:
    """Whether so much came to an address within a minute that the next mail has to come again later."""
    until = now or timezone.now()
    lately = (until - WITHIN, until)  # what a clock that was put back has kept since is none of it
    return InboundDelivery.objects.filter(mailbox=mailbox, email__stored_at__range=lately).count() >= CROWD


def is_full(mailbox: Mailbox, now: datetime | None = None) -> bool:
    """Whether so much came to its owner within a day that the rest has to wait: mails are kept for months."""
    until = now or timezone.now()
    owned = {"person": mailbox.person} if mailbox.person else {"pk": mailbox.pk}
    boxes = Mailbox.objects.filter(**owned)
    lately = InboundEmail.objects.filter(
        arrivals__mailbox__in=boxes, stored_at__range=(until - FILLED, until)
    )
    held = lately.distinct().annotate(size=Length("raw_bytes")).values_list("size", flat=True)
    return sum(size or 0 for size in held) >= ROOM


def received_at(data: bytes, now: datetime, hops: int) -> datetime:
    """When a mail was received by the first of `hops` servers of ours that it passed, by that one’s stamp:
    `now` without one, and for a stamp that is none, of the future or too old. Date headers are not asked.
    """
    stamps = _stamps(data)
    if not 0 < hops <= len(stamps):
        return now
    stamp = _time(stamps[hops - 1])
    return stamp if stamp is not None and now - OLDEST <= stamp <= now else now


def _time(stamp: bytes) -> datetime | None:
    written = stamp.rpartition(b";")[2].decode("ascii", "replace")
    try:
        found = parsedate_to_datetime(written)
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _stamps(data: bytes) -> list[bytes]:
    """What the servers on the way wrote, the last one’s first."""
    head = data[:LONGEST_HEAD].replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")[0]
    return STAMP.findall(head)


def _clean(envelope: str) -> str:
    """What any database keeps."""
    return envelope.encode("utf-8", "replace").decode().replace("\x00", "")[:LONGEST_ENVELOPE]
