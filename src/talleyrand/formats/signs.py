"""What of a typed text anybody sees: signs that turn, cut or hide it are none of a name."""

from __future__ import annotations

import unicodedata

# No width of their own, and yet read: they part the letters of Persian and Hindi, and join emoji.
JOINTS = "\u200c\u200d"


def visible(text: str) -> str:
    """A text without its invisible signs; its joints, blanks, tabs and line breaks stay."""
    return "".join(one for one in text if is_seen(one))


def on_one_line(text: str) -> str:
    """A name as it is kept: what is visible of it, on one line, with single blanks."""
    return " ".join(visible(text).split()).strip(JOINTS)


def is_seen(sign: str) -> bool:
    """Whether a sign shows, or changes how its neighbours do."""
    return sign.isspace() or sign in JOINTS or not unicodedata.category(sign).startswith("C")
