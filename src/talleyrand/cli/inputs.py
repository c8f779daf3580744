"""Files and standard input, as the commands take them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from talleyrand.formats.custom_toml import read_custom_rulebook
from talleyrand.formats.json_checks import InvalidQuestion, Json
from talleyrand.formats.json_lines import MAX_JSON_BYTES, read_json
from talleyrand.formats.plain_text import read_game_text

STDIN_NAME = "-"
MAX_TOML_BYTES = 1 << 20


def read_bytes(name: str, limit: int = MAX_JSON_BYTES) -> bytes:
    """A file, or standard input for `-`; raises BadQuestion (`too_long`) and OSError."""
    if name == STDIN_NAME:
        data = sys.stdin.buffer.read(limit + 1)
    else:
        with Path(name).open("rb") as opened:
            data = opened.read(limit + 1)
    if len(data) > limit:
        raise InvalidQuestion("too_long", limit=str(limit >> 20))
    return data


def read_utf8_input(name: str, limit: int = MAX_JSON_BYTES) -> str:
    """A text in UTF-8; raises BadQuestion (`not_utf8`)."""
    data = read_bytes(name, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidQuestion("not_utf8", place=str(fault.start + 1)) from None


def parse_question(text: str) -> tuple[dict[str, Json], list[str]]:
    """A question, from JSON or from a text, and the lines of the text under no power's name."""
    if text.lstrip().startswith("{"):
        value = read_json(text)
        if not isinstance(value, dict):
            raise InvalidQuestion("not_a_question", value=json.dumps(value))
        return value, []
    plain = read_game_text(text)
    return plain.question(), plain.lines_without_power


def parse_rulebook_option(name: str | None) -> Json:
    """A book's name, or what a TOML file of one's own says.

    Raises BadQuestion (`too_long`, `not_utf8`, and as `read_own_book`) and OSError.
    """
    if name is None or not name.lower().endswith(".toml"):
        return name
    return read_custom_rulebook(read_utf8_input(name, MAX_TOML_BYTES), Path(name).stem)
