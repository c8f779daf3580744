"""Cuts a line into words and signs, whatever keyboard it was typed on."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MAX_LINE = 400
SHOWN = 60
"""A line longer than the first is refused unread; a refusal quotes no more than the second."""

_ARROWS = dict.fromkeys([*range(0x2010, 0x2016), 0x2043, 0x2212, 0x2192, 0x27F6, 0x21D2, 0x21E8], "-")
_ARROWS |= dict.fromkeys([*range(0x2794, 0x27BF), 0x25BA, 0x25B6], "-")
_TOKEN = re.compile(r"[^\W_]+|[-=]*>+|-+|\+|;")
_POSSESSIVE = re.compile(r"(?<=\w)['’\u02bc]s\b", re.IGNORECASE)
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "ß": "ss"})
_LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",  # noqa: RUF001
    "ABEKMHOPCTYXIJSaeopcyxijs" + "ABEZHIKMNOPTYXo",
)
"""Cyrillic and Greek letters that look like Latin ones: whoever sees the line cannot tell them apart."""

_FORMATTING = re.compile(
    r"</?(?:b|i|u|em|strong|p|br|span|div|li|ul|ol|td|tr|font|code|pre|tt|blockquote)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
STRUCK = "~~"
"""Before and after words struck out, in the text of a chat."""

DASH = "-"


class Token(NamedTuple):
    """A word or a sign: `key` is folded (no accent, no capital; every arrow is `-`), `text` as written.

    `tight` marks a dash with no blank around it, which may belong to a name.
    """

    key: str
    text: str
    start: int
    end: int
    tight: bool = False


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """A word without accents or capitals: `Égée` → `egee`."""
    lower = word.casefold()
    if lower.isascii():
        return lower
    bare = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    return bare.translate(_LETTERS)


def squeezed(line: str) -> str:
    """A line with one blank where there were many."""
    return " ".join(line.split()) if len(line) > MAX_LINE else line


def clean(line: str) -> str:
    """The line in plain Latin characters, without formatting tags and invisible marks."""
    if "<" in line:
        line = _FORMATTING.sub(" ", line)
    if line.isascii():
        return _POSSESSIVE.sub(" ", line) if "'" in line else line
    text = unicodedata.normalize("NFKC", line).translate(_ARROWS).translate(_LOOK_ALIKE)
    text = "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return _POSSESSIVE.sub(" ", text)


def cut(text: str) -> list[Token]:
    """The words and signs of a cleaned line; the rest (brackets, quotes, stops) only separates."""
    return [_token(match, text) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str], text: str) -> Token:
    written, start, end = match[0], match.start(), match.end()
    if written[0] in "-=>":
        tight = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        return Token(DASH, written, start, end, tight)
    return Token(fold(written), written, start, end)


def words(text: str) -> tuple[str, ...]:
    """The folded words of a name: `mer d’Irlande` → (mer, d, irlande)."""
    return tuple(token.key for token in cut(clean(text)) if token.key[0].isalnum())


def quote(text: str) -> str:
    """Some words as a refusal shows them: on one line, short, without what a screen cannot show."""
    plain = "".join(c if c.isprintable() else " " for c in text[: 4 * SHOWN])
    plain = " ".join(plain.split())
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 1] + "…"
