"""Every line of the tables is read as the table says, and refused for the reason it says."""

from __future__ import annotations

import pytest

from talleyrand.engine.errors import OrderRefusal
from talleyrand.notation import NOTE_KINDS, OrderLine, read_line
from tests.notation.tables import Row, rows


def _name(row: Row) -> str:
    return f"{row.place} {row.text}"


@pytest.mark.parametrize("row", list(rows()), ids=_name)
def test_line(row: Row) -> None:
    line = read_line(row.text, row.context)
    assert _refusal(line) == row.refusal
    assert str(line.order or "") == row.order
    assert tuple(sorted(note.kind for note in line.notes)) == row.notes
    assert set(row.notes) <= set(NOTE_KINDS)


@pytest.mark.parametrize("row", [row for row in rows() if row.nearest], ids=_name)
def test_nearest(row: Row) -> None:
    line = read_line(row.text, row.context)
    assert line.refusal is not None
    assert line.refusal.nearest_order == row.nearest


@pytest.mark.parametrize("row", [row for row in rows() if row.among], ids=_name)
def test_candidates(row: Row) -> None:
    line = read_line(row.text, row.context)
    assert line.refusal is not None
    assert line.refusal.candidates == row.among


def _refusal(line: OrderLine) -> tuple[str, str] | None:
    found: OrderRefusal | None = line.refusal
    return (found.kind, str(found.code)) if found else None
