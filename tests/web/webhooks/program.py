"""Somebody’s program: a real server on the loopback that keeps what it is sent, and answers as it is told."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.utils import timezone

from talleyrand.web.webhooks import webhook_actions, webhook_sending
from talleyrand.web.webhooks.models import Webhook, WebhookCall
from talleyrand.web.webhooks.webhook_actions import WebhookRequest
from tests.web.cast import person


@dataclass(frozen=True)
class Heard:
    """One request."""

    path: str
    head: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)

    @property
    def number(self) -> str:
        return self.head["webhook-id"]

    def is_signed(self, secret: str) -> bool:
        """As any library of standardwebhooks.com checks it."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.number}.{self.head['webhook-timestamp']}.".encode() + self.body
        mine = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        fresh = abs(time.time() - int(self.head["webhook-timestamp"])) < 3 * 24 * 3600
        return fresh and f"v1,{mine}" in self.head["webhook-signature"].split(" ")


@dataclass
class Program:
    """What was heard; `answer` is the whole of the next answers, or a function that writes them."""

    port: int = 0
    heard: list[Heard] = field(default_factory=list)
    status: int = 204
    said: bytes = b""
    head: dict[str, str] = field(default_factory=dict)
    raw: Callable[[Any], object] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/talleyrand?to=me"

    def kinds(self) -> list[str]:
        return [one.told["type"] for one in self.heard]


@contextmanager
def listening() -> Iterator[Program]:
    program = Program()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            head = {name.lower(): value for name, value in self.headers.items()}
            program.heard.append(Heard(self.path, head, body))
            if program.raw:
                program.raw(self.connection)
                return
            self.send_response(program.status)
            for name, value in {**program.head, "Content-Length": str(len(program.said))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(program.said)

        def log_message(self, *_told: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    program.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield program
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def hook(program: Program, name: str = "Flora", **wanted: Any) -> Webhook:
    """Somebody’s hook to a program of his."""
    submission = f"{name}-{Webhook.objects.count()}"
    made, _fresh = webhook_actions.add_webhook(
        person(name), WebhookRequest(program.address, **wanted), submission, timezone.now()
    )
    return made


def send(**later: float) -> int:
    """What the sweep does, now or later."""
    return webhook_sending.send_due_calls(timezone.now() + timedelta(**later))


def waiting() -> int:
    return WebhookCall.objects.filter(outcome="").count()
