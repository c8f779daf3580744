"""What of a typed text anybody sees: signs that turn, cut or hide it are none of a name."""

from __future__ import annotations

import unicodedata

# No width of their own, and yet read: they part the letters of Persian and Hindi, and join emoji.
ZERO_WIDTH_JOINERS = "\u200c\u200d"


def strip_invisible(text: str) -> str:
    """A text without its invisible signs; its joints, blanks, tabs and line breaks stay."""
    return "".join(one for one in text if is_visible_character(one))


def one_line_name(text: str) -> str:
    """A name as it is kept: what is visible of it, on one line, with single blanks."""
    return " ".join(strip_invisible(text).split()).strip(ZERO_WIDTH_JOINERS)


def is_visible_character(sign: str) -> bool:
    """Whether a sign shows, or changes how its neighbours do."""
    return sign.isspace() or sign in ZERO_WIDTH_JOINERS or not unicodedata.category(sign).startswith("C")
