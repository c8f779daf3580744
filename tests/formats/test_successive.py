"""Several sheets of one power, by the book's rule; and titles that are not of the phase (row M40)."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats.adjudication import adjudicate_question, read_question_orders

UNITS = {"FRANCE": ["A PAR", "A MAR", "F BRE"]}
FIRST = ["A Par - Bou", "A Mar - Esp", "F Bre - Man"]
Sheets = list[list[str]]


def ask(rule: str, sheets: Sheets, **fields: Any) -> Any:
    book = {"extends": "anjou_feu", "options": {"order_sheets": rule}}
    return adjudicate_question(
        {"phase": "S1901M", "units": UNITS, "rulebook": book, "sheets": {"FRANCE": sheets}} | fields
    )


def followed(given: Any) -> set[str]:
    """The orders that count."""
    return {entry["order"] for entry in given["orders"] if entry["order"] and entry["error"] is None}


BOU, ESP, MAN, PIC = "A PAR - BUR", "A MAR - SPA", "F BRE - ENG", "A PAR - PIC"
TABLE: list[tuple[str, Sheets, set[str], list[str]]] = [
    ("last_only", [FIRST, ["A Par - Pic"]], {PIC}, ["earlier_sheets"]),
    ("last_only", [FIRST, ["Correction", "A Par - Pic"]], {PIC}, ["earlier_sheets"]),
    ("last_only", [FIRST, []], set(), ["earlier_sheets"]),
    ("merge", [FIRST, ["A Par - Bou"]], {BOU, ESP, MAN}, []),
    ("merge", [FIRST, ["A Par - Pic"]], {ESP, MAN}, []),
    ("merge", [["A Par - Bou"], ["A Mar - Esp"], ["F Bre - Man"]], {BOU, ESP, MAN}, []),
    # all together, unless the last evidently stands instead
    ("merge_unless_replaced", [["A Par - Bou"], ["A Mar - Esp"]], {BOU, ESP}, ["sheet_adds"]),
    (
        "merge_unless_replaced",
        [FIRST, ["Ceci annule et remplace mes ordres", "A Par - Pic"]],
        {PIC},
        ["sheet_replaces", "earlier_sheets"],
    ),
    (
        "merge_unless_replaced",
        [FIRST, ["A Par - Pic", "A Mar - Esp", "F Bre - Man"]],
        {PIC, ESP, MAN},
        ["sheet_replaces"],
    ),
    # the last alone, unless the others evidently count
    ("last_unless_clear", [FIRST, ["A Par - Pic"]], {PIC}, ["sheet_replaces", "earlier_sheets"]),
    ("last_unless_clear", [["A Par - Bou"], ["A Mar - Esp"]], {BOU, ESP}, ["sheet_adds"]),
    (
        "last_unless_clear",
        [FIRST, ["Correction :", "A Par - Pic"]],
        {PIC, ESP, MAN},
        ["sheet_corrects"],
    ),
    (
        "last_unless_clear",
        [FIRST, ["Amendment to my orders", "A Par - Pic"]],
        {PIC, ESP, MAN},
        ["sheet_corrects"],
    ),
    (
        "last_unless_clear",
        [FIRST, ["# correction", "A Par - Pic"], ["complément", "F Bre H"]],
        {PIC, ESP, "F BRE H"},
        ["sheet_corrects", "sheet_corrects"],
    ),
    (
        "last_unless_clear",
        [FIRST, ["This replaces my orders", "A Par - Pic"]],
        {PIC},
        ["sheet_replaces", "earlier_sheets"],
    ),
    ("last_unless_clear", [FIRST, []], {BOU, ESP, MAN}, []),
]


@pytest.mark.parametrize(("rule", "sheets", "orders", "notes"), TABLE)
def test_which_sheets_count(rule: str, sheets: Sheets, orders: set[str], notes: list[str]) -> None:
    given = ask(rule, sheets)
    assert followed(given) == orders
    assert [note["kind"] for note in given["notes"]] == notes


@pytest.mark.parametrize("rule", ["last_only", "merge", "merge_unless_replaced", "last_unless_clear"])
def test_every_line_of_every_sheet_is_answered(rule: str) -> None:
    sheets = [FIRST, ["Correction", "A Par - Pic"], [], ["A Par - Bou"]]
    lines = [
        (number, place, line) for number, sheet in enumerate(sheets, 1) for place, line in enumerate(sheet, 1)
    ]
    answered = [
        (entry["sheet"], entry["line_no"], entry["line"])
        for entry in ask(rule, sheets)["orders"]
        if entry["line"] is not None
    ]
    assert sorted(answered) == lines


def test_a_corrected_line_is_told_so() -> None:
    given = ask("last_unless_clear", [FIRST, ["Correction", "A Par - Pic"]])
    errors = {entry["line"]: entry["error"] and entry["error"]["kind"] for entry in given["orders"]}
    assert errors["A Par - Bou"] == "superseded"
    assert errors["A Mar - Esp"] is None


@pytest.mark.parametrize(
    ("phase", "title", "noted"),
    [
        ("S1901M", "Printemps 1901", False),
        ("S1901M", "SPRING 1901 - FRANCE", False),
        ("S1901M", "Ordres de la France, printemps 1901", False),
        ("S1901M", "Automne 1901", True),
        ("S1902M", "SPRING 1901 - FRANCE", True),
        ("F1901M", "Fall 1901", False),
        ("S1901R", "Printemps 1901", False),
        ("S1901R", "Été 1901", False),
        ("F1901R", "Automne 1901 : retraites", False),
        ("F1901R", "Hiver 1901", False),
        ("F1901R", "Hiver 1902", True),
        ("S1901M", "France", False),
    ],
)
def test_a_title_of_another_phase_is_noted(phase: str, title: str, noted: bool) -> None:
    given: Any = read_question_orders(
        {"phase": phase, "units": UNITS, "orders": {"FRANCE": [title, "A Par - Bou"]}}
    )
    assert ("other_season" in [note["kind"] for note in given["notes"]]) is noted
    assert given["orders"][0]["error"] is None
    assert given["orders"][0]["order"] is None
