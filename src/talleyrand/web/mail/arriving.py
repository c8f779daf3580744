"""Keeps a mail before anything else is done with it: whoever sent it hears that we have it once it lasts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.utils import timezone

from talleyrand.web.games import unread
from talleyrand.web.games.models import RUNNING
from talleyrand.web.games.writing import writing

from .models import Arrival, Door, Mailbox, Message

LARGEST = 10 * 1024 * 1024  # bytes
CROWD, WITHIN = 20, timedelta(minutes=1)  # arrivals for one address
OLDEST = timedelta(days=5)  # servers give up after that
LONGEST_ENVELOPE = 320
FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE)
TOLD_APART_BY = (b"message-id", b"date", b"from", b"subject")

Fields = Sequence[tuple[bytes, bytes]]


@writing
def keep(data: bytes, mailboxes: Iterable[Mailbox], envelope: str, received: datetime) -> Message:
    """Write a mail and that it came to these addresses of ours, in one transaction; the clocks of the games
    that it may bring orders for wait for it.
    """
    message = Message.objects.create(data=data, envelope=_clean(envelope), received=received)
    told = same(data, received)
    for mailbox in {one.pk: one for one in mailboxes}.values():
        _arrive(message, mailbox, told)
    return message


def _arrive(message: Message, mailbox: Mailbox, told: str) -> None:
    arrival = Arrival.objects.create(message=message, mailbox=mailbox, same=told)
    if mailbox.door == Door.ORDERS and mailbox.game is not None and mailbox.game.state in RUNNING:
        unread.expect(mailbox.game, key(arrival), message.received, message.kept)


def key(arrival: Arrival) -> str:
    """The name by which a game’s clock knows an arrival."""
    return f"mail:{arrival.pk}"


def is_crowded(mailbox: Mailbox, now: datetime | None = None) -> bool:
    """Whether so much came to an address within a minute that the next mail has to come again later."""
    since = (now or timezone.now()) - WITHIN
    return Arrival.objects.filter(mailbox=mailbox, message__kept__gt=since).count() >= CROWD


def received(data: bytes, now: datetime, hops: int) -> datetime:
    """When a mail was received by the first of `hops` servers of ours that it passed, by that one’s stamp:
    `now` without one, and for a stamp that is none, of the future or too old. Date headers are not asked.
    """
    stamps = [value for name, value in _fields(data) if name == b"received"]
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


def same(data: bytes, received: datetime) -> str:
    """The same for a mail that a server brings twice, to whichever of our addresses."""
    fields = [(name, value) for name, value in _fields(data) if name in TOLD_APART_BY]
    told = [b"%s:%s" % (name, b" ".join(value.split())) for name, value in sorted(fields)]
    if not any(name in (b"message-id", b"date") for name, _value in fields):
        told.append(received.isoformat().encode())  # nothing else tells a mail from the one before it
    return hashlib.sha256(b"\n".join((*told, b"", _halves(data)[1]))).hexdigest()


def _fields(data: bytes) -> Fields:
    """The headers, in their order, with their names in small letters."""
    return [(name.lower(), value.strip()) for name, value in FIELD.findall(_halves(data)[0])]


def _halves(data: bytes) -> tuple[bytes, bytes]:
    """Headers and body, with plain ends of lines."""
    head, _empty, body = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")
    return head, body


def _clean(envelope: str) -> str:
    """What any database keeps."""
    return envelope.encode("utf-8", "replace").decode().replace("\x00", "")[:LONGEST_ENVELOPE]
