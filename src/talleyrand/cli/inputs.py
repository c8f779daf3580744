"""Files and standard input, as the commands take them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from talleyrand.formats.lines import LIMIT, read_json
from talleyrand.formats.own_books import read_own_book
from talleyrand.formats.plain import read_text
from talleyrand.formats.shapes import BadQuestion, Json

STANDARD = "-"
BOOK_LIMIT = 1 << 20


def read_bytes(name: str, limit: int = LIMIT) -> bytes:
    """A file, or standard input for `-`; raises BadQuestion (`too_long`) and OSError."""
    if name == STANDARD:
        data = sys.stdin.buffer.read(limit + 1)
    else:
        with Path(name).open("rb") as opened:
            data = opened.read(limit + 1)
    if len(data) > limit:
        raise BadQuestion("too_long", limit=str(limit >> 20))
    return data


def read_whole(name: str, limit: int = LIMIT) -> str:
    """A text in UTF-8; raises BadQuestion (`not_utf8`)."""
    data = read_bytes(name, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadQuestion("not_utf8", place=str(fault.start + 1)) from None


def question_of(text: str) -> tuple[dict[str, Json], list[str]]:
    """A question, from JSON or from a text, and the lines of the text under no power's name."""
    if text.lstrip().startswith("{"):
        value = read_json(text)
        if not isinstance(value, dict):
            raise BadQuestion("not_a_question", value=json.dumps(value))
        return value, []
    plain = read_text(text)
    return plain.question(), plain.loose


def rulebook_of(name: str | None) -> Json:
    """A book's name, or what a TOML file of one's own says.

    Raises BadQuestion (`too_long`, `not_utf8`, and as `read_own_book`) and OSError.
    """
    if name is None or not name.lower().endswith(".toml"):
        return name
    return read_own_book(read_whole(name, BOOK_LIMIT), Path(name).stem)
