"""A rulebook that somebody writes: a text in TOML."""

from __future__ import annotations

import re
import tomllib

from .json_checks import InvalidQuestion, Json

_LINE = re.compile(r"at line (\d+)")
_STRETCH = re.compile(r"[={},\[\]\n]")
_MOST_DOTS = 100  # in one name: the reader takes the square of it


def read_custom_rulebook(text: str, name: str) -> dict[str, Json]:
    """What the text says, as the `rulebook` of a question; `name` stands where it says none.

    Raises BadQuestion (`not_toml`, `too_deep`, `rulebook_empty`).
    """
    table = read_toml(text, name)
    if not table:
        raise InvalidQuestion("rulebook_empty", rulebook=name)
    return {"name": name, **table}


def read_toml(text: str, name: str) -> dict[str, Json]:
    """A table of TOML that anybody may have written; raises BadQuestion (`not_toml`, `too_deep`)."""
    text = text.removeprefix("\ufeff")
    if any(part.count(".") > _MOST_DOTS for part in _STRETCH.split(text)):
        raise InvalidQuestion("too_deep")
    try:
        return tomllib.loads(text)
    except ValueError as fault:  # also a number of more digits than Python reads
        found = _LINE.search(str(fault))
        line = found[1] if found else str(max(1, len(text.splitlines())))
        raise InvalidQuestion("not_toml", rulebook=name, line=line) from None
    except RecursionError:
        raise InvalidQuestion("too_deep") from None
