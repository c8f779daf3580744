"""The mails of a person: his copy of them, what becomes of them with his account, and how long they last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.writing import writing

from .models import Arrival, Correspondent, Departure, Door, Mailbox, Message

Json = dict[str, Any]
KEPT, AFTER_GAME = timedelta(days=90), timedelta(days=30)  # mails as they came
DAY = timedelta(days=1)
SENT_KEPT = timedelta(days=30)  # the words of what was sent


def export(person: Person) -> Json:
    """What one wrote to the site and was sent by it, as far as it is kept."""
    came = Arrival.objects.filter(mailbox__person=person).select_related("message", "mailbox__game")
    sent = Departure.objects.filter(person=person).exclude(sent=None).select_related("game")
    games = Correspondent.objects.filter(person=person).order_by("pk")
    return {
        "by_post": list(games.values("game__key", "since", "until")),
        "received_from_you": [_came(arrival) for arrival in came.order_by("pk")],
        "sent_to_you": [_sent(departure) for departure in sent.order_by("pk")],
    }


def _came(arrival: Arrival) -> Json:
    box, message = arrival.mailbox, arrival.message
    return {
        "game": box.game.key if box.game else None,
        "to": {"door": box.door, "power": box.power, "room": box.to},
        "received": message.received,
        "outcome": arrival.outcome,
        "mail": bytes(message.data).decode("utf-8", "replace"),
    }


def _sent(departure: Departure) -> Json:
    told = ("kind", "power", "sender", "subject", "text", "sent")
    game = departure.game.key if departure.game else None
    return {"game": game, **{name: getattr(departure, name) for name in told}}


def told(person: Person) -> list[str]:
    """What he loses with his account."""
    if not Mailbox.objects.filter(person=person, revoked=None).exclude(door=Door.RETURN).exists():
        return []
    return [_("The addresses to which you write orders and letters stop working; your mails are deleted.")]


def left(person: Person) -> None:
    """Delete what was written to him and by him; his addresses open nothing any more."""
    _invited(person).delete()
    others = Arrival.objects.filter(message=OuterRef("pk")).exclude(mailbox__person=person)
    Message.objects.filter(~Exists(others), arrivals__mailbox__person=person).delete()
    Departure.objects.filter(person=person).delete()
    Mailbox.objects.filter(person=person).delete()


def _invited(person: Person) -> QuerySet[Mailbox]:
    """Invitations that he followed, or that went to an address of his: they hold it."""
    his = Q(offer__person=person) | Q(to__in=EmailAddress.objects.filter(user=person).values("email"))
    found = Mailbox.objects.filter(his, door=Door.JOIN)
    Departure.objects.filter(mailbox__in=found.values("pk"), person=None).delete()
    return found


BELONGINGS = Belongings("mails", export, told, left)


# how long they last


@dataclass
class Daily:
    """Prunes once a day, however often it is called."""

    _done: datetime | None = None

    def __call__(self, now: datetime) -> None:
        if self._done is None or abs(now - self._done) >= DAY:
            self._done = now  # also where it fails: there is time tomorrow
            prune(now)


@writing
def prune(now: datetime) -> int:
    """Delete the words of mails that are read, or sent, and old; how many. That they were is still known."""
    return _prune_messages(now) + _prune_departures(now)


def _prune_messages(now: datetime) -> int:
    lasting = Arrival.objects.filter(message=OuterRef("pk")).exclude(
        Q(sorted__lt=now - KEPT) | Q(sorted__isnull=False, mailbox__game__ended__lt=now - AFTER_GAME)
    )
    old = Message.objects.filter(~Exists(lasting)).exclude(data=b"")
    return old.update(data=b"", envelope="")


def _prune_departures(now: datetime) -> int:
    before = now - SENT_KEPT
    gone = Q(sent__lt=before) | Q(made__lt=before) & ~Q(dropped="")
    return Departure.objects.filter(gone).exclude(text="").update(text="", refusal="")
