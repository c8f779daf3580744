"""What happens on a site from one moment to the next, each by a process that may end in the middle of it.

A deed is done with the hour of its post; where it was not acknowledged, whoever asked for it asks again with
the same key, as browsers and mail servers do. Done twice, it is done once.
"""

from __future__ import annotations

import json
import os
import re
import socket
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone

from tests.web.cast import PLAYERS, client_of
from tests.web.mail.office import HOST, written

from . import accounts
from .forks import STOP, Ended, Fuse, Say, fork
from .sink import SENDER, bring

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
GRACE = HOUR  # of the game's deadlines
ACKNOWLEDGED = re.compile(r"nº\s(\d+)\b.*?\b([0-9a-f]{8})\b", re.DOTALL)


@dataclass
class Moment:
    """When a deed is done: the post's clock begins at `post`, and `tries` were cut off before this one."""

    site: str
    post: timedelta
    tries: int = 0
    is_last: bool = False
    is_wrong: bool = False

    @property
    def hour(self) -> datetime:
        """When the post looks: a claim that somebody left has ended by the next try; the last one comes
        when it looks at everybody again.
        """
        return timezone.now() + self.post + (61 * MINUTE if self.is_last else 7 * MINUTE * self.tries)


@dataclass
class Deed:
    """Something that somebody wants done in phase `number`; `facts` are what was acknowledged of it, and
    `found` is what the site holds after its last moment.
    """

    number: int
    key: str
    facts: list[Any] = field(default_factory=list)
    found: Any = field(default=None, repr=False)

    @property
    def is_acknowledged(self) -> bool:
        return bool(self.facts)

    def begin(self, moment: Moment) -> None:
        """What has to be known, or done, before anybody dies."""

    def do(self, moment: Moment, fuse: Fuse | None = None) -> Ended:
        """Ask for it if need be, and do what is due then."""

        def work(say: Say) -> None:
            if not self.is_acknowledged:
                say(self.asked())
            self.sweep(moment)
            self.settle(moment, say)

        return self.heard(moment, fork(moment.site, work, fuse))

    def settle(self, moment: Moment, say: Say) -> None:
        """What every process does in the end."""
        turn_post(moment)
        if moment.is_last:
            accounts.told(say)

    def heard(self, moment: Moment, ended: Ended) -> Ended:
        if moment.is_last:
            self.found = ended.said.pop()
        self.facts += [one for one in ended.said if one]
        return ended

    def together(self, moment: Moment, others: int, fuse: Fuse | None = None) -> Ended:
        """Have it done while so many others believe that they are alone with it; how the first of them ended.

        Nobody asks twice at once, but clocks and posts look at the same moment; whoever stands still has
        lost his claims meanwhile. Every other one looks at games by a clock that is slow by an hour.
        """

        def work(_say: Say) -> None:
            self.sweep(moment)
            turn_post(moment)

        def meanwhile() -> None:
            if others:
                self.together(
                    replace(moment, tries=moment.tries + stands, is_wrong=others % 2 == 0), others - 1
                )

        stands = fuse is not None and fuse.how == STOP
        return fork(moment.site, work, fuse, meanwhile)

    def asked(self) -> Any:
        """What one is answered."""
        return None

    def sweep(self, moment: Moment) -> None:
        """What a clock does."""


@dataclass
class Sheet(Deed):
    """Somebody hands in a sheet, on the page of his power or by the door of the inbox."""

    power: str = ""
    lines: tuple[str, ...] = ()
    action: str = "hand_in"

    def asked(self) -> Any:
        from talleyrand.web.games.models import Game

        game = Game.objects.get()
        address = f"/parties/{game.key}/{self.number}/orders/{self.power}/"
        sent = {"action": self.action, "lines": {self.power: list(self.lines)}, "submission": self.key}
        answer = browser(PLAYERS[self.power]).post(address, json.dumps(sent), "application/json")
        told = answer.json()
        assert answer.status_code == 200, told
        receipt = ACKNOWLEDGED.search(told["message"])
        assert receipt, told["message"]
        return {"sheet": [self.number, self.power, int(receipt[1]), receipt[2], list(self.lines)]}


@dataclass
class Handed(Sheet):
    """A sheet by the door that pages, mail and interfaces share."""

    def asked(self) -> Any:
        from talleyrand.web.games import order_submission
        from talleyrand.web.games.models import Game

        found = order_submission.submit_orders(
            Game.objects.get(),
            self.power,
            self.lines,
            number=self.number,
            key=self.key,
            origin="text",
            at=timezone.now(),
        )
        return {"sheet": [self.number, self.power, found.receipt_number, found.digest[:8], found.lines]}


@dataclass
class Draft(Sheet):
    """Somebody prepares orders and hands in nothing: at the deadline they count."""

    def asked(self) -> Any:
        from talleyrand.web.games import order_submission
        from talleyrand.web.games.models import Game

        order_submission.change_draft(
            Game.objects.get(), self.power, self.number, lambda *_: {self.power: list(self.lines)}
        )
        return {"draft": self.power}


@dataclass
class Letter(Deed):
    """Somebody writes a letter on the page of letters."""

    text: str = ""

    def asked(self) -> Any:
        from talleyrand.web.games.models import Game
        from tests.web.press.post import opening

        sent = {"text": self.text, "submission": self.key}
        answer = browser("Edmond").post(opening(Game.objects.get(), "FRANCE"), sent)
        assert answer.status_code in (302, 303), answer.status_code
        return {"letter": self.text}


@dataclass
class Deadline(Deed):
    """The hour of a phase: a clock looks, and others after it, until the grace is over."""

    due: datetime | None = None

    def begin(self, moment: Moment) -> None:
        """An hour before, those who have handed in nothing are told; else a slow clock might do it later."""
        from talleyrand.web.games import deadline_clock
        from talleyrand.web.games.models import Game

        def work(say: Say) -> None:
            due = Game.objects.get().deadline
            assert due is not None
            deadline_clock.check_due_games(due - HOUR)
            turn_post(moment)
            say(due.isoformat())

        (found,) = fork(moment.site, work).said
        self.due = datetime.fromisoformat(found)

    def sweep(self, moment: Moment) -> None:
        from talleyrand.web.games import deadline_clock

        assert self.due is not None
        deadline_clock.check_due_games(
            self.due + 2 * SECOND + 40 * SECOND * moment.tries - HOUR * moment.is_wrong
        )
        if moment.is_last:
            deadline_clock.check_due_games(self.due + GRACE + 2 * SECOND + 40 * SECOND)
            deadline_clock.check_due_games(self.due + GRACE + 2 * MINUTE)


@dataclass
class Mail(Deed):
    """Somebody sends a mail: his server brings it until it has heard 250."""

    door: str = "orders"
    text: str = ""
    to: str = ""
    data: bytes = b""

    def begin(self, moment: Moment) -> None:
        def work(say: Say) -> None:
            say(address_for(self.door))

        ((self.to, subject),) = fork(moment.site, work).said
        self.data = written([self.to], self.text, sender=SENDER, subject=subject)

    def do(self, moment: Moment, fuse: Fuse | None = None) -> Ended:
        if self.is_acknowledged:
            return super().do(moment, fuse)
        listening = socket.create_server((HOST, 0))
        port = listening.getsockname()[1]
        hear, speak = os.pipe()

        def work(say: Say) -> None:
            from talleyrand.web.mail.inbound import smtp_server

            os.close(speak)
            with smtp_server.running_mail_server(listening):
                os.read(hear, 1)
            self.settle(moment, say)

        def meanwhile() -> None:
            os.close(hear)
            listening.close()
            if bring(port, self.to, self.data):
                self.facts.append({"mail": self.text})
            os.close(speak)

        return self.heard(moment, fork(moment.site, work, fuse, meanwhile))


@cache
def handler() -> ClientHandler:
    """What answers the pages, made once before so many processes come of this one."""
    found = ClientHandler(enforce_csrf_checks=False)
    found.load_middleware()
    return found


def browser(name: str) -> Client:
    """Somebody’s, who is signed in."""
    found = client_of(name)
    found.handler = handler()
    return found


def address_for(door: str) -> tuple[str, str]:
    """Where Flora’s mail of a kind goes, and what its subject says of the phase."""
    from talleyrand.web.games.models import Game
    from talleyrand.web.mail import mailboxes
    from talleyrand.web.mail.mailed_orders import order_parsing
    from talleyrand.web.mail.models import MailboxPurpose
    from tests.web.cast import person

    game, to = Game.objects.get(), ["ITALY"] if door == "letter" else []
    box = mailboxes.get_mailbox(MailboxPurpose(door), game, person("Flora"), "FRANCE", *to)
    return mailboxes.mailbox_address(box), order_parsing.subject_tag(game)


def turn_post(moment: Moment) -> None:
    """Read what has come, gather what is to be told, send what is to leave by any channel."""
    from talleyrand.web.mail.inbound import inbound_processing
    from talleyrand.web.mail.outbound import email_sending
    from talleyrand.web.mail.subscriptions import subscription_sweep
    from talleyrand.web.push import push_sending as pushing
    from talleyrand.web.webhooks import webhook_sending as calling

    hour = moment.hour
    inbound_processing.process_due_mail(hour)
    subscription_sweep.queue_due_mail(hour)
    for sends in (email_sending.send_due_emails, calling.send_due_calls, pushing.send_due_pushes):
        while sends(hour):  # each gives way to other work after some seconds
            pass
