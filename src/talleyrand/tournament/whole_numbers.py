"""Whole numbers as people, forms and other programs write them: plain digits, and not too many of them."""

from __future__ import annotations

from .event_errors import ActRefused

YEAR_DIGITS = 4  # digits of a year, enough for a count of anything too
MAX_DIGITS = 9  # more are no number of anything here, and thousands of them are no number for Python either


def parse_natural(text: str, digits: int = MAX_DIGITS) -> int | None:
    """The number that so many ASCII digits at most write; None for anything else, signs and spaces too."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def parse_whole_number(text: str, digits: int = MAX_DIGITS) -> int:
    """The same of what somebody typed, spaces around it aside; raises ActRefused (`act_bad_number`)."""
    bare = text.strip()
    number = parse_natural(bare, digits)
    if number is None:
        raise ActRefused("act_bad_number", value=bare[:40])
    return number
