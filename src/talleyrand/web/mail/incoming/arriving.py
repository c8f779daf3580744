"""Keeps a mail before anything else is done with it: whoever sent it hears that we have it once it lasts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.db.models.functions import Length
from django.utils import timezone

from talleyrand.web.crashing import point
from talleyrand.web.games import unread
from talleyrand.web.games.models import RUNNING
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.models import Arrival, Door, Mailbox, Message
from talleyrand.web.mail.reading import sameness

LARGEST = 11 * 1024 * 1024  # bytes: 10 MB, and what the servers on the way add
CROWD, WITHIN = 20, timedelta(minutes=1)  # arrivals for one address
ROOM, FILLED = 60 * 1024 * 1024, timedelta(days=1)  # bytes that come to all addresses of one person
OLDEST = timedelta(days=5)  # servers give up after that
LONGEST_ENVELOPE, LONGEST_HEAD = 320, 256 * 1024
STAMP = re.compile(rb"^received[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE | re.IGNORECASE)


def keep(data: bytes, mailboxes: Iterable[Mailbox], envelope: str, received: datetime) -> Message:
    """Write a mail and that it came to these addresses of ours, in one transaction; the clocks of the games
    that it may bring orders for wait for it.
    """
    same = sameness(data)  # looked for while nobody waits: in a large mail that takes seconds
    return _keep(data, same, mailboxes, envelope, received)


@writing
def _keep(data: bytes, same: str, mailboxes: Iterable[Mailbox], envelope: str, received: datetime) -> Message:
    message = Message.objects.create(data=data, envelope=_clean(envelope), received=received)
    point("mail in: message written")
    for mailbox in {one.pk: one for one in mailboxes}.values():
        _arrive(message, mailbox, same)
        point("mail in: arrival written")
    return message


def _arrive(message: Message, mailbox: Mailbox, same: str) -> None:
    arrival = Arrival.objects.create(message=message, mailbox=mailbox, same=same)
    if mailbox.door == Door.ORDERS and mailbox.game is not None and mailbox.game.state in RUNNING:
        unread.expect(mailbox.game, key(arrival), message.received, message.kept)


def key(arrival: Arrival) -> str:
    """The name by which a game’s clock knows an arrival."""
    return f"mail:{arrival.pk}"


def is_crowded(mailbox: Mailbox, now: datetime | None = None) -> bool:
    """Whether so much came to an address within a minute that the next mail has to come again later."""
    until = now or timezone.now()
    lately = (until - WITHIN, until)  # what a clock that was put back has kept since is none of it
    return Arrival.objects.filter(mailbox=mailbox, message__kept__range=lately).count() >= CROWD


def is_full(mailbox: Mailbox, now: datetime | None = None) -> bool:
    """Whether so much came to its owner within a day that the rest has to wait: mails are kept for months."""
    until = now or timezone.now()
    owned = {"person": mailbox.person} if mailbox.person else {"pk": mailbox.pk}
    boxes = Mailbox.objects.filter(**owned)
    lately = Message.objects.filter(arrivals__mailbox__in=boxes, kept__range=(until - FILLED, until))
    held = lately.distinct().annotate(size=Length("data")).values_list("size", flat=True)
    return sum(size or 0 for size in held) >= ROOM


def received(data: bytes, now: datetime, hops: int) -> datetime:
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
