"""Capitals tell seas from lands only in a sheet that keeps to that habit."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import ReadingContext, read_lines

CLASSIC = variants.load("classic")
POSITION = Position(
    Phase("S", 1901, "M"),
    tuple(
        Unit(kind, place, "ITALY") for kind, place in (("A", "TYR"), ("F", "TYS"), ("A", "ROM"), ("F", "ION"))
    ),
)
ITALY = ReadingContext(CLASSIC, POSITION, "ITALY", rulebooks.load("anjou_feu"))


@pytest.mark.parametrize(
    ("sheet", "last"),
    [
        (["F ION - ADR", "A Rom - Nap", "TYR H"], "F TYS H"),
        (["F ION - ADR", "A Rom - Nap", "Tyr H"], "A TYR H"),
        (["F ION - ADR", "A ROM - NAP", "TYR H"], "ambiguous_place"),
        (["F Ion - Adr", "A Rom - Nap", "Tyr H"], "ambiguous_place"),
        (["F ION - Adr", "A Rom - Nap", "TYR H"], "ambiguous_place"),
        (["TYR H"], "ambiguous_place"),
        (["F ION - ADR", "A Rom - Nap", "A TYR - Ven"], "A TYR - VEN"),
    ],
)
def test_the_habit_of_a_sheet(sheet: list[str], last: str) -> None:
    line = read_lines(sheet, ITALY)[-1]
    assert (str(line.refusal.code) if line.refusal else str(line.order)) == last
