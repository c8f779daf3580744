"""What the tests of accounts share: forms as a browser sends them, and a real mail server."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from django.test import Client

from tests.ports import free_port

PASSWORD = "trois mots et demi"
OTHER = "quatre mots bien à moi"
Response = Any  # the test client's answers know more than an HttpResponse


class Post:
    """Receives mail as any server does, and keeps it."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 its name
        self.received.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def last(self) -> EmailMessage:
        return self.received[-1]

    def text(self) -> str:
        return str(self.last().get_content())

    def link(self, number: int = -1) -> str:
        """The path of the link in a mail, the last one unless told."""
        text = str(self.received[number].get_content())
        found = re.search(r"http://testserver(/\S+)", text)
        assert found, text
        return found[1]


def listening(post: Post) -> Controller:
    return Controller(post, hostname="127.0.0.1", port=free_port())


def sign_up(client: Client, name: str, path: str = "/compte/inscription/", **more: str) -> Response:
    sent = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "zone": "Europe/Paris", **more}
    return client.post(path, sent)


def sign_in(client: Client, login: str, password: str = PASSWORD, **more: str) -> Response:
    return client.post("/compte/connexion/", {"login": login, "password": password, **more})


def is_in(client: Client) -> bool:
    return bool(client.get("/compte/").status_code == 200)


def plain(response: Response) -> str:
    """A page without what differs at each visit."""
    text = response.content.decode()
    return re.sub(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]*"', "", text)


def refusals(response: Response) -> list[str]:
    """The sentences beside the fields of a refused form."""
    lists = re.findall(r'<ul class="errorlist[^"]*"[^>]*>(.*?)</ul>', response.content.decode(), re.S)
    return [text for found in lists for text in re.findall(r"<li>(.*?)</li>", found)]
