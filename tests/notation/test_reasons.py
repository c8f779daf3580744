"""Every reason and note is used, and carries the facts its sentence needs."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import NOTE_KINDS, REFUSAL_REASONS, ReadingContext, read_line
from tests.notation.tables import rows

OF_STRICT_BOOKS = {
    "unit_type_missing",
    "unit_type_wrong",
    "nationality_missing",
    "nationality_wrong",
    "badly_written",
}
OF_SHEETS = {"line_too_long", "too_many_lines", "alternatives"}
NOTES_OF_SHEETS = {"heading", "remark", "remark_ignored", "read_with", "other_notation"}

CLASSIC = variants.load("classic")
POSITION = Position(
    Phase("S", 1901, "M"),
    (
        Unit("A", "PAR", "FRANCE"),
        Unit("F", "GAS", "FRANCE"),
        Unit("A", "SPA", "FRANCE"),
        Unit("F", "STP/SC", "FRANCE"),
        Unit("F", "ENG", "ENGLAND"),
        Unit("F", "MAO", "ENGLAND"),
    ),
)
FRANCE = ReadingContext(CLASSIC, POSITION, "FRANCE", rulebooks.load("anjou_feu"))


def test_every_reason_has_a_line_in_the_tables() -> None:
    found = {row.refusal[1] for row in rows() if row.refusal}
    assert set(REFUSAL_REASONS) - found == OF_STRICT_BOOKS | OF_SHEETS


def test_every_note_has_a_line_in_the_tables() -> None:
    assert set(NOTE_KINDS) - {note for row in rows() for note in row.notes} == NOTES_OF_SHEETS


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        ("A Par - Bourg", "read_as", {"written": "Bourg", "place": "BUR"}),
        ("F Par - Bou", "letter_corrected", {"written": "F", "unit": "A PAR"}),
        ("Par - Bou", "letter_supplied", {"unit": "A PAR"}),
        ("F Gas - Esp", "coast_supplied", {"place": "SPA/NC"}),
        ("F Gas - Bre (cs)", "coast_ignored", {"written": "BRE/SC", "place": "BRE"}),
        ("F StP (cn) - Bot", "coast_ignored", {"written": "STP/NC", "place": "STP/SC"}),
        ("A Esp - Atl - Gas", "path_ignored", {"written": "Atl"}),
        ("A Esp S russe F Atl - Gas", "nationality_ignored", {"written": "russe", "power": "ENGLAND"}),
        ("A Par - Bou; sinon A Par H", "condition_ignored", {"written": "sinon A Par H"}),
        ("A Par attaqe Bou", "sign_misspelt", {"written": "attaqe"}),
        ("A Par Bou", "sign_supplied", {"written": "A Par Bou"}),
        ("F Gas - Bre par convoi", "marker_ignored", {"written": "par convoi"}),
    ],
)
def test_the_facts_of_a_note(text: str, kind: str, facts: dict[str, str]) -> None:
    line = read_line(text, FRANCE)
    assert line.refusal is None
    assert [(note.kind, dict(note.facts)) for note in line.notes] == [(kind, facts)]


@pytest.mark.parametrize(
    ("text", "reason", "words", "places", "units"),
    [
        ("A Par - Tokyo", "unknown_place", "Tokyo", (), ("A PAR",)),
        ("A Par - Bou demain", "unknown_words", "demain", (), ("A PAR",)),
        ("A Par -", "incomplete", "A Par -", (), ("A PAR",)),
        ("A Par - Bou, A Esp H", "several_orders", "A Esp H", (), ("A PAR",)),
        ("A Par - Bou si je veux", "conditional", "si", (), ()),
        ("A Mun H", "no_such_unit", "A Mun H", ("MUN",), ("A MUN",)),
        ("F Man H", "foreign_unit", "F Man H", (), ("F ENG",)),
        ("A Par - Nor", "unreachable", "A Par - Nor", ("NAO", "NTH", "NWY", "NWG", "NAF"), ("A PAR",)),
    ],
)
def test_the_facts_of_a_refusal(
    text: str, reason: str, words: str, places: tuple[str, ...], units: tuple[str, ...]
) -> None:
    refusal = read_line(text, FRANCE).refusal
    assert refusal is not None
    assert (refusal.code, refusal.text, refusal.places, refusal.units) == (reason, words, places, units)


def test_an_incomplete_order_names_its_unit() -> None:
    assert str(read_line("A Par -", FRANCE).unit) == "A PAR"
    assert str(read_line("A Par - Tokyo", FRANCE).unit) == "A PAR"
    assert read_line("Tokyo - Par", FRANCE).unit is None
