"""Files and standard input, as the commands take them."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from talleyrand.formats.lines import LIMIT, read_json
from talleyrand.formats.plain import read_text
from talleyrand.formats.shapes import BadQuestion, Json

from .failures import CommandError

STANDARD = "-"


def read_bytes(name: str) -> bytes:
    """A file, or standard input for `-`; raises BadQuestion (`too_long`) and OSError."""
    if name == STANDARD:
        data = sys.stdin.buffer.read(LIMIT + 1)
    else:
        with Path(name).open("rb") as opened:
            data = opened.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise BadQuestion("too_long", limit=str(LIMIT >> 20))
    return data


def read_whole(name: str) -> str:
    """A text in UTF-8; raises BadQuestion (`not_utf8`)."""
    data = read_bytes(name)
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
    """A book's name, or what a TOML file of one's own says."""
    if name is None or not name.endswith(".toml"):
        return name
    try:
        return tomllib.loads(Path(name).read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise CommandError("error.toml", file=name) from None
