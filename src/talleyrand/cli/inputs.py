"""Files and standard input, as the commands take them."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

from talleyrand.formats.lines import LIMIT, read_json
from talleyrand.formats.plain import read_text
from talleyrand.formats.shapes import BadQuestion, Json

from .failures import CommandError

STANDARD = "-"
BOOK_LIMIT = 1 << 20
_LINE = re.compile(r"at line (\d+)")


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

    Raises BadQuestion (`too_long`, `not_utf8`, `rulebook_empty`), CommandError (`error.toml`) and OSError.
    """
    if name is None or not name.lower().endswith(".toml"):
        return name
    table = _toml(name)
    if not table:
        raise BadQuestion("rulebook_empty")
    return {"name": Path(name).stem, **table}


def _toml(name: str) -> dict[str, Json]:
    text = read_whole(name, BOOK_LIMIT)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        found = _LINE.search(str(fault))
        line = found[1] if found else str(text.count("\n") + 1)
        raise CommandError("error.toml", file=name, line=line) from None
    except RecursionError:
        raise BadQuestion("too_deep") from None
