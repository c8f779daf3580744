"""A push service on this machine, as browsers' makers run them, and a browser that reads what it gets."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid

AGENT = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser:
    """Has keys of its own, and tells a site where it is told."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.shared = b"sixteen bytes.ok"

    def subscription(self) -> dict[str, Any]:
        forms = serialization
        point = self.private.public_key().public_bytes(
            forms.Encoding.X962, forms.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": text(point), "auth": text(self.shared)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        data = http_ece.decrypt(body, private_key=self.private, auth_secret=self.shared, version="aes128gcm")
        found: dict[str, Any] = json.loads(data)
        return found


@dataclass
class Message:
    """One POST that the service took."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Service:
    """Takes every message; `answers`: the statuses of the next ones, before it is well again."""

    address: str = ""
    taken: list[Message] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    elsewhere: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def browser(self, name: str = "one") -> Browser:
        return Browser(f"{self.address}/{name}")

    def answer(self, message: Message) -> int:
        with self.lock:
            self.taken.append(message)
            return self.answers.pop(0) if self.answers else 201

    def to(self, browser: Browser) -> list[dict[str, Any]]:
        """What a browser was sent, read."""
        path = urlsplit(browser.endpoint).path
        return [browser.read(one.body) for one in self.taken if one.path == path]


def claims(message: Message, key: str) -> dict[str, Any]:
    """What the sender says of himself, if `key` has signed it."""
    header = message.headers["authorization"]
    assert Vapid.verify(header)
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert parts["k"] == key
    body = parts["t"].split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return found


@contextmanager
def serving() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told = {name.lower(): value for name, value in self.headers.items()}
            status = service.answer(Message(self.path, told, body))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", service.elsewhere)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
