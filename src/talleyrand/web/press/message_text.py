"""The text of a letter as it is kept: what was typed, without what nobody can see. Pure."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 20_000  # characters: a long letter has 5,000
MOST_MARKS = 8  # accents heaped on one character; no writing needs more
DAMAGED = "\N{REPLACEMENT CHARACTER}"
# What turns the order of the following text round, or ends such a turn: it could forge what one reads.
TURNS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
BREAKS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
EMPTY_LINES = re.compile(r"\n(?:[^\S\n]*\n){4,}")
MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
HEAPED = re.compile(f"({MARKS}{{{MOST_MARKS}}}){MARKS}+")
INVISIBLE = frozenset("\u2800\u3164\u115f\u1160\uffa0\u034f\u180e")


class InvalidText(ValueError):
    """A text that cannot be kept; `code` says why: empty, too_long, damaged."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_text(text: str, longest: int = LONGEST) -> str:
    """The text in one form of Unicode, with plain line breaks and no control characters. Raises
    InvalidText.
    """
    if len(text) > 2 * longest:
        raise InvalidText("too_long")
    if DAMAGED in text or any(0xD800 <= ord(one) < 0xE000 for one in text):
        raise InvalidText("damaged")
    kept = _printable(unicodedata.normalize("NFC", BREAKS.sub("\n", text)).translate(TURNS))
    kept = EMPTY_LINES.sub("\n\n\n\n", HEAPED.sub(r"\1", kept)).strip()
    if not any(unicodedata.category(one)[0] not in "ZCM" and one not in INVISIBLE for one in kept):
        raise InvalidText("empty")
    if len(kept) > longest:
        raise InvalidText("too_long")
    return kept


def _printable(text: str) -> str:
    return "".join(
        one for one in text if one in "\n\t" or unicodedata.category(one) not in ("Cc", "Cs", "Co", "Cn")
    )


def first_line(text: str, most: int = 90) -> str:
    """The beginning of a letter on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
