"""Builds and removals that will not be made are told as soon as they are read, with what could be built."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.formats import adjudication

FRANCE = {"FRANCE": ["BRE", "PAR", "SPA", "POR", "MAR"], "GERMANY": ["MUN", "KIE"]}
UNITS = {"FRANCE": ["A BRE", "A GAS"], "GERMANY": ["A MAR", "F KIE", "A RUH"]}
Told = dict[str, tuple[str, str] | None]


def told(lines: list[str], power: str = "FRANCE", language: str = "en", **more: Any) -> Told:
    """Each line with the kind of its error and its sentence."""
    asked = {"phase": "W1901A", "units": UNITS, "centers": FRANCE, "orders": {power: lines}, **more}
    answer: Any = adjudication.read_question_orders(asked)
    return {
        entry["line"]: entry["error"] and (entry["error"]["kind"], entry["error"]["message"][language])
        for entry in answer["orders"]
        if entry["line"]
    }


@pytest.mark.parametrize("book", rulebooks.names())
@pytest.mark.parametrize(
    ("line", "told_as"),
    [
        ("A Bre", "occupies Brest"),
        ("F Bre", "occupies Brest"),
        ("A Mar", "occupies Marseilles"),
        ("A Spa", "Spain is not a home centre of France"),
        ("A Lon", "London is not a home centre of France"),
    ],
)
def test_a_build_that_cannot_be_is_told_with_those_that_can(line: str, told_as: str, book: str) -> None:
    error = told([line], rulebook=book)[line]
    assert error is not None
    assert error[0] == "illegal"
    assert told_as in error[1]
    assert "Possible builds: A Paris" in error[1]


def test_a_fleet_inland() -> None:
    error = told(["F Par"], rulebook="anjou_feu")["F Par"]
    assert error is not None
    assert "Paris cannot hold this kind of unit" in error[1]


def test_a_lost_home_centre() -> None:
    centres = {**FRANCE, "FRANCE": ["BRE", "PAR", "SPA"], "GERMANY": ["MAR", "MUN"]}
    units = {"FRANCE": ["A GAS"], "GERMANY": ["F HOL"]}
    error = told(["A Mar"], centers=centres, units=units)["A Mar"]
    assert error is not None
    assert "does not own Marseilles" in error[1]
    assert error[1].endswith("Possible builds: A Brest, F Brest or A Paris.")


def test_in_french_too() -> None:
    error = told(["A Bre"], language="fr")["A Bre"]
    assert error is not None
    assert error[1].replace("\u00a0", " ").endswith("Constructions possibles : A Paris.")


def test_what_is_built_already_is_not_offered() -> None:
    found = told(["A Par", "A Bre", "A Par", "A Mar"], units={"FRANCE": ["A BRE", "A GAS"]})
    assert found["A Mar"] is None
    assert found["A Bre"] is not None
    assert "Possible" not in found["A Bre"][1]


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        # more builds than allowed, more waivers, a build where units must go, and the other way round
        (["A Par", "A Mar", "A Bre"], "surplus"),
        (["A Par", "waive", "waive"], "surplus"),
        (["A Gas D"], "surplus"),
        (["A Par", "A Par"], "illegal"),
        (["A Bur D"], "no_such_unit"),
        (["A Mun D"], "foreign_unit"),
    ],
)
def test_too_many_and_none_there(lines: list[str], last: str) -> None:
    units = {"FRANCE": ["A GAS"], "GERMANY": ["A MUN"]}
    centres = {"FRANCE": ["BRE", "PAR", "MAR"], "GERMANY": ["MUN"]}
    asked = {"phase": "W1901A", "units": units, "centers": centres, "orders": {"FRANCE": lines}}
    answer: Any = adjudication.read_question_orders(asked)
    *_, entry = [one for one in answer["orders"] if one["line"]]
    assert entry["error"]["kind"] == last


def test_more_removals_than_due() -> None:
    found = told(["A Mar D", "F Kie D", "A Mun B"], power="GERMANY")
    assert found["A Mar D"] is None
    assert [(found[line] or ("", ""))[0] for line in ("F Kie D", "A Mun B")] == ["surplus", "surplus"]


@pytest.mark.parametrize("lines", [["waive"], ["no build"], ["pas de construction"]])
def test_who_has_nothing_to_build_may_say_that_nothing_is_built(lines: list[str]) -> None:
    assert told(lines, power="GERMANY") == dict.fromkeys(lines)


def test_the_judge_answers_as_the_reader_does() -> None:
    asked = {"phase": "W1901A", "units": UNITS, "centers": FRANCE, "orders": {"FRANCE": ["A Bre", "A Par"]}}
    answer: Any = adjudication.adjudicate_question(asked)
    read: Any = adjudication.read_question_orders(asked)
    written = [entry for entry in answer["orders"] if entry["line"]]
    assert [entry["error"] for entry in written] == [entry["error"] for entry in read["orders"]]
    assert [entry["results"] for entry in written] == [["build_void"], ["builds"]]


@pytest.mark.parametrize("line", ["A Mar - Par", "A Mar R Spa"])
def test_a_retreat_that_cannot_be_is_told_with_those_that_can(line: str) -> None:
    """The sister of a build that cannot be: it always was."""
    dislodged = {"FRANCE": [{"unit": "A MAR", "by": "SPA", "retreats": ["GAS", "BUR"]}]}
    asked = {"phase": "F1901R", "units": {}, "dislodged": dislodged, "orders": {"FRANCE": [line]}}
    answer: Any = adjudication.read_question_orders(asked)
    message = answer["orders"][0]["error"]["message"]["en"]
    assert "Gascony" in message
    assert "Burgundy" in message
