"""Orders that come by mail, for tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import ProcessingResult
from talleyrand.web.mail.mailed_orders import order_mail
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing.parsed_email import LeftOut, MessageClass, ParsedEmail
from tests.web.cast import PLAYERS, person
from tests.web.mail.correspondents import address_of

_numbers = count(1)


def box(game: Game, power: str = "FRANCE", name: str = "") -> Mailbox:
    """The address of somebody’s orders."""
    return mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person(name or PLAYERS[power]), power)


def arrival(game: Game, power: str = "FRANCE", at: datetime | None = None, name: str = "") -> InboundDelivery:
    """A mail to that address, received an hour after the phase opened or at another time."""
    fresh = Game.objects.get(pk=game.pk)
    received = at or (fresh.phase_opened_at or fresh.created_at) + timedelta(hours=1)
    message = InboundEmail.objects.create(raw_bytes=b"", received_at=received)
    return InboundDelivery.objects.create(
        email=message, mailbox=box(game, power, name), content_digest=f"mail {next(_numbers)}"
    )


def own_address(person: Person) -> str:
    """An address that somebody has, and writes from."""
    known = EmailAddress.objects.filter(user=person).first()
    return str((known or EmailAddress.objects.create(user=person, email=address_of(person.name))).email)


def take(
    row: InboundDelivery, text: str, subject: str = "", left: tuple[LeftOut, ...] = ()
) -> ProcessingResult:
    """What comes of it, in the language of whoever wrote it."""
    row = InboundDelivery.objects.get(pk=row.pk)
    assert row.mailbox.person is not None
    with email_queue.reader_locale(row.mailbox.person):
        return order_mail.process_orders(
            row,
            ParsedEmail(
                MessageClass.PERSONAL,
                text=text,
                subject=subject,
                left_out=left,
                addresses=(own_address(row.mailbox.person),),
            ),
        )


def sent(
    game: Game, text: str, subject: str = "", left: tuple[LeftOut, ...] = (), **more: Any
) -> ProcessingResult:
    """A mail that has just come."""
    return take(arrival(game, **more), text, subject, left)


def settled(row: InboundDelivery, result: ProcessingResult) -> InboundDelivery:
    """An arrival with its outcome written, as the sorting does it."""
    InboundDelivery.objects.filter(pk=row.pk).update(outcome=result.outcome, facts=dict(result.facts))
    return InboundDelivery.objects.get(pk=row.pk)
