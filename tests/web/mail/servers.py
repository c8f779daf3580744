"""The server of the games’ mail, on the loopback, and clients that say whatever a test wants."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import smtp_server
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose
from tests.waiting import PATIENCE
from tests.web.cast import person


@contextmanager
def listening(**more: Any) -> Iterator[int]:
    """A server for a while; its port."""
    place = socket.create_server(("127.0.0.1", 0))
    with smtp_server.running_mail_server(place, **more):
        yield place.getsockname()[1]


class Line:
    """A connection on which a test sends bytes and reads replies."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def send(self, sent: bytes) -> None:
        self.socket.sendall(sent)

    def reply(self) -> str:
        """The lines of one reply; "" once the other side has closed."""
        lines = []
        while line := self.file.readline().decode():
            lines.append(line.rstrip())
            if line[3:4] != "-":
                break
        return "\n".join(lines)

    def say(self, command: str) -> str:
        self.send(f"{command}\r\n".encode())
        return self.reply()

    def begin(self, *recipients: str, hello: str = "EHLO relais.exemple.fr") -> str:
        """Up to the answer to DATA."""
        self.reply()
        for command in (hello, "MAIL FROM:<flora@exemple.fr>", *(f"RCPT TO:<{one}>" for one in recipients)):
            assert self.say(command).startswith("250")
        return self.say("DATA")


def box(
    game: Any,
    power: str = "FRANCE",
    name: str = "Flora",
    door: MailboxPurpose = MailboxPurpose.ORDERS,
    to: str = "",
) -> Mailbox:
    return mailboxes.get_mailbox(door, game, person(name), power, to)


def kept() -> list[bytes]:
    """What arrived, in its order."""
    return [bytes(one.email.raw_bytes) for one in InboundDelivery.objects.order_by("pk")]
