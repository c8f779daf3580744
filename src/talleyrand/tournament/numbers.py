"""Whole numbers as people, forms and other programs write them: plain digits, and not too many of them."""

from __future__ import annotations

from .errors import Refused

YEAR = 4  # digits of a year, enough for a count of anything too
DIGITS = 9  # more are no number of anything here, and thousands of them are no number for Python either


def natural(text: str, digits: int = DIGITS) -> int | None:
    """The number that so many ASCII digits at most write; None for anything else, signs and spaces too."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def whole(text: str, digits: int = DIGITS) -> int:
    """The same of what somebody typed, spaces around it aside; raises Refused (`act_bad_number`)."""
    bare = text.strip()
    number = natural(bare, digits)
    if number is None:
        raise Refused("act_bad_number", value=bare[:40])
    return number
