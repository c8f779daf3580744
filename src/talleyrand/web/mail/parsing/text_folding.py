"""Words as rules compare them: without accents, capitals, and the marks that mail programs strew in."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST = 600
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_BLANKS = re.compile(r"\s+")
_SIGNS = str.maketrans("\u2018\u2019`\u00b4\ufffd", "''''?") | {0x153: "oe"}
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The beginning of a line: `  Écrit :` → `ecrit :`."""
    text = _UNSEEN.sub("", text[:LONGEST])
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_SIGNS))
        text = "".join(letter for letter in text if not unicodedata.combining(letter))
        text = _DASHES.sub("-", text)
    return _BLANKS.sub(" ", text).strip().casefold()


def latin_letters(text: str) -> str:
    """Its Latin letters alone, for what has been wrapped, marked or damaged on its way."""
    return "".join(letter for letter in fold(text) if "a" <= letter <= "z")


def without_invisible_start(text: str) -> str:
    """A line without what cannot be seen at its start."""
    return _UNSEEN.sub("", text[:40]).lstrip() + text[40:] if text else text
