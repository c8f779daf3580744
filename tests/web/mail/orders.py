"""Orders that come by mail, for tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count
from typing import Any

from talleyrand.web.games.models import Game
from talleyrand.web.mail import addressing
from talleyrand.web.mail.models import Arrival, Door, Mailbox, Message
from talleyrand.web.mail.orders import ordering
from talleyrand.web.mail.outcomes import Result
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.mail.reading.mail import LeftOut, Mail, Nature
from tests.web.cast import PLAYERS, person

_numbers = count(1)


def box(game: Game, power: str = "FRANCE", name: str = "") -> Mailbox:
    """The address of somebody’s orders."""
    return addressing.mailbox(Door.ORDERS, game, person(name or PLAYERS[power]), power)


def arrival(game: Game, power: str = "FRANCE", at: datetime | None = None, name: str = "") -> Arrival:
    """A mail to that address, received an hour after the phase opened or at another time."""
    fresh = Game.objects.get(pk=game.pk)
    received = at or (fresh.opened or fresh.created) + timedelta(hours=1)
    message = Message.objects.create(data=b"", received=received)
    return Arrival.objects.create(
        message=message, mailbox=box(game, power, name), same=f"mail {next(_numbers)}"
    )


def take(row: Arrival, text: str, subject: str = "", left: tuple[LeftOut, ...] = ()) -> Result:
    """What comes of it, in the language of whoever wrote it."""
    row = Arrival.objects.get(pk=row.pk)
    assert row.mailbox.person is not None
    with departing.speaking(row.mailbox.person):
        return ordering.take(row, Mail(Nature.PERSONAL, text=text, subject=subject, left=left))


def sent(game: Game, text: str, subject: str = "", left: tuple[LeftOut, ...] = (), **more: Any) -> Result:
    """A mail that has just come."""
    return take(arrival(game, **more), text, subject, left)


def settled(row: Arrival, result: Result) -> Arrival:
    """An arrival with its outcome written, as the sorting does it."""
    Arrival.objects.filter(pk=row.pk).update(outcome=result.outcome, facts=dict(result.facts))
    return Arrival.objects.get(pk=row.pk)
