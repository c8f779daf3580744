"""A post office: a real mail server on the loopback that keeps what it is given, or refuses it; and a real
dialogue with any other server.
"""

from __future__ import annotations

import asyncio
import smtplib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from talleyrand.web.settings.mail_server import SENDS
from tests.waiting import wait_until

SITE = "Talleyrand <site@jeu.example.org>"
HOST = "127.0.0.1"
ALWAYS = 1_000_000
PASSWORD = "le mot de passe du relais"


@dataclass(frozen=True)
class Item:
    """A mail that was taken: its envelope, its bytes with CRLF, when, and how its sender greeted."""

    envelope: str
    to: tuple[str, ...]
    data: bytes
    at: datetime
    greeting: str

    @property
    def mail(self) -> EmailMessage:
        return message_from_bytes(self.data, policy=policy.default)

    @property
    def text(self) -> str:
        return str(self.mail.get_content()).replace("\r\n", "\n")

    @property
    def head(self) -> list[tuple[str, str]]:
        """The headers as they stand in the bytes, folded lines joined."""
        lines = self.data.partition(b"\r\n\r\n")[0].decode("ascii").replace("\r\n ", " ").split("\r\n")
        return [(name, value.strip()) for name, _colon, value in (line.partition(":") for line in lines)]


@dataclass
class Refusal:
    """What to answer at a stage, `times` times, to those to `to` alone where that is said."""

    stage: str
    reply: str
    to: str = ""
    times: int = ALWAYS

    def fits(self, stage: str, addresses: Sequence[str]) -> bool:
        wanted = not self.to or self.to.lower() in [one.lower() for one in addresses]
        return self.stage == stage and wanted and self.times > 0


@dataclass
class Office:
    """Keeps mails in `items`; `connections` counts those who came. All of it is for one test.

    `drops` cuts the line of so many senders after a mail was kept and before they are told; `pause` is how
    many seconds each mail takes.
    """

    items: list[Item] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    drops: int = 0
    pause: float = 0.0
    greetings: list[str] = field(default_factory=list)
    port: int = 0

    def refuse(
        self, stage: str, reply: str = "550 5.1.1 Nobody here", to: str = "", times: int = ALWAYS
    ) -> None:
        """Answer `reply` from now on at "EHLO", "MAIL", "RCPT" or "DATA"."""
        self.refusals.append(Refusal(stage, reply, to, times))

    def heal(self) -> None:
        """Take everything again."""
        self.refusals.clear()
        self.drops, self.pause = 0, 0.0

    def to(self, address: str) -> list[Item]:
        """What an address has received."""
        return [item for item in self.items if address.lower() in [one.lower() for one in item.to]]

    def wait(self, count: int, seconds: float = 60.0) -> list[Item]:
        """All, once there are so many."""
        wait_until(
            lambda: len(self.items) >= count, lambda: f"{len(self.items)} mails of {count}", patience=seconds
        )
        return self.items

    @property
    def settings(self) -> dict[str, Any]:
        """Django’s, of a site that sends here."""
        return {
            "EMAIL_BACKEND": SENDS,
            "EMAIL_HOST": HOST,
            "EMAIL_PORT": self.port,
            "EMAIL_HOST_USER": "",
            "EMAIL_HOST_PASSWORD": "",
            "EMAIL_USE_TLS": False,
            "EMAIL_USE_SSL": False,
            "EMAIL_TIMEOUT": 10,
            "DEFAULT_FROM_EMAIL": SITE,
            "HAS_MAIL": True,
        }

    # what aiosmtpd calls

    async def handle_EHLO(  # noqa: N802 its name
        self, _server: Any, session: Any, _envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        self.greetings.append(hostname)
        session.host_name = hostname
        refused = self._refused("EHLO", [])
        return [refused] if refused else responses

    async def handle_HELO(  # noqa: N802 its name
        self, _server: Any, session: Any, _envelope: Any, hostname: str
    ) -> str:
        self.greetings.append(hostname)
        session.host_name = hostname
        return self._refused("EHLO", []) or "250 Post office"

    async def handle_MAIL(  # noqa: N802 its name
        self, _server: Any, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        refused = self._refused("MAIL", [address])
        if refused:
            return refused
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 its name
        self, _server: Any, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        refused = self._refused("RCPT", [address])
        if refused:
            return refused
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 its name
        if self.pause:
            await asyncio.sleep(self.pause)
        refused = self._refused("DATA", envelope.rcpt_tos)
        if refused:
            return refused
        self.items.append(
            Item(
                envelope.mail_from or "",
                tuple(envelope.rcpt_tos),
                envelope.original_content,
                datetime.now(UTC),
                session.host_name,
            )
        )
        if self.drops > 0:
            self.drops -= 1
            server.transport.abort()
        return "250 OK"

    def _refused(self, stage: str, addresses: Sequence[str]) -> str:
        for refusal in self.refusals:
            if refusal.fits(stage, addresses):
                refusal.times -= 1
                return refusal.reply
        return ""


class _Server(Controller):
    """On a port that the machine chooses."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        super()._trigger_server()  # type: ignore[no-untyped-call]


def _checked(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
    """Nobody has to sign in; who does needs the password."""
    return AuthResult(success=given.password == PASSWORD.encode(), handled=False)


@contextmanager
def open_office(port: int = 0) -> Iterator[Office]:
    """A post office for a while."""
    found = Office()
    server = _Server(
        found, hostname=HOST, port=port, ident="Post office", authenticator=_checked, auth_require_tls=False
    )
    server.start()
    found.port = server.port
    found.greetings.clear()  # the server has greeted itself
    try:
        yield found
    finally:
        server.stop()


@pytest.fixture
def office(settings: Any) -> Iterator[Office]:
    """A post office that the site sends to."""
    with open_office() as found:
        for name, value in found.settings.items():
            setattr(settings, name, value)
        yield found


# handing in a mail


@dataclass
class Taken:
    """What a server answered, as (code, text): to the sender, to each recipient, and after the mail.

    `data` has one answer over SMTP, one for each recipient that was taken over LMTP, none where all were
    refused.
    """

    sender: tuple[int, str] = (0, "")
    rcpt: dict[str, tuple[int, str]] = field(default_factory=dict)
    data: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_taken(self) -> bool:
        """Whether the server has answered for the mail, for every recipient."""
        codes = [code for code, _text in (*self.rcpt.values(), *self.data)]
        return bool(self.data) and all(code == 250 for code in codes)


def submit(
    port: int,
    to: str | Sequence[str],
    mail: bytes | str,
    *,
    sender: str = "quelqu.un@exemple.fr",
    lmtp: bool = False,
    hello: str = "relais.exemple.fr",
    **headers: str,
) -> Taken:
    """Hand a mail in at a port of this machine: `mail` is a raw one, or the text of one that is made here.

    `headers` are those of a mail that is made, with "_" for "-": `subject="Ordres"`, `in_reply_to="<1@x>"`.
    """
    addresses = [to] if isinstance(to, str) else list(to)
    raw = mail if isinstance(mail, bytes) else written(addresses, mail, sender=sender, **headers)
    kind = smtplib.LMTP if lmtp else smtplib.SMTP
    with kind(HOST, port, local_hostname=hello) as line:
        line.ehlo_or_helo_if_needed()
        taken = Taken(sender=_told(line.mail(sender, _options(line, raw))))
        if taken.sender[0] == 250:
            taken.rcpt = {address: _told(line.rcpt(address)) for address in addresses}
            accepted = sum(code == 250 for code, _text in taken.rcpt.values())
            if accepted:
                taken.data = [_told(line.data(raw))]
                taken.data += [_told(line.getreply()) for _ in range(accepted - 1) if lmtp]
    return taken


def written(to: Sequence[str], text: str, *, sender: str, **headers: str) -> bytes:
    """A mail as a simple program writes it, with CRLF."""
    mail = EmailMessage(policy=policy.SMTP)
    given = {name.replace("_", "-").title(): value for name, value in headers.items()}
    first = {
        "From": str(Address(addr_spec=sender)) if sender else "",
        "To": ", ".join(to),
        "Subject": "",
        "Date": datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S +0000"),
        "Message-ID": f"<{time.time_ns()}@exemple.fr>",
    }
    for name, value in {**first, **given}.items():
        if value:
            mail[name] = value
    mail.set_content(text)
    return mail.as_bytes()


def _options(line: smtplib.SMTP, raw: bytes) -> list[str]:
    eight = any(byte > 127 for byte in raw) and line.has_extn("8bitmime")
    size = [f"SIZE={len(raw)}"] if line.has_extn("size") else []
    return [*size, *(["BODY=8BITMIME"] if eight else [])]


def _told(answer: tuple[int, bytes]) -> tuple[int, str]:
    return answer[0], answer[1].decode("utf-8", "replace")
