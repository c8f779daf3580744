"""Names: what somebody may go by, and when two names are one."""

from __future__ import annotations

import unicodedata

import pytest
from django.core.exceptions import ValidationError

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.person_names import MOST, check_name, folded_name
from tests.each import each

GOOD = {
    "Irène": "Irène",
    "  Jean   Pierre ": "Jean Pierre",
    "d’Artagnan": "d’Artagnan",
    "O'Neill": "O'Neill",
    "J.-P. Martin": "J.-P. Martin",
    "Ire\u0300ne": "Irène",
    "\uff26\uff4c\uff4f\uff52\uff41": "Flora",
    "\u0421\u0430\u0440\u0430": "\u0421\u0430\u0440\u0430",
    "شیرین": "شیرین",
    "مهر\u200cبین": "مهر\u200cبین",  # a joint as Persian has it
    "R2D2": "R2D2",
    "x" * 40: "x" * 40,
    "ß" * 40: "ß" * 40,
}
BAD = {
    "nothing": "",
    "blanks": "   ",
    "one letter": "A",
    "41 letters": "x" * 41,
    "a page": "x" * 100_000,
    "a line break": "Flora\nGaspard",
    "a NUL": "Flo\0ra",
    "a bell": "Flo\ara",
    "right to left": "Flora\u202egaspard",
    "a mark of direction": "Flora\u200f",
    "no width": "Flo\u200bra",
    "a joiner": "Flo\u200dra",
    "two joiners in a row": "مهر\u200c\u200cبین",
    "a joiner at the end": "مهر\u200c",
    "private use": "Flora\ue000",
    "unassigned": "Flora\u0378",
    "half a surrogate": "Flora\ud800",
    "an address": "flora@exemple.org",
    "markup": "<b>Flora</b>",
    "a path": "../Flora",
    "a smile": "Flora 🙂",
    "digits": "1901",
    "a dot at the end": "Flora.",
    "an apostrophe first": "'Flora",
    "dots in a row": "Flo..ra",
    "heaped accents": "Flora" + "\u0335" * 9,
    "two alphabets": "Fl\u043era",
    "a ligature that grows": "\ufdfa" * 3,
    "the site's": "Talleyrand",
    "the site's, disguised": "TA11eyrand",
    "an administrator": "ADMIN",
}


@each("typed", GOOD)
def test_a_name_is_kept_in_one_way_of_writing(typed: str) -> None:
    assert check_name(typed) == GOOD[typed]


def test_no_name_is_too_long_to_be_compared() -> None:
    longest = Person._meta.get_field("folded_name").max_length or 0
    signs = (chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000)
    kept = (sign for sign in signs if len(unicodedata.normalize("NFKC", sign)) == 1)
    assert MOST * max(len(folded_name(sign)) for sign in kept) <= longest


@each("why", BAD)
def test_a_name_nobody_should_go_by(why: str) -> None:
    with pytest.raises(ValidationError) as refused:
        check_name(BAD[why])
    assert len(refused.value.messages) == 1


@each(
    ("one", "other"),
    [
        ("Irène", "IRÈNE"),
        ("Irène", "lrène"),
        ("Élise", "élise"),
        ("Capa", "\u0421\u0430\u0440\u0430"),
        ("Bob", "B0b"),
        ("Nina", "\uff2e\uff49\uff4e\uff41"),
        ("O'Neill", "O’Neill"),
        ("Straße", "STRASSE"),
        ("Jean Pierre", "Jean  Pierre"),
    ],
)
def test_names_that_a_reader_takes_for_one_are_one(one: str, other: str) -> None:
    assert folded_name(one) == folded_name(other)


@pytest.mark.parametrize(("one", "other"), [("Irène", "Irena"), ("Agathe", "Agata"), ("Renée", "René")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert folded_name(one) != folded_name(other)
