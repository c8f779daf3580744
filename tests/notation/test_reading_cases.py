"""Whole sheets are read as the rules say, under every book that says so."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.formats import adjudication

Value = dict[str, Any]
CASES: list[Value] = tomllib.loads((Path(__file__).parent / "reading_cases.toml").read_text("utf-8"))["case"]
RUNS = [
    (case, book)
    for case in CASES
    for book in (rulebooks.names() if case["books"] == ["any"] else case["books"])
]


def _name(value: object) -> str:
    return str(value["id"]) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("case", "book"), RUNS, ids=_name)
def test_the_sheets_are_read_as_the_rules_say(case: Value, book: str) -> None:
    position = {"phase": "S1901M", "units": case["units"], "torn": case.get("torn", [])}
    answer: Any = adjudication.adjudicate_question({**position, "orders": case["orders"], "rulebook": book})
    assert "error" not in answer, answer
    expected = case["expected"]
    for unit, order in expected.get("read", {}).items():
        assert order in [entry["order"] for entry in _entries(answer, unit) if entry["error"] is None]
    for unit, results in expected.get("results", {}).items():
        assert set(results) <= {result for entry in _entries(answer, unit) for result in entry["results"]}
    for unit, place in expected.get("to", {}).items():
        assert place in [entry["to"] for entry in _entries(answer, unit)]
    refused = [entry["line"] for entry in answer["orders"] if entry["error"] is not None]
    assert set(expected.get("refused", ())) <= set(refused)


def _entries(answer: Value, unit: str) -> list[Value]:
    """What is said of a unit, whatever coast it lies on."""
    return [
        entry
        for entry in answer["orders"]
        if (entry["unit"] or "").partition("/")[0] == unit.partition("/")[0]
    ]


def test_every_case_expects_something_and_no_two_are_alike() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) == 44
    assert all(case["expected"] for case in CASES)
    assert {book for case in CASES for book in case["books"]} - {"any"} <= set(rulebooks.names())
