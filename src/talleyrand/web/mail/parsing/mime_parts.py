"""Cuts a mail into its parts: in one pass for each storey, however it is nested or damaged.

The parser of the standard library knows no bounds, and a storey of a hostile mail costs it a frame of the
stack; so it only keeps the headers here.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses

from .charsets import DECODED, decode_text, decode_transfer

LARGEST = 12 << 20
LONGEST_TEXT = 1 << 19  # octets of one text
MOST_PARTS, DEEPEST = 300, 12
MOST_HEADERS, MOST_FOLDS, LONGEST_HEADER, LONGEST_PARAMETERS = 1000, 1000, 20_000, 4000
DAMAGE = (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError)

_HEADER = re.compile(rb"[\x21-\x39\x3b-\x7e]{1,200}[ \t]*:")
_USUAL = frozenset(
    {"from", "to", "cc", "date", "subject", "message-id", "received", "return-path", "content-type", "sender"}
    | {"mime-version", "reply-to"}
)
_NEEDED = re.compile(rb"(?:content-[a-z-]{1,40}|mime-version)[ \t]*:", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class MimePart:
    """Headers and, still encoded, what stands under them."""

    headers: Message
    body: bytes

    @property
    def kind(self) -> str:
        """Its content type in small letters: "text/plain" where it says none."""
        return self.headers.get_content_type()

    def parameter(self, name: str, header: str = "content-type") -> str:
        """A parameter of a header, decoded; "" where there is none, or it is damaged."""
        try:
            value = self.headers.get_param(name, "", header)
        except DAMAGE:
            return ""
        if isinstance(value, tuple):
            value = _extended(value)
        return decode_header_words(str(value or ""))

    @property
    def is_attached(self) -> bool:
        return self.headers.get("Content-Disposition", "").strip().lower().startswith("attachment")

    @property
    def file_name(self) -> str:
        """The last part of its file’s name; "" for none."""
        name = self.parameter("filename", "content-disposition") or self.parameter("name")
        name = _BLANKS.sub(" ", re.split(r"[/\\]", name)[-1]).strip()
        return "".join(letter for letter in name if letter.isprintable())[:200]

    @property
    def encoding(self) -> str:
        return self.headers.get("Content-Transfer-Encoding", "").partition(";")[0].strip().lower()

    @property
    def is_decodable(self) -> bool:
        """RFC 2045, 6.4: a body in an unknown encoding is no text."""
        return self.encoding in DECODED

    def text(self) -> str:
        """What it says, with "\\n" at the ends of lines."""
        data = decode_transfer(self.body[: 2 * LONGEST_TEXT], self.encoding)[:LONGEST_TEXT]
        return decode_text(data, self.parameter("charset"))

    def children(self) -> list[MimePart]:
        """Its parts, without those that are too many; none where no border is found."""
        border = self.parameter("boundary").rstrip()
        if not border:
            return []
        return [parse_part(piece) for piece in _between(self.body, border.encode("utf-8", "replace"))]

    def values(self, name: str) -> list[str]:
        """The values of all headers of a name, on one line each, decoded."""
        return [decode_header_words(value) for value in self.headers.get_all(name, [])]

    def value(self, name: str) -> str:
        """The first of them; "" where there is none."""
        return next(iter(self.values(name)), "")

    def people(self, *names: str) -> list[tuple[str, str]]:
        """Names and addresses that stand in headers."""
        written = [value for name in names for value in self.headers.get_all(name, [])]
        try:
            found = getaddresses([", ".join(written)[:LONGEST_HEADER]])
        except DAMAGE:
            return []
        return [
            (decode_header_words(name), address.strip().lower()) for name, address in found[:MOST_HEADERS]
        ]


def parse_mime(raw: bytes) -> MimePart:
    """A mail; one without any header that mails have is all body."""
    data = _with_plain_ends(raw[:LARGEST]).lstrip(b"\n")
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    part = parse_part(data)
    if _USUAL.isdisjoint(name.lower() for name in part.headers):
        return MimePart(Message(), data)
    return part


def parse_part(data: bytes) -> MimePart:
    """The headers of a part and its body; the first line that is no header ends them."""
    headers = Message()
    at, name = 0, ""
    value: list[bytes] = []
    for start, line in _lines(data):
        at = start
        if line[:1] in (b" ", b"\t") and name and line.strip():
            value += [line.strip()] if len(value) < MOST_FOLDS else []
            continue
        _add(headers, name, value)
        name = ""
        if not _HEADER.match(line):
            if line.strip() and _is_slip(data, start + len(line) + 1):
                continue
            at += len(line) + 1 if not line.strip() else 0
            break
        written, _, first = line.partition(b":")
        name, value = written.decode("ascii").strip(), [first.strip()]
    else:
        _add(headers, name, value)
        at = len(data)
    return MimePart(headers, data[at:])


def _is_slip(data: bytes, behind: int) -> bool:
    """Whether a line that is no header stands before one that says how to read the rest."""
    return _NEEDED.match(data, behind) is not None


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield at, data[at:end]
        at = end + 1


def _add(headers: Message, name: str, value: list[bytes]) -> None:
    longest = LONGEST_PARAMETERS if name.lower().startswith("content-") else LONGEST_HEADER
    if name and len(headers) < MOST_HEADERS:
        text = decode_text(b" ".join(value)[:longest], "utf-8")
        headers[name] = _BLANKS.sub(" ", text)


def _with_plain_ends(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    return re.sub(rb"(?<!\r)\r+\n", b"\n", data) if b"\n" in data else data.replace(b"\r", b"\n")


def _between(body: bytes, border: bytes) -> Iterator[bytes]:
    """What stands between lines that are borders; a last border that is missing is made good."""
    pieces = (b"\n" + body).split(b"\n--" + border, 4 * MOST_PARTS)
    held: list[bytes] = []
    for piece in pieces[1:]:
        line, _, rest = piece.partition(b"\n")
        mark = line.strip()
        if mark not in (b"", b"--"):  # the border of another storey begins with these letters
            held += [b"\n--", border, piece] if held else []
            continue
        if held:
            yield b"".join(held)
        if mark:
            return
        held = [rest]
    if held:
        yield b"".join(held)


def decode_header_words(value: str) -> str:
    """A header’s value with its encoded words decoded, on one line."""
    if "=?" in value:
        with contextlib.suppress(*DAMAGE):
            value = "".join(_word(*piece) for piece in decode_header(value))
    return _BLANKS.sub(" ", value.replace("\x00", "")).strip()


def _word(word: str | bytes, charset: str | None) -> str:
    return word if isinstance(word, str) else decode_text(word, charset or "")


def _extended(value: tuple[str | None, str | None, str]) -> str:
    """A parameter in the manner of RFC 2231."""
    charset, _language, text = value
    return decode_text(text.encode("latin-1", "replace"), charset or "")
