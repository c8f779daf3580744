"""Puts a mail into the outbox, inside the transaction of what it tells."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone, translation

from talleyrand.web import background
from talleyrand.web.accounts import email_addresses, time_zones
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.games.models import Game
from talleyrand.web.mail.models import Mailbox, OutboundEmail

BREAKS = re.compile(r"[ \t\r\n\v\f\x00]+")
LONGEST_ONCE, LONGEST_SUBJECT, LONGEST_SENDER = 160, 250, 160


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
            "due_at": due or timezone.now(),
        },
    )
    failpoint("mail out: queued")
    if made and due is None:
        background.run_soon("mail")
    return made


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
