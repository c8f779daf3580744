"""Every rule that decides an order has its place in every book."""

import pytest

from talleyrand import rulebooks
from talleyrand.engine.outcome import CauseCode
from talleyrand.rulebooks.rulebook_loader import citable_rules

OF_A_VARIANT = {CauseCode.ONE_OF_KIND}


def test_every_cause_has_a_place() -> None:
    assert set(CauseCode) - set(citable_rules()) == OF_A_VARIANT


@pytest.mark.parametrize("book", rulebooks.names())
def test_a_place_is_quoted_in_every_book(book: str) -> None:
    for rule in citable_rules():
        text, _, paragraph = rulebooks.cite_rule(book, rule).partition(", ")
        assert text, rule
        assert paragraph, rule
        assert text == text.strip(), rule


def test_a_rule_of_a_variant_has_no_place() -> None:
    assert rulebooks.cite_rule("datc", CauseCode.ONE_OF_KIND) == ""


def test_a_book_nobody_knows_is_quoted_by_the_datc() -> None:
    assert rulebooks.cite_rule("house", CauseCode.ROTATION) == "DATC 3.2, 6.C.1"
