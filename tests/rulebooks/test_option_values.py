"""Every value of every option changes what a judge or a reader says of some position.

The table `option_values.toml` names the position; the book of the DATC judges it as it is, then with the
value alone put in (both with the choices the value needs beside it, where it needs any).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.engine.errors import ImpossibleCombination
from talleyrand.formats import adjudication
from tests.cases.files import Case, cases
from tests.datc.answers import datc_cases, phases, told

Value = dict[str, Any]
DATC = rulebooks.load("datc")
HERE = Path(__file__).parent
TABLE: Mapping[str, Mapping[str, Value]] = tomllib.loads((HERE / "option_values.toml").read_text("utf-8"))
ROWS = [(option, value) for option, values in TABLE.items() for value in values]


@pytest.mark.parametrize(("option", "value"), ROWS)
def test_the_value_changes_an_answer(option: str, value: str) -> None:
    entry = TABLE[option][value]
    beside = entry.get("with", {})
    assert _told(entry, {**beside, option: value}) != _told(entry, beside)


def test_every_value_has_its_position() -> None:
    several = [option for option in rulebooks.options().values() if len(option.values) > 1]
    wanted = {
        (option.name, value)
        for option in several
        for value in option.values
        if value != DATC.value(option.name)
    }
    assert set(ROWS) == wanted


def test_what_needs_another_choice_says_why(record_property: Callable[[str, object], None]) -> None:
    needy = [(option, value) for option, value in ROWS if "with" in TABLE[option][value]]
    for option, value in needy:
        entry = TABLE[option][value]
        beside = ", ".join(f"{name} = {choice}" for name, choice in entry["with"].items())
        line = f"{option} = {value} needs {beside}: {entry['why']}"
        record_property("prerequisite", line)
        assert not _changes_alone(option, value)
    assert len(needy) < len(ROWS) // 10


def _changes_alone(option: str, value: str) -> bool:
    """Whether the value, without the choices beside it, can stand in the book and changes the answer."""
    entry = TABLE[option][value]
    try:
        rulebooks.customise("datc", {option: value})
    except ImpossibleCombination:
        return False
    return _told(entry, {option: value}) != _told(entry, {})


def _told(entry: Value, options: Value) -> list[Value]:
    """What a book says of a position: what became of each line, its notes, and the position afterwards."""
    book = {"extends": "datc", "options": options}
    return [told(answer) | {"notes": _notes(answer)} for answer in _answers(entry, book)]


def _answers(entry: Value, book: Value) -> Iterator[Value]:
    if entry.get("case") in datc_cases():
        yield from phases(datc_cases()[entry["case"]], book)
        return
    asked = entry.get("question") or _recorded(entry["case"]).question("datc")
    answer: Value = adjudication.adjudicate_question({**asked, "rulebook": book})
    assert "error" not in answer, answer
    yield answer


def _recorded(number: str) -> Case:
    (found,) = (case for case in cases() if case.id == number)
    return found


def _notes(answer: Value) -> list[str]:
    return [note["kind"] for entry in answer["orders"] for note in entry["notes"]]
