"""Mails that wait to leave, for the tests of sending."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import random_token
from talleyrand.web.mail.models import OutboundEmail, SendLock
from talleyrand.web.mail.outbound import email_queue

from .correspondents import correspond

TEXT = "Bonjour,\n\nle résultat est publié.\n"


def waiting(person: Person | str = "Flora", **more: Any) -> OutboundEmail:
    """A mail in the outbox, to somebody of the cast with an address unless told otherwise."""
    to = correspond(person) if isinstance(person, str) else person
    once = f"essai:{random_token()}"
    told = {"kind": "report", "subject": "Le résultat", "text": TEXT, **more}
    kind, subject, text = (told.pop(name) for name in ("kind", "subject", "text"))
    assert email_queue.queue_email(to, kind, once, subject, text, **told)
    return OutboundEmail.objects.get(idempotency_key=once)


def fresh(row: OutboundEmail) -> OutboundEmail:
    return OutboundEmail.objects.get(pk=row.pk)


def later(**length: float) -> datetime:
    """A moment to come."""
    return timezone.now() + timedelta(**length)


def open_gate() -> None:
    """As if the time had passed for which the server was left alone."""
    SendLock.objects.update(closed_until=None)
