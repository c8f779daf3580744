"""Every value of every option changes what a judge or a reader says of some position.

The table `option_values.toml` names the position; the book of the DATC judges it as it is, then with the
value alone put in (both with the choices the value needs beside it, where it needs any).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.engine.errors import ImpossibleCombination
from talleyrand.formats import questions
from talleyrand.formats.datc_text import PHASES, Case, read_cases
from tests.cases.files import cases

Value = dict[str, Any]
DATC = rulebooks.load("datc")
HERE = Path(__file__).parent
TABLE: Mapping[str, Mapping[str, Value]] = tomllib.loads((HERE / "option_values.toml").read_text("utf-8"))
ROWS = [(option, value) for option, values in TABLE.items() for value in values]
TOLD = (
    "units",
    "dislodged",
    "contested",
    "centers",
    "adjustments",
    "kept_builds",
    "eliminated",
    "winner",
    "next",
)
OF_A_LINE = ("power", "unit", "line_no", "sheet", "results", "to", "by")


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
        print(line)
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
    """What a book says of a position: what became of each line, notes included, and the position after."""
    book = {"extends": "datc", "options": options}
    answers = list(_answers(entry, book))
    assert not [answer["error"] for answer in answers if "error" in answer]
    return [_heart(answer) for answer in answers]


def _answers(entry: Value, book: Value) -> Iterator[Value]:
    if "question" in entry:
        yield questions.answer({**entry["question"], "rulebook": book})
    elif entry["case"] in _datc():
        yield from _phases(_datc()[entry["case"]], book)
    else:
        (case,) = (case for case in cases() if case.id == entry["case"])
        yield questions.answer({**case.question("datc"), "rulebook": book})


def _phases(case: Case, book: Value) -> Iterator[Value]:
    asked: Value = case.question(book)
    for step in case.steps:
        answer: Value = questions.answer(asked | {"phase": PHASES[step.kind], "orders": step.lines()})
        yield answer
        asked |= {name: answer[name] for name in ("units", "dislodged", "contested")}


@cache
def _datc() -> dict[str, Case]:
    text = (HERE.parent / "datc" / "datc_v3_2.txt").read_text("utf-8")
    return {case.number: case for case in read_cases(text)}


def _heart(answer: Value) -> Value:
    lines = [
        {name: entry.get(name) for name in OF_A_LINE}
        | {"refused": entry["error"] is not None, "notes": [note["kind"] for note in entry["notes"]]}
        for entry in answer["orders"]
    ]
    return {"lines": lines} | {name: answer.get(name) for name in TOLD}
