"""Cuts a mail into its parts: in one pass for each storey, however it is nested or damaged.

The parser of the standard library knows no bounds, and a storey of a hostile mail costs it a frame of the
stack; so it only keeps the headers here.
"""

from __future__ import annotations

import binascii
import codecs
import contextlib
import quopri
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import NamedTuple

from .phrase_lists import any_of
from .text_folding import fold

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

# What a mail names that does not belong to text (rot13, zlib), or takes ages (punycode), is not looked up.
_KNOWN = re.compile(
    r"utf-(?:7|8|16|16-be|16-le|32|32-be|32-le)|ascii|iso8859-\d+|cp(?:125\d|437|85\d|86\d|874|93\d|949|950)"
    r"|koi8-[rtu]|mac-[a-z-]+|gb2312|gbk|gb18030|big5|big5hkscs|shift_jis\w*|euc_\w+|iso2022_\w+|hz|johab|tis-620"
)
_LATIN = frozenset({"ascii", "iso8859-1", "cp1252", "utf-8"})
_NAME = re.compile(r"[\w.:-]{1,40}", re.ASCII)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")
# Neither lines nor blanks; what a file may hold and no keyboard writes.
_CONTROLS: dict[int, int | None] = dict.fromkeys(
    [*range(9), *range(14, 28), 31, 127, *range(128, 133), *range(134, 160), 0xFEFF, 0xFFFE], None
)
_CONTROLS |= dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)  # halves of pairs, which UTF-7 lets pass

UUENCODED = frozenset({"x-uuencode", "uuencode", "x-uue", "uue"})
DECODED = UUENCODED | {"quoted-printable", "base64", "", "7bit", "8bit", "binary"}

MOST = 100
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_PLAIN = re.compile(r"^\s*<?([^\s<>:]{1,64}@[^\s<>:]{1,253})>?\s*(?::|$)", re.MULTILINE)
_DELAYED = re.compile(any_of("delayed"))
_COPY = re.compile(
    r"^.{0,20}(?:copy of (?:the|your) message|original message|below this line|message d'origine)",
    re.MULTILINE | re.IGNORECASE,
)


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


# From bytes to characters, whatever a mail says of itself.


def decode_text(data: bytes, charset: str) -> str:
    """The characters of some text, with "\\n" at the ends of lines; what is damaged is U+FFFD."""
    text = without_controls(_characters(data, _known(charset)))
    return text if "\r" not in text else re.sub(r"(?<!\r)\r+\n", "\n", text)


def without_controls(text: str) -> str:
    """Text without what no database and no screen takes."""
    return text.translate(_CONTROLS)


def _characters(data: bytes, charset: str) -> str:
    """What is UTF-8 by its octets is so, whatever was declared, and the rest was written on Windows."""
    if charset and charset not in _LATIN:
        return data.decode(charset, "replace")
    return data.decode("utf-8", _WINDOWS)


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """The octet that is no UTF-8, alone: damage to one letter must not change the others."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    at = error.start
    return error.object[at : at + 1].decode("cp1252", "replace"), at + 1


_WINDOWS = "talleyrand.windows"
codecs.register_error(_WINDOWS, _as_windows)


def _known(charset: str) -> str:
    """How the library calls a charset; "" for what it does not know, or should not."""
    charset = charset.strip().strip("'\"")
    if not _NAME.fullmatch(charset):
        return ""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError, ImportError):
        return ""
    return name if _KNOWN.fullmatch(name) else ""


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """A body without its transfer encoding, as far as it is whole."""
    if encoding == "quoted-printable":
        return quopri.decodestring(data)
    if encoding == "base64":
        return _base64(data)
    if encoding in UUENCODED:
        return _uuencoded(data)
    return data


def _base64(data: bytes) -> bytes:
    """Up to the first filling sign: what a list appended behind it is no base64."""
    bare = _NOT_BASE64.sub(b"", data).partition(b"=")[0]
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))


def _uuencoded(data: bytes) -> bytes:
    lines = iter(data.splitlines())
    if not any(line.startswith(b"begin ") for line in lines):
        return b""
    return b"".join(_uuencoded_line(line) for line in lines if line.strip() not in (b"end", b"`", b""))


def _uuencoded_line(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        return b""


# Whom a mail did not reach, as the server says that sends it back.


class BounceReport(NamedTuple):
    """Addresses, each once, and the code of the first reason given."""

    failed: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()
    status: str = ""
    is_told: bool = True
    """False where all that is said is that it arrived."""


def parse_bounce(part: MimePart, text: str) -> BounceReport:
    """From the part made for machines; where there is none, from a header, then from the words."""
    for report in _reports(part):
        found = _from_report(report)
        if found.failed or found.delayed or not found.is_told:
            return found
    status = _STATUS.search(text)
    named = _ADDRESS.findall(" ".join(part.values("X-Failed-Recipients")))
    named = named or _PLAIN.findall(_COPY.split(text[:20_000])[0])
    addresses = _once(named)
    late = _DELAYED.search(fold(part.value("Subject"))) is not None
    return BounceReport(() if late else addresses, addresses if late else (), status[0] if status else "")


def _reports(part: MimePart) -> Iterator[bytes]:
    for child in part.children()[:MOST]:
        if child.kind in ("message/delivery-status", "message/global-delivery-status"):
            data = decode_transfer(child.body[:LONGEST_TEXT], child.encoding)
            yield data


def _from_report(report: bytes) -> BounceReport:
    failed: list[str] = []
    delayed: list[str] = []
    actions: list[str] = []
    status = ""
    for block in re.split(rb"\n[ \t]*\n", report.strip(), maxsplit=MOST):
        fields = parse_part(block.lstrip(b"\n") + b"\n")
        action = fields.value("Action").lower()
        addresses = _recipients(fields)
        if not addresses:
            continue
        actions.append(action)
        if action in ("failed", ""):
            failed += addresses
        elif action == "delayed":
            delayed += addresses
        found = _STATUS.search(fields.value("Status"))
        status = status or (found[0] if found and action in ("failed", "delayed", "") else "")
    is_told = not actions or bool(failed or delayed)
    return BounceReport(_once(failed), _once(delayed), status, is_told)


def _recipients(fields: MimePart) -> list[str]:
    """The address we wrote to before the one that it was passed on to."""
    written = [fields.value(name) for name in ("Original-Recipient", "Final-Recipient")]
    return [match[0] for value in written if (match := _ADDRESS.search(decode_text(value.encode(), "utf-8")))]


def _once(addresses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(address.lower() for address in addresses))[:MOST]
