"""Cases of the rules, under every rulebook they hold for, in normal form and as players write them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.formats import adjudication
from tests import draws
from tests.cases.files import Case, Value, cases
from tests.each import each

CASES = cases()
RUNS = [(case, book, tongue) for case in CASES for book in case.books for tongue in case.tongues()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    """Under each of its books, as each language writes it."""

    @each("book, tongue", product(case.books, case.tongues()))
    def is_judged(book: str, tongue: str) -> None:
        _compare(case, book, adjudication.adjudicate_question(case.question(book, tongue)))

    is_judged()


def _compare(case: Case, book: str, answer: Value) -> None:
    """An answer against all that the case expects."""
    assert "error" not in answer, answer
    expected = case.expected
    units = case.units(book)
    assert {name: _fate(answer, name) for name in units} == {name: _said(one) for name, one in units.items()}
    _compare_position(expected.get("after"), answer)
    owners = {code: power for power, codes in answer.get("centers", {}).items() for code in codes}
    assert {code: owners.get(code, "") for code in expected.get("owners", {})} == expected.get("owners", {})
    assert expected.get("homes", {}).items() <= answer.get("homes", {}).items()
    balances = {power: due["balance"] for power, due in answer.get("adjustments", {}).items()}
    assert expected.get("balance", {}).items() <= balances.items()
    assert answer.get("winner") == expected.get("winner", answer.get("winner"))
    assert set(expected.get("eliminated", ())) <= set(answer.get("eliminated", ()))
    assert not set(expected.get("alive", ())) & set(answer.get("eliminated", ()))
    assert (answer["next"] or "") == expected.get("next", answer["next"] or "")
    assert expected.get("politics", {}).items() <= answer.get("politics", {}).items()
    drawn = [lot["drawn"] for lot in answer["chance"]]
    assert [expected["drawn"]] == drawn if "drawn" in expected else True


def _said(expected: Value) -> Value:
    return expected | {"results": set(expected["results"])}


def _fate(answer: Value, name: str) -> Value:
    """What an answer says of a unit, in the form of `expected.units`."""
    entries = [entry for entry in answer["orders"] if _province(entry["unit"]) == _province(name)]
    fate: Value = {"results": {result for entry in entries for result in entry["results"]}}
    if fate["results"] & {"moves", "retreats"}:
        fate["to"] = next(entry["to"] for entry in entries if {"moves", "retreats"} & set(entry["results"]))
    if "dislodged" in fate["results"]:
        fallen = next(one for one in _dislodged(answer) if _province(one["unit"]) == _province(name))
        by = [unit for entry in entries for unit in entry["by"]]
        assert fallen["by"] in {_province(unit)[1] for unit in by}
        fate |= {"by": fallen["by"], "retreats": fallen["retreats"]}
    return fate


def _province(unit: str | None) -> tuple[str, str]:
    kind, _, place = (unit or "").partition(" ")
    return kind, place.partition("/")[0]


def _dislodged(answer: Value) -> list[Any]:
    return [one for fallen in answer["dislodged"].values() for one in fallen]


def _compare_position(after: Value | None, answer: Value) -> None:
    if after is None:
        return
    units = {power: sorted(names) for power, names in after["units"].items()}
    assert {power: sorted(names) for power, names in answer["units"].items()} == units
    assert sorted(one["unit"] for one in _dislodged(answer)) == after["dislodged"]
    assert answer["contested"] == sorted(after["contested"])


@pytest.mark.long
def test_the_command_line_gives_the_same_answers(full: bool, draw: str) -> None:
    runs = [RUNS[at] for at in draws.one_in(1 if full else 8, range(len(RUNS)), draw)]
    asked = [case.question(book, tongue) for case, book, tongue in runs]
    command = [sys.executable, "-m", "talleyrand", "adjudicate", "--jsonl", "-"]
    stream = "".join(json.dumps(question) + "\n" for question in asked)
    ran = subprocess.run(command, input=stream.encode(), capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [question["id"] for question in asked]
    for (case, book, _), answer in zip(runs, answers, strict=True):
        _compare(case, book, answer)


def test_every_case_has_a_name_and_a_source() -> None:
    assert len({case.id for case in CASES}) == len(CASES) == 196
    assert all(case.title and case.source for case in CASES)
    assert {book for case in CASES for book in case.books} == set(rulebooks.names())


TEXTS = (
    "classic rules ",
    "play by mail",
    "simplified rules",
    "Anjou Feu ",
    "DATC ",
    "Renegade 2023 ",
    "Intimate Diplomacy",
)


def test_a_case_quotes_a_text_or_says_that_it_is_our_reading() -> None:
    assert [case.id for case in CASES if not case.source.startswith((*TEXTS, "our reading: "))] == []
