"""The mails of a person: his copy of them, what becomes of them with his account, and how long they last."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData
from talleyrand.web.common.transactions import write_transaction

from .models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose, MailSubscription, OutboundEmail

Json = dict[str, Any]
KEPT, AFTER_GAME = timedelta(days=90), timedelta(days=30)  # mails as they came
SENT_KEPT = timedelta(days=30)  # the words of what was sent


def export_mail(person: Person) -> Json:
    """What one wrote to the site and was sent by it, as far as it is kept."""
    came = InboundDelivery.objects.filter(mailbox__person=person).select_related("email", "mailbox__game")
    sent = OutboundEmail.objects.filter(person=person).exclude(sent_at=None).select_related("game")
    games = MailSubscription.objects.filter(person=person).order_by("pk")
    return {
        "by_post": [
            {"game__key": one.game.key, "since": one.started_at, "until": one.ended_at}
            for one in games.select_related("game")
        ],
        "received_from_you": [_came(arrival) for arrival in came.order_by("pk")],
        "sent_to_you": [_outbound_json(departure) for departure in sent.order_by("pk")],
    }


def _came(arrival: InboundDelivery) -> Json:
    box, message = arrival.mailbox, arrival.email
    return {
        "game": box.game.key if box.game else None,
        "to": {"door": box.purpose, "power": box.power, "room": box.target},
        "received": message.received_at,
        "outcome": arrival.outcome,
        "mail": bytes(message.raw_bytes).decode("utf-8", "replace"),
    }


def _outbound_json(departure: OutboundEmail) -> Json:
    return {
        "game": departure.game.key if departure.game else None,
        "kind": departure.kind,
        "power": departure.power,
        "sender": departure.sender_name,
        "subject": departure.subject,
        "text": departure.text,
        "sent": departure.sent_at,
    }


def mail_deletion_notes(person: Person) -> list[str]:
    """What he loses with his account."""
    if (
        not Mailbox.objects.filter(person=person, revoked_at=None)
        .exclude(purpose=MailboxPurpose.BOUNCE)
        .exists()
    ):
        return []
    return [_("Your email addresses for orders and messages stop working, and your emails are deleted.")]


def delete_mail_of(person: Person) -> None:
    """Delete what was written to him and by him; his addresses open nothing any more."""
    _invited(person).delete()
    others = InboundDelivery.objects.filter(email=OuterRef("pk")).exclude(mailbox__person=person)
    InboundEmail.objects.filter(~Exists(others), arrivals__mailbox__person=person).delete()
    OutboundEmail.objects.filter(person=person).delete()
    Mailbox.objects.filter(person=person).delete()


def _invited(person: Person) -> QuerySet[Mailbox]:
    """Invitations that he followed, or that went to an address of his: they hold it."""
    his = Q(offer__person=person) | Q(target__in=EmailAddress.objects.filter(user=person).values("email"))
    found = Mailbox.objects.filter(his, purpose=MailboxPurpose.INVITATION)
    OutboundEmail.objects.filter(reply_mailbox__in=found.values("pk"), person=None).delete()
    return found


PERSONAL_DATA = PersonalData("mails", export_mail, mail_deletion_notes, delete_mail_of)


# how long they last


@write_transaction
def prune_mail(now: datetime) -> int:
    """Delete the words of mails that are read, or sent, and old; how many. That they were is still known."""
    return _prune_messages(now) + _prune_departures(now)


def _prune_messages(now: datetime) -> int:
    lasting = InboundDelivery.objects.filter(email=OuterRef("pk")).exclude(
        Q(processed_at__lt=now - KEPT)
        | Q(processed_at__isnull=False, mailbox__game__ended_at__lt=now - AFTER_GAME)
    )
    old = InboundEmail.objects.filter(~Exists(lasting)).exclude(raw_bytes=b"")
    return old.update(raw_bytes=b"", envelope_sender="")


def _prune_departures(now: datetime) -> int:
    before = now - SENT_KEPT
    gone = Q(sent_at__lt=before) | Q(created_at__lt=before) & ~Q(drop_reason="")
    return OutboundEmail.objects.filter(gone).exclude(text="").update(text="", server_reply="")
