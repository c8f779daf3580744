"""Takes mail to the games, by SMTP or LMTP: only to addresses of ours, and only once it is kept.

Whatever goes wrong here is answered so that the sender’s server tries again later.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from ipaddress import ip_network
from typing import Any, TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import connection
from django.utils import timezone

from talleyrand.web.common import network
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mailboxes import NoMailbox
from talleyrand.web.mail.models import Mailbox

from . import inbound_storage

CONNECTIONS, FROM_ONE = 100, 20  # at once: in all, from one address other than this machine’s
RECIPIENTS = 50
COMMANDS = 1000  # of one kind in one connection
IDLE = 300.0  # seconds; RFC 5321, 4.5.3.2.7
LONGEST_DATA = 600.0  # seconds for a whole mail
LONGEST = 1800.0  # seconds for all that is said in one connection
UNHEARD = 5.0  # seconds in which whoever is hung up on may read what was said to him
HELD = 128 * 1024 * 1024  # bytes of mails that are not kept yet, of all connections together
SMALL = 256 * 1024  # of one mail: so much is heard however much the others have sent
FLOOD = 3 * inbound_storage.LARGEST  # of one mail: whoever sends more is not heard out
LAST_WORDS = 5.0  # seconds for what is being kept when the server stops
LONGEST_LINE = 64 * 1024  # what is read at once: the lines of a mail may be longer


def _reply(code: str, french: str, english: str) -> str:
    """A reply in both languages, in letters that every server knows."""
    return f"{code[:3]}-{code[4:]} {french}\r\n{code} {english}"


UNKNOWN = _reply("550 5.1.1", "Pas de telle adresse ici.", "There is no such address here.")
REVOKED = _reply(
    "550 5.7.1",
    "Cette adresse ne sert plus. La nouvelle est sur la page de la partie.",
    "This address is no longer in use. The new one is on the game's page.",
)
CROWDED = _reply("451 4.7.1", "Trop de courriels en une minute.", "Too many mails in a minute: try later.")
TOO_MANY = _reply("452 4.5.3", "Trop de destinataires.", "Too many recipients.")
NOBODY = _reply("554 5.5.1", "Aucun destinataire.", "There are no recipients.")
TOO_LARGE = _reply("552 5.3.4", "Courriel trop gros : 10 Mo au plus.", "Mail too large: 10 MB at most.")
FULL = _reply("452 4.3.1", "Plus de place ici pour le moment.", "There is no room here now: try later.")
TROUBLE = _reply("451 4.3.0", "Ennui passager ici.", "Passing trouble here: try later.")
BUSY = _reply("421 4.3.2", "Trop de connexions.", "Too many connections: try later.")
CLOSING = _reply("421 4.3.2", "Le serveur ferme.", "The server is closing: try later.")
OFF = _reply("502 5.5.1", "Commande hors service.", "This command is off.")
KEPT = "250 2.0.0 OK"

Found = TypeVar("Found")
Kept = Callable[[], None]

logger = logging.getLogger(__name__)
# What strangers say is no news, and our addresses are secrets.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


class _MailEnvelope(Envelope):
    """An envelope with the mailboxes that it is for: one for each recipient."""

    def __init__(self) -> None:
        super().__init__()
        self.mailboxes: list[Mailbox] = []


class _RecipientHandler:
    """Answers for the site: what aiosmtpd asks at each step."""

    async def handle_RCPT(  # noqa: N802 its name
        self, _server: SMTP, _session: Session, letter: _MailEnvelope, address: str, _options: list[str]
    ) -> str:
        if len(letter.mailboxes) >= RECIPIENTS:
            return TOO_MANY
        found = await _in_thread(_recipient, address)
        if not isinstance(found, Mailbox):
            return found
        letter.mailboxes.append(found)
        letter.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        logger.error("a mail was not taken", exc_info=error)
        return _trouble(error)


def _recipient(address: str) -> Mailbox | str:
    """The mailbox of a recipient, or why it takes nothing now."""
    try:
        found = mailboxes.office_mailbox(address) or mailboxes.find_mailbox(address)
    except NoMailbox as refusal:
        return REVOKED if refusal.code == "revoked" else UNKNOWN
    except Exception as error:
        logger.exception("an address could not be looked up")
        return _trouble(error)
    if inbound_storage.is_full(found):
        return FULL
    return CROWDED if inbound_storage.is_crowded(found) else found


def _keep(letter: _MailEnvelope, data: bytes, now: datetime) -> str:
    """Keep a mail; the answer to its sender."""
    failpoint("mail in: data heard")
    try:
        at = inbound_storage.received_at(data, now, settings.GAME_MAIL_HOPS)
        inbound_storage.store_email(data, letter.mailboxes, _sender(letter), at)
    except Exception as error:
        logger.exception("a mail could not be kept")
        return _trouble(error)
    return KEPT


def _sender(letter: _MailEnvelope) -> str:
    found = letter.mail_from or ""
    return "" if found == "<>" else found


def _trouble(error: BaseException) -> str:
    """Whether there was no room, or something else."""
    told = str(error).lower()
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return FULL if full or "is full" in told or "no space left" in told else TROUBLE


async def _in_thread(work: Callable[..., Found], *given: Any) -> Found:
    """Work with the database outside of the loop, on a connection that is given back."""

    def done() -> Found:
        try:
            return work(*given)
        finally:
            connection.close()

    return await asyncio.to_thread(done)


class SmtpConnection(SMTP):
    """One connection."""

    line_length_limit = LONGEST_LINE

    def __init__(self, reception: MailServer, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            reception.desk,
            data_size_limit=inbound_storage.LARGEST,
            enable_SMTPUTF8=True,
            hostname=settings.GAME_MAIL_DOMAIN,
            ident="Talleyrand",
            timeout=IDLE,
            command_call_limit=COMMANDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            loop=loop,
        )
        self.reception = reception
        self.is_keeping = False
        self.held = 0  # bytes of the mail that is being heard
        self._refused = False
        self._end: asyncio.TimerHandle | None = None

    def _create_envelope(self) -> Envelope:
        return _MailEnvelope()

    def connection_made(self, transport: Any) -> None:
        self._refused = not self.reception.admit(self, transport)
        if self._refused:
            transport.write(f"{BUSY}\r\n".encode())
            transport.close()
            return
        self._end = self.reception.after(LONGEST, self._timeout_cb)
        super().connection_made(transport)

    def _timeout_cb(self) -> None:
        """Hang up, even on whoever reads nothing: a line that is closed waits until all is read."""
        assert isinstance(self.transport, asyncio.WriteTransport)
        self.transport.close()
        if self._end is not None:
            self._end.cancel()
        self._end = self.reception.after(UNHEARD, self.transport.abort)

    def connection_lost(self, error: Exception | None) -> None:
        self.reception.release(self)
        if self._end is not None:
            self._end.cancel()
        if not self._refused:
            super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._refused else super().eof_received()

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 its name
        """Take a mail. Unlike the library’s: no line is too long, what is too much is not held in memory,
        and LMTP has an answer for each recipient.
        """
        letter = self.envelope
        assert isinstance(letter, _MailEnvelope)
        if arg or not letter.mailboxes:
            await self.push("501 Syntax: DATA" if arg else NOBODY)
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        self._reset_timeout(LONGEST_DATA)
        data = await self._content()
        reply = TOO_LARGE if data is None else await self._stored_reply(letter, data)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        failpoint("mail in: before 250")
        await self._answer(letter, reply)
        failpoint("mail in: 250 said")

    async def _content(self) -> bytes | None:
        """A mail up to the line with a dot alone, None for one that is too large. A line ends with CR LF and
        nothing else: two servers never disagree on where a mail ends (“SMTP smuggling”).
        """
        data = bytearray()
        try:
            is_whole = await self._heard(data)
        except asyncio.CancelledError:
            data.clear()  # what is cancelled keeps its frames, and what they hold, for a while
            raise
        return bytes(data) if is_whole else None

    async def _heard(self, data: bytearray) -> bool:
        """Hear a mail to its end; False where it is too large, and `data` less than all of it."""
        size, begins = 0, True
        while (piece := await self._piece()) != b".\r\n" or not begins:
            size += len(piece)
            if size > FLOOD:
                self.hang_up(TOO_LARGE)
            if size > inbound_storage.LARGEST:
                data.clear()
            else:
                data += piece[1:] if begins and piece.startswith(b".") else piece
            self.reception.count_bytes(self, len(data))
            if self._writer.is_closing():  # it was hung up on: what has come already is not heard either
                raise asyncio.CancelledError
            begins = piece.endswith(b"\r\n")
        return size <= inbound_storage.LARGEST

    async def _piece(self) -> bytes:
        """A line, or as much of a long one as is there."""
        try:
            return await self._reader.readuntil(b"\r\n")
        except asyncio.LimitOverrunError as long:
            return await self._reader.read(long.consumed)

    async def _stored_reply(self, letter: _MailEnvelope, data: bytes) -> str:
        self.is_keeping = True
        try:
            reply = await _in_thread(_keep, letter, data, timezone.now())
        finally:
            self.is_keeping = False
            self.reception.count_bytes(self, 0)
        if reply == KEPT:
            self.reception.on_stored()
        return reply

    async def _answer(self, _letter: _MailEnvelope, reply: str) -> None:
        await self.push(reply)

    def hang_up(self, reply: str) -> None:
        """Say so, and hear no more of its mail, which is forgotten at once."""
        assert self._handler_coroutine is not None
        self._writer.write(f"{reply}\r\n".encode())
        self._handler_coroutine.cancel()
        self._timeout_cb()

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802 its name
        """Nobody is told which addresses there are."""
        await self.push(OFF)

    async def smtp_EXPN(self, _arg: str | None) -> None:  # noqa: N802 its name
        await self.push(OFF)

    def close(self) -> None:
        """Say goodbye to whoever is not waiting for an answer."""
        if self.transport is not None and not self.is_keeping and not self._writer.is_closing():
            self._writer.write(f"{CLOSING}\r\n".encode())
            self.transport.close()


class LmtpConnection(SmtpConnection, LMTP):
    """One connection of a mail server that delivers here: it hears of each recipient."""

    async def _answer(self, letter: _MailEnvelope, reply: str) -> None:
        for _mailbox in letter.mailboxes:
            await self.push(reply)


class MailServer:
    """A server in a thread of its own; `on_stored` is called after each mail that was kept."""

    def __init__(self, listening: socket.socket, *, lmtp: bool = False, kept: Kept = lambda: None) -> None:
        self.listening = listening
        self.kind = LmtpConnection if lmtp else SmtpConnection
        self.on_stored = kept
        self.desk = _RecipientHandler()
        self._open: dict[SmtpConnection, str] = {}
        self._held = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="smtp", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No new connections; what is being kept is kept and answered."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(2 * LAST_WORDS)

    def admit(self, one: SmtpConnection, transport: asyncio.Transport) -> bool:
        """Whether there is room for a connection, which is counted then."""
        place = _place(transport.get_extra_info("peername"))
        from_there = Counter(self._open.values())[place]
        if len(self._open) >= CONNECTIONS or (place and from_there >= FROM_ONE):
            return False
        self._open[one] = place
        return True

    def release(self, one: SmtpConnection) -> None:
        self._open.pop(one, None)
        self.count_bytes(one, 0)

    def count_bytes(self, one: SmtpConnection, size: int) -> None:
        """So many bytes of its mail are in memory now. Where that is too much of all together, whoever takes
        most of it is hung up on: the largest mail that is being heard from the address that has sent most.
        """
        self._held += size - one.held
        one.held = size
        if self._held <= HELD:
            return
        shares: Counter[str | SmtpConnection] = Counter()
        for other, place in self._open.items():
            shares[place or other] += other.held  # behind a server of this machine each is somebody else
        heard = [other for other in self._open if other.held > SMALL and not other.is_keeping]
        if heard:
            largest = max(heard, key=lambda other: (shares[self._open[other] or other], other.held))
            self.count_bytes(largest, 0)
            largest.hang_up(FULL)

    def after(self, seconds: float, work: Callable[[], object]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, work)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            logger.exception("the server of mail has stopped")
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _serve(self) -> None:
        server = await _begun(self._loop, lambda: self.kind(self, self._loop), self.listening)
        await self._stop.wait()
        server.close()
        for one in list(self._open):
            one.close()
        await self._end()

    async def _end(self) -> None:
        """Wait a little for those who are being answered; the others’ servers try again."""
        end = self._loop.time() + LAST_WORDS
        while self._open and self._loop.time() < end:
            for one in list(self._open):
                one.close()
            await asyncio.sleep(0.05)
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _begun(
    loop: asyncio.AbstractEventLoop, factory: Callable[[], SmtpConnection], listening: socket.socket
) -> asyncio.Server:
    if listening.family == socket.AF_UNIX:
        return await loop.create_unix_server(factory, sock=listening)
    return await loop.create_server(factory, sock=listening)


def _place(peer: Any) -> str:
    """The address of whoever is there, as the site's pages count them; "" for this machine, on which the mail
    server before us may be.
    """
    address = network.client_network(str(peer[0])) if isinstance(peer, tuple) and peer else ""
    return "" if address and ip_network(address).is_loopback else address


@contextmanager
def running_mail_server(
    listening: socket.socket, *, lmtp: bool = False, kept: Kept = lambda: None
) -> Iterator[MailServer]:
    """Meanwhile mail is taken on a socket that listens."""
    reception = MailServer(listening, lmtp=lmtp, kept=kept)
    reception.start()
    try:
        yield reception
    finally:
        reception.stop()
