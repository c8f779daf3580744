"""The world’s mail: a server that takes ours, in a process of its own, and whoever brings mail to us."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_string
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP

from talleyrand.web.common import failpoints
from tests.web.mail.office import HOST, submit

SENDER = "flora@exemple.fr"
MAIL, HOOK, PUSH = "mail", "hook", "push"
NUMBERS = {HOOK: "webhook-id", PUSH: "topic"}  # the header by which a receiver knows two calls as one
HALF = "mail out: half handed over"  # the one point that is not of our sources
LONG = 200  # bytes: no command is as long


@dataclass(frozen=True)
class Item:
    """What was taken by a channel: for whom, under which number, and its bytes."""

    channel: str
    to: str
    number: str
    data: str


@dataclass
class Sink:
    """Writes down all that it takes before it says so: mails, and calls by HTTP."""

    place: Path
    post: socket.socket
    web: socket.socket
    _read: int = 0

    def write(self, *told: str) -> None:
        with self.place.open("a", encoding="utf-8") as out:
            out.write(json.dumps(told) + "\n")

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 its name
        told = envelope.content.decode("utf-8", "surrogateescape")
        for to in envelope.rcpt_tos:
            self.write(MAIL, to, str(message_from_string(told)["Message-ID"]), told)
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

    def serve(self) -> None:
        threading.Thread(target=self._serve_web, daemon=True).start()
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        server = loop.create_server(lambda: SMTP(self, hostname=HOST, loop=loop), sock=self.post)
        loop.run_until_complete(server)
        loop.run_forever()

    def _serve_web(self) -> None:
        write = self.write

        class Program(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                channel = self.path.strip("/")
                write(channel, self.path, self.headers[NUMBERS[channel]], body.decode("latin-1"))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                return

        server = HTTPServer((HOST, 0), Program, bind_and_activate=False)
        server.socket.close()
        server.socket = self.web
        server.serve_forever()


@contextmanager
def opened(place: Path, post: socket.socket, web: socket.socket) -> Iterator[Sink]:
    """A server on sockets that listen, as long as the block lasts."""
    sink = Sink(place, post, web)
    pid = os.fork()
    if not pid:
        sink.serve()
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
        failpoints.failpoint(HALF)
        whole(line, told[len(told) // 2 :])

    setattr(smtplib.SMTP, "send", send)  # noqa: B010 mypy knows it as a method


def bring(port: int, to: str, mail: bytes) -> bool:
    """Whether the site has said 250."""
    try:
        return submit(port, to, mail, sender=SENDER).is_taken
    except (OSError, smtplib.SMTPException):
        return False
