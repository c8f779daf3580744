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

REPORT = """From: MAILER-DAEMON@mx.exemple.fr (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{number}@mx.exemple.fr>
Date: Fri, 06 Mar 2026 20:02:11 +0100
MIME-Version: 1.0
Auto-Submitted: auto-replied
Return-Path: <>
Content-Type: multipart/report; boundary="=_b1"; report-type=delivery-status

--=_b1
Content-Type: text/plain; charset=utf-8

This is the mail system at host mx.exemple.fr.

--=_b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.exemple.fr

Final-Recipient: rfc822; {failed}
Action: {action}
Status: {status}

--=_b1
Content-Type: text/rfc822-headers

From: Talleyrand <site@jeu.example.org>
X-Talleyrand-Departure: {token}
Subject: Le rapport

--=_b1--
"""


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
