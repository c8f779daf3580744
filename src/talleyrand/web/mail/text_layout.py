"""Plain text as mail programs show it: prose of 72 columns, lines that are never read as orders. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from .parsing.parsed_email import ORDER_MARK

WIDTH = 72
INDENT = "  "
TIED = "\x1f"  # a space at which no line is broken


def prose(text: str) -> list[str]:
    """Sentences in lines; paragraphs stay apart."""
    return [line for paragraph in text.splitlines() for line in _wrapped(paragraph, "", "") or [""]]


def indented(text: str) -> list[str]:
    """Sentences moved to the right: no line of them is taken for a command of the game master’s."""
    return [line for paragraph in text.splitlines() for line in _wrapped(paragraph, INDENT, INDENT)]


def bullet(text: str) -> list[str]:
    """One of a list."""
    return _wrapped(text, "- ", INDENT)


def title(text: str) -> list[str]:
    """What a mail is about, on top of it."""
    lines = _wrapped(text, "", "")
    return [*lines, "=" * max(map(len, lines), default=0)]


def heading(text: str) -> list[str]:
    """The name of a part, in capitals."""
    return _wrapped(text.upper(), "", "")


def protected(text: str, indent: str = "") -> list[str]:
    """What tells of units and orders: nobody’s order, wherever the line comes back in an answer."""
    begin = f"{ORDER_MARK} {indent}"
    return _wrapped(text, begin, f"{begin}{INDENT}") or [ORDER_MARK]


def unbroken(text: str) -> list[str]:
    """An address, on a line of its own that is never broken."""
    return [f"{INDENT}{text}"]


def join_parts(parts: Iterable[Sequence[str]]) -> str:
    """Parts with an empty line between them; those without a line are none."""
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _wrapped(text: str, first: str, others: str) -> list[str]:
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(TIED, " ") for line in lines]
