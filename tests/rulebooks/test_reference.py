"""The reference shows every book and every option as they are."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks
from tests.rulebooks.reference import PAGES, filled


@pytest.mark.parametrize("language", PAGES)
def test_the_tables_are_those_of_the_books(language: str) -> None:
    page = PAGES[language].read_text("utf-8")
    assert page == filled(page, language), "python -m tests.rulebooks.reference"
    assert all(f"`{option}`" in page for option in rulebooks.options())
    assert all(f"`{value}`" in page for option in rulebooks.options().values() for value in option.values)
