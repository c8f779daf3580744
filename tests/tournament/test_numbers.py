"""Numbers that are typed: plain digits are read, everything else is none."""

from __future__ import annotations

import pytest

from talleyrand.tournament import whole_numbers
from talleyrand.tournament.event_errors import ActRefused

NONE = ("", "-1", "+1", "1.0", "1e3", "0x10", "1_000", "²", "١٢", "seven", "\0", "1" * 10, "9" * 5_000)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_plain_digits(text: str, number: int) -> None:
    assert whole_numbers.parse_natural(text) == whole_numbers.parse_whole_number(f" {text}\n") == number


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_number(text: str) -> None:
    assert whole_numbers.parse_natural(text) is None
    with pytest.raises(ActRefused) as refused:
        whole_numbers.parse_whole_number(text)
    assert refused.value.code == "act_bad_number"
    assert len(str(refused.value.facts["value"])) <= 40


def test_no_more_digits_than_asked_for() -> None:
    assert whole_numbers.parse_natural("1901", whole_numbers.YEAR_DIGITS) == 1901
    assert whole_numbers.parse_natural("19010", whole_numbers.YEAR_DIGITS) is None
    assert whole_numbers.parse_natural(" 7 ") is None
