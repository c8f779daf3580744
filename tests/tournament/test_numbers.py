"""Numbers that are typed: plain digits are read, everything else is none."""

from __future__ import annotations

import pytest

from talleyrand.tournament import numbers
from talleyrand.tournament.errors import Refused

NONE = ("", "-1", "+1", "1.0", "1e3", "0x10", "1_000", "²", "١٢", "seven", "\0", "1" * 10, "9" * 5_000)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_plain_digits(text: str, number: int) -> None:
    assert numbers.natural(text) == numbers.whole(f" {text}\n") == number


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_number(text: str) -> None:
    assert numbers.natural(text) is None
    with pytest.raises(Refused) as refused:
        numbers.whole(text)
    assert refused.value.code == "act_bad_number"
    assert len(str(refused.value.facts["value"])) <= 40


def test_no_more_digits_than_asked_for() -> None:
    assert numbers.natural("1901", numbers.YEAR) == 1901
    assert numbers.natural("19010", numbers.YEAR) is None
    assert numbers.natural(" 7 ") is None
