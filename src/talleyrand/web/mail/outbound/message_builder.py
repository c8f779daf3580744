"""A mail as it leaves: headers made from nothing, so that they tell of nobody; the same bytes at each try."""

from __future__ import annotations

import binascii
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from email.header import Header
from email.utils import format_datetime, parseaddr

from django.conf import settings
from django.core.mail.message import sanitize_address
from django.urls import reverse

from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.parsing.quote_detection import REPLY_ABOVE
from talleyrand.web.notifications import outbox

CRLF = "\r\n"
WIDTH = 76
LETTER, NEWS = "letter", "news"  # kinds of departures
TOKEN_HEADER = "X-Talleyrand-Departure"  # noqa: S105 a header: by it a mail of ours is known that comes back
BEGINS_FROM = re.compile(rb"^From ", re.MULTILINE)
SPACES, ENDS_LINES = re.compile(r" {2,}"), ("Cc", "Cs", "Zl", "Zp")
ATOM = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True)
class BuiltEmail:
    """What is handed to a server: who is told if it cannot arrive, who gets it, and the mail."""

    envelope: str
    to: str
    data: bytes


def build_email(departure: OutboundEmail, to: str) -> BuiltEmail:
    """A departure on its way to an address. A box of our own is made for what comes back, if need be."""
    bare = sanitize_address(to, "utf-8")  # a domain of any letters in those that servers know
    head = "".join(f"{name}: {value}{CRLF}" for name, value in _headers(departure, bare))
    return BuiltEmail(
        _envelope(departure), bare, f"{head}{CRLF}".encode("ascii") + encode_body(_text(departure))
    )


def _text(departure: OutboundEmail) -> str:
    """What can be answered begins with the line above which one answers."""
    return f"{REPLY_ABOVE}\n\n{departure.text}" if departure.reply_mailbox_id else departure.text


def encode_body(text: str) -> bytes:
    """A text in quoted-printable: no server on the way changes anything of it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    kept = "".join(sign for sign in lines if sign in "\n\t" or unicodedata.category(sign) != "Cc")
    quoted = binascii.b2a_qp(kept.encode("utf-8", "replace"), istext=True)
    return BEGINS_FROM.sub(b"=46rom ", quoted).replace(b"\n", CRLF.encode())


def message_domain() -> str:
    """What our Message-IDs end with, and how we greet: never the name of the machine."""
    return settings.GAME_MAIL_DOMAIN or site_sender()[1].rpartition("@")[2] or "localhost"


def site_sender() -> tuple[str, str]:
    """The name and the address of the site as a sender."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)


def thread_id(thread: str) -> str:
    """What the mails of a thread all refer to; no mail has it."""
    plain = thread.replace(":", ".")
    atom = plain if ATOM.fullmatch(plain) else hashlib.sha256(thread.encode()).hexdigest()[:32]
    return f"<{atom}@{message_domain()}>"


def _headers(departure: OutboundEmail, to: str) -> Iterator[tuple[str, str]]:
    yield "Date", format_datetime(departure.created_at.astimezone(UTC))
    yield "From", _from_header(departure)
    yield "To", to
    yield "Subject", _words(departure.subject, "Subject")
    yield "Message-ID", f"<{departure.message_token}@{message_domain()}>"
    if departure.thread:
        yield "In-Reply-To", thread_id(departure.thread)
        yield "References", thread_id(departure.thread)
    if departure.kind != LETTER:
        yield "Auto-Submitted", "auto-generated"
    if departure.kind == NEWS and settings.SITE_URL:
        yield "List-Unsubscribe", f"<{preferences_url(departure)}>"
    if departure.unsubscribe_url:
        yield "List-Unsubscribe", f"<{departure.unsubscribe_url}>"
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    yield TOKEN_HEADER, departure.message_token
    yield "MIME-Version", "1.0"
    yield "Content-Type", "text/plain; charset=utf-8"
    yield "Content-Transfer-Encoding", "quoted-printable"


def preferences_url(departure: OutboundEmail) -> str:
    """The page where its reader says which news he wants."""
    language = departure.person.language if departure.person else settings.LANGUAGE_CODE
    return f"{settings.SITE_URL}{outbox.path_in_language(reverse('notices:choices'), language)}"


def _from_header(departure: OutboundEmail) -> str:
    name, address = site_sender()
    box = reply_mailbox(departure)
    if box is not None:
        address = mailboxes.mailbox_address(box)
    name = _sender(departure, name)
    if not name:
        return address
    phrase = _words(name, "From") if _is_encoded(name) else _quoted(name)
    return f"{phrase}{CRLF if len(phrase) + len(address) > WIDTH else ''} <{address}>"


def _sender(departure: OutboundEmail, site_name: str) -> str:
    """What stands before the address: never a name that somebody chose, without the site's own beside it.

    To whom the site does not know, the site writes.
    """
    chosen = _plain(departure.sender_name)
    if not chosen or departure.person_id is None:
        return site_name
    return f"{chosen} ({site_name})" if site_name else chosen


def reply_mailbox(departure: OutboundEmail) -> Mailbox | None:
    """The box that an answer goes to: where its address was renewed meanwhile, the new one."""
    box = departure.reply_mailbox
    if box is None or not settings.HAS_PLAY_BY_MAIL:
        return None
    if box.revoked_at is None:
        return box
    right = {"purpose": box.purpose, "game": box.game_id, "power": box.power, "target": box.target}
    mine = Mailbox.objects.filter(**right, revoked_at=None, person__isnull=False)
    return mine.filter(person=departure.person_id).first()


def _envelope(departure: OutboundEmail) -> str:
    """Where a server says that the mail cannot arrive: for each person, and each invitation, an address of
    its own.
    """
    person, offered = departure.person, departure.reply_mailbox_id
    if not settings.HAS_PLAY_BY_MAIL or (person is None and offered is None):
        return site_sender()[1]
    right = (None, person) if person is not None else (departure.game, None, "", str(offered))
    return mailboxes.mailbox_address(mailboxes.get_mailbox(MailboxPurpose.BOUNCE, *right))


def _words(text: str, name: str) -> str:
    plain = _plain(text)
    if not _is_encoded(plain):
        return plain  # on one line: a word that is longer than others would be folded before it
    return Header(plain, "utf-8", maxlinelen=WIDTH, header_name=name).encode(linesep=CRLF)


def _is_encoded(text: str) -> bool:
    """Whether words need RFC 2047; also those that only look as if they had it already."""
    return not text.isascii() or "=?" in text


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _plain(text: str) -> str:
    """Words on one line, without signs that end or hide it."""
    shown = "".join(sign if unicodedata.category(sign) not in ENDS_LINES else " " for sign in text)
    return SPACES.sub(" ", shown).strip()
