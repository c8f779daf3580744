"""Every rule that decides an order has its place in every book."""

import pytest

from talleyrand import rulebooks
from talleyrand.engine.outcome import CauseCode
from talleyrand.rulebooks.places import rules

OF_A_VARIANT = {CauseCode.ONE_OF_KIND}


def test_every_cause_has_a_place() -> None:
    assert set(CauseCode) - set(rules()) == OF_A_VARIANT


@pytest.mark.parametrize("book", rulebooks.names())
@pytest.mark.parametrize("rule", rules())
def test_a_place_is_quoted_in_every_book(rule: str, book: str) -> None:
    text, _, paragraph = rulebooks.place(book, rule).partition(", ")
    assert text
    assert paragraph
    assert text == text.strip()


def test_a_rule_of_a_variant_has_no_place() -> None:
    assert rulebooks.place("datc", CauseCode.ONE_OF_KIND) == ""


def test_a_book_nobody_knows_is_quoted_by_the_datc() -> None:
    assert rulebooks.place("house", CauseCode.ROTATION) == "DATC 3.2, 6.C.1"
