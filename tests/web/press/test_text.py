"""What is kept of a typed text, and what is refused."""

from __future__ import annotations

import pytest

from talleyrand.web.press.message_text import LONGEST, InvalidText, clean_text, first_line
from tests.each import each


@each(
    ("typed", "kept"),
    [
        ("Cher Edmond,\r\n\r\nla Manche ?\r", "Cher Edmond,\n\nla Manche ?"),
        ("  bonjour \n", "bonjour"),
        ("un\x0bdeux\u2028trois\x85quatre", "un\ndeux\ntrois\nquatre"),
        ("A\x00B\x07C\x1b[31mD\x7f", "ABC[31mD"),
        ("\u202eelbatoc\u202c droit \u2066a\u2069", "elbatoc droit a"),
        ("e\u0301te\u0301", "été"),
        ("tab\tulé", "tab\tulé"),
        ("👩\u200d👧 🇫🇷", "👩\u200d👧 🇫🇷"),
        ("שלום עולם", "שלום עולם"),
        ('<b>gras</b> & "cité" {{ x }}', '<b>gras</b> & "cité" {{ x }}'),
        ("a" + "\u0316" * 40, "a" + "\u0316" * 8),
        ("a" + "\n" * 500 + "b", "a\n\n\n\nb"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_kept(typed: str, kept: str) -> None:
    assert clean_text(typed) == kept
    assert clean_text(clean_text(typed)) == kept


@each(
    ("typed", "code"),
    [
        ("", "empty"),
        (" \n\t\r\n", "empty"),
        ("\u200b\u200d\ufeff\u00a0\u3000", "empty"),
        ("\u202e\u202c", "empty"),
        ("\u2800\u3164\uffa0", "empty"),
        ("\x00\x01", "empty"),
        ("\u0301\u0301", "empty"),
        ("x" * (LONGEST + 1), "too_long"),
        ("x" * 100_000, "too_long"),
        ("abc\ufffddef", "damaged"),
        (f"abc{chr(0xD800)}def", "damaged"),
    ],
)
def test_refused(typed: str, code: str) -> None:
    with pytest.raises(InvalidText) as raised:
        clean_text(typed)
    assert raised.value.code == code


def test_the_first_line_is_short() -> None:
    assert first_line("un\n\ndeux   trois") == "un deux trois"
    assert len(first_line("mot " * 100)) <= 90
