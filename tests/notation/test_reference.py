"""The page on writing orders shows every collision of every list, as the lists have them."""

from __future__ import annotations

import pytest

from tests.notation.reference import PAGES, filled


@pytest.mark.parametrize("language", PAGES)
def test_the_tables_are_those_of_the_lists(language: str) -> None:
    page = PAGES[language].read_text("utf-8")
    assert page == filled(page, language), "python -m tests.notation.reference"
    assert all(f"| `{form}` |" in page for form in ("MAR", "Mar", "TYR", "Tyr", "Liv", "Gul", "Eng"))
