"""Mails that wait to leave, for the tests of sending."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import secret
from talleyrand.web.mail.models import Departure, Gate
from talleyrand.web.mail.outgoing import departing

from .correspondents import correspond

TEXT = "Bonjour,\n\nle résultat est publié.\n"


def waiting(person: Person | str = "Flora", **more: Any) -> Departure:
    """A mail in the outbox, to somebody of the cast with an address unless told otherwise."""
    to = correspond(person) if isinstance(person, str) else person
    once = f"essai:{secret()}"
    told = {"kind": "report", "subject": "Le résultat", "text": TEXT, **more}
    kind, subject, text = (told.pop(name) for name in ("kind", "subject", "text"))
    assert departing.queue(to, kind, once, subject, text, **told)
    return Departure.objects.get(once=once)


def fresh(row: Departure) -> Departure:
    return Departure.objects.get(pk=row.pk)


def later(**length: float) -> datetime:
    """A moment to come."""
    return timezone.now() + timedelta(**length)


def open_gate() -> None:
    """As if the time had passed for which the server was left alone."""
    Gate.objects.update(opens=None)
