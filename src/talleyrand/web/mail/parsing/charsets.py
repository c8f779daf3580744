"""From bytes to characters, whatever a mail says of itself."""

from __future__ import annotations

import binascii
import codecs
import quopri
import re

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
