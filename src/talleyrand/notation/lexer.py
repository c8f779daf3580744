"""Cuts a line into words and signs, whatever keyboard it was typed on."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MAX_LINE = 400
MAX_QUOTE = 60
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
STRIKE_MARK = "~~"
"""Before and after words struck out, in the text of a chat."""

DASH = "-"


class LineToken(NamedTuple):
    """A word or a sign: `key` is folded (no accent, no capital; every arrow is `-`), `text` as written.

    `unspaced` marks a dash with no blank around it, which may belong to a name.
    """

    key: str
    text: str
    start: int
    end: int
    unspaced: bool = False


@lru_cache(maxsize=8192)
def fold_accents(word: str) -> str:
    """A word without accents or capitals: `Égée` → `egee`."""
    lower = word.casefold()
    if lower.isascii():
        return lower
    bare = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    return bare.translate(_LETTERS)


def squeeze_blanks(line: str) -> str:
    """A line with one blank where there were many."""
    return " ".join(line.split()) if len(line) > MAX_LINE else line


def clean_line(line: str) -> str:
    """The line in plain Latin characters, without formatting tags and invisible marks."""
    if "<" in line:
        line = _FORMATTING.sub(" ", line)
    if line.isascii():
        return _POSSESSIVE.sub(" ", line) if "'" in line else line
    text = unicodedata.normalize("NFKC", line).translate(_ARROWS).translate(_LOOK_ALIKE)
    text = "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return _POSSESSIVE.sub(" ", text)


def tokenize(text: str) -> list[LineToken]:
    """The words and signs of a cleaned line; the rest (brackets, quotes, stops) only separates."""
    return [_token(match, text) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str], text: str) -> LineToken:
    written, start, end = match[0], match.start(), match.end()
    if written[0] in "-=>":
        tight = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
        return LineToken(DASH, written, start, end, tight)
    return LineToken(fold_accents(written), written, start, end)


def folded_words(text: str) -> tuple[str, ...]:
    """The folded words of a name: `mer d’Irlande` → (mer, d, irlande)."""
    return tuple(token.key for token in tokenize(clean_line(text)) if token.key[0].isalnum())


def quote_text(text: str) -> str:
    """Some words as a refusal shows them: on one line, short, without what a screen cannot show."""
    plain = "".join(c if c.isprintable() else " " for c in text[: 4 * MAX_QUOTE])
    plain = " ".join(plain.split())
    return plain if len(plain) <= MAX_QUOTE else plain[: MAX_QUOTE - 1] + "…"
