"""Each departure of a book from the DATC's own is known, and caused by the choices the table names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.datc.departures import BOOKS, departures, recorded, remains

TABLE = recorded()
ROWS = [(book, number) for book, cases in TABLE.items() for number in cases]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("book", BOOKS)
def test_a_book_departs_where_the_table_says(
    book: str, record_property: Callable[[str, object], None]
) -> None:
    found = departures(book)
    record_property(
        "departures", f"{book} settles {len(found)} cases of the DATC otherwise: {' '.join(found)}"
    )
    assert found == list(TABLE[book])


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("book", "number"), ROWS)
def test_a_departure_is_explained(book: str, number: str) -> None:
    options = TABLE[book][number]
    assert options
    assert not remains(book, number, options)
    for left in options:
        assert remains(book, number, [option for option in options if option != left])


def test_every_book_is_in_the_table() -> None:
    assert tuple(TABLE) == BOOKS
