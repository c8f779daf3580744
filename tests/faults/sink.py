"""The world’s mail: a server that takes ours, in a process of its own, and whoever brings mail to us."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_string
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP

from talleyrand.web import crashing
from tests.web.mail.office import HOST, submit

SENDER = "flora@exemple.fr"
HALF = "mail out: half handed over"  # the one point that is not of our sources
LONG = 200  # bytes: no command is as long


@dataclass(frozen=True)
class Item:
    """A mail that was taken: for whom, and its bytes."""

    to: str
    data: str

    @property
    def number(self) -> str:
        return str(message_from_string(self.data)["Message-ID"])


@dataclass
class Sink:
    """Writes down all that it takes before it says so."""

    place: Path
    port: int
    _read: int = 0

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 its name
        with self.place.open("a", encoding="utf-8") as out:
            for to in envelope.rcpt_tos:
                out.write(json.dumps([to, envelope.content.decode("utf-8", "surrogateescape")]) + "\n")
        return "250 OK"

    def fresh(self) -> list[Item]:
        """What was taken since this was asked last."""
        if not self.place.exists():
            return []
        with self.place.open(encoding="utf-8") as lines:
            lines.seek(self._read)
            found = [Item(*json.loads(line)) for line in lines.readlines()]
            self._read = lines.tell()
        return found

    def serve(self, listening: socket.socket) -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        server = loop.create_server(lambda: SMTP(self, hostname=HOST, loop=loop), sock=listening)
        loop.run_until_complete(server)
        loop.run_forever()


@contextmanager
def opened(place: Path, listening: socket.socket) -> Iterator[Sink]:
    """A server on a socket that listens, as long as the block lasts."""
    sink = Sink(place, listening.getsockname()[1])
    pid = os.fork()
    if not pid:
        sink.serve(listening)
    try:
        yield sink
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def break_off() -> None:
    """From now on, in all that come of this process, a mail that leaves passes a point in its middle."""
    whole = smtplib.SMTP.send

    def send(line: smtplib.SMTP, told: Any) -> None:
        if isinstance(told, str) or len(told) < LONG:
            whole(line, told)
            return
        whole(line, told[: len(told) // 2])
        crashing.point(HALF)
        whole(line, told[len(told) // 2 :])

    setattr(smtplib.SMTP, "send", send)  # noqa: B010 mypy knows it as a method


def bring(port: int, to: str, mail: bytes) -> bool:
    """Whether the site has said 250."""
    try:
        return submit(port, to, mail, sender=SENDER).is_taken
    except (OSError, smtplib.SMTPException):
        return False
