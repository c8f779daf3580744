"""One question before several books: who agrees with whom, on what they differ, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talleyrand import rulebooks
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication, datc_cases
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.rulebook_comparison import (
    ComparisonRow,
    DifferenceReason,
    RulebookComparison,
    compare_rulebooks,
    comparison_answer,
    comparison_json,
    comparison_table,
    explain_differences,
)
from talleyrand.rulebooks import LoadedRulebook, customise

TEXT = (Path(__file__).parents[1] / "datc" / "datc_v3_2.txt").read_text("utf-8")
CASES = {case.number: case for case in datc_cases.read_datc_cases(TEXT)}
DIVIDING = ("6.F.16", "6.F.18", "6.F.19", "6.G.8", "6.G.11")


def every() -> dict[str, LoadedRulebook]:
    return {name: rulebooks.load(name) for name in rulebooks.names()}


def own(**choices: str) -> dict[str, LoadedRulebook]:
    """The DATC, and the DATC with choices of one's own."""
    return {"datc": rulebooks.load("datc"), "own": customise("datc", choices)}


def asked(text: str) -> dict[str, Any]:
    return read_game_text(text).question()


def told(
    books: dict[str, LoadedRulebook], question: Any
) -> tuple[RulebookComparison, tuple[DifferenceReason, ...]]:
    comparison = compare_rulebooks(question, books)
    return comparison, explain_differences(comparison)


def test_a_paradox_divides_the_books() -> None:
    books = {name: rulebooks.load(name) for name in ("anjou_feu", "datc", "renegade_2023")}
    comparison, reasons = told(books, CASES["6.F.18"].question())
    assert comparison.groups == (("anjou_feu",), ("datc", "renegade_2023"))
    assert [(reason.group, reason.options) for reason in reasons] == [(1, (("convoy_paradox",),))]
    assert reasons[0].rows == comparison.differing
    assert not set(comparison.same) & set(comparison.differing)


def test_the_same_book_twice_agrees() -> None:
    book = rulebooks.load("datc")
    comparison, reasons = told({"one": book, "two": book}, CASES["6.F.18"].question())
    assert comparison.groups == (("one", "two"),)
    assert (comparison.differing, reasons) == ((), ())
    assert len(comparison.same) == len(comparison.rows) > 0


def _explained() -> Iterator[tuple[dict[str, Any], RulebookComparison, DifferenceReason]]:
    for number in DIVIDING:
        question = CASES[number].question()
        comparison = compare_rulebooks(question, every())
        for reason in explain_differences(comparison):
            yield question, comparison, reason


@pytest.mark.long
def test_each_reason_is_one() -> None:
    """Asked anew by a book written out as a question writes it, and with any option of the set left out."""
    checked = 0
    for question, comparison, reason in _explained():
        first, second = (comparison.groups[number][0] for number in (0, reason.group))
        other = comparison.books[second]
        for options in reason.options:
            chosen = {name: other.value(name) for name in options}
            assert _given(question, first, chosen, reason.rows) == _given(question, second, {}, reason.rows)
            for name in options:
                fewer = {some: choice for some, choice in chosen.items() if some != name}
                assert _given(question, first, fewer, reason.rows) != _given(
                    question, second, {}, reason.rows
                )
                checked += 1
    assert checked


def _given(question: Any, book: str, options: dict[str, str], rows: tuple[ComparisonRow, ...]) -> Any:
    answer = adjudication.adjudicate_question({**question, "rulebook": {"extends": book, "options": options}})
    if "error" in answer:  # options that contradict each other give nothing
        return None
    cells = comparison_table(answer)
    return [cells[row].result for row in rows]


def test_two_options_that_only_matter_together() -> None:
    books = {"anjou_feu": rulebooks.load("anjou_feu"), "datc": rulebooks.load("datc")}
    _, (reason,) = told(books, CASES["6.F.16"].question())
    assert [set(options) for options in reason.options] == [{"convoy_self_protection", "convoy_paradox"}]


def test_places_of_retreat() -> None:
    text = """Positions
Allemagne : A Kiel, F Baltique, F Skagerrak
Angleterre : A Danemark
Printemps 1902
Allemagne : A Kiel - Danemark par convoi; F Baltique C A Kiel - Danemark; F Skagerrak S A Kiel - Danemark
"""
    comparison, (reason,) = told(own(retreat_to_convoy_origin="forbidden"), asked(text))
    assert comparison.differing == (ComparisonRow("unit", "ENGLAND", "DEN"),)
    parts = comparison.parts(comparison.differing[0])
    assert [part.cell.facts["retreats"] for part in parts] == [["KIE", "SWE"], ["SWE"]]
    assert reason.options == (("retreat_to_convoy_origin",),)


def test_two_orders_for_a_unit_are_one_row() -> None:
    text = "Positions\nFrance : A Par\nOrdres\nFrance : A Par - Bou; A Par - Pic"
    comparison, (reason,) = told(own(multiple_legal_orders="none_holds"), asked(text))
    assert comparison.differing == (ComparisonRow("unit", "FRANCE", "PAR"),)
    parts = comparison.parts(comparison.differing[0])
    assert [[entry["results"] for entry in part.cell.entries] for part in parts] == [
        [["moves"], []],
        [[], [], ["holds"]],
    ]
    assert reason.options == (("multiple_legal_orders",),)


def test_a_power_that_is_out_by_one_book_alone() -> None:
    text = """Positions
France : A Par
Centres
France : Par
Turquie : Ser
Autriche : Tri
Automne 1902
"""
    rule = "zero_centres_or_no_unit_and_no_home_centre"
    comparison, (reason,) = told(own(elimination=rule), asked(text))
    assert comparison.differing == (ComparisonRow("game"),)
    assert reason.options == (("elimination",),)


def test_a_book_that_was_not_asked_any_more() -> None:
    comparison = compare_rulebooks(CASES["6.F.18"].question(), every(), StepBudget(0))
    first, *rest = every()
    assert comparison.groups == ((first,),)
    assert comparison.skipped_rulebooks == tuple(rest)


def test_reasons_that_were_not_looked_for() -> None:
    comparison = compare_rulebooks(CASES["6.F.18"].question(), every())
    reasons = explain_differences(comparison, StepBudget(0))
    assert {reason.options for reason in reasons} == {()}
    assert {row for reason in reasons for row in reason.rows} == set(comparison.differing)


@pytest.mark.parametrize("bad", [None, [], {}, {"phase": "S1901M", "units": 3}, {"phase": "W1901A"}])
def test_no_question(bad: Any) -> None:
    with pytest.raises(TalleyrandError):
        compare_rulebooks(bad, every())


def test_as_json() -> None:
    books = {name: rulebooks.load(name) for name in ("anjou_feu", "datc", "renegade_2023")}
    comparison, reasons = told(books, CASES["6.F.18"].question())
    written = json.loads(json.dumps(comparison_json(comparison, reasons)))
    assert written["id"] == "6.F.18"
    assert written["groups"] == [["anjou_feu"], ["datc", "renegade_2023"]]
    assert {row["kind"] for row in written["differences"]} == {"unit"}
    assert [part["groups"] for part in written["differences"][0]["results"]] == [[0], [1]]
    (options,) = written["because"][0]["options"]
    assert [choice["value"] for choice in options["convoy_paradox"]] == [
        "sea_first_if_no_resolution",
        "szykman",
    ]
    assert len(written["same"]) + len(written["differences"]) == len(comparison.rows)


def test_the_adjustments_of_absent_powers_are_not_told() -> None:
    text = "Automne 1901\nPositions\nFrance : A Bel\nItalie : A Rom\nCentres\nFrance : Par\nTurquie : Con\n"
    comparison, _reasons = told({"datc": rulebooks.load("datc")}, asked(text))
    balances = {row.power for row in comparison.rows if row.kind == "balance"}
    assert balances == {"FRANCE", "ITALY", "TURKEY"}


def test_a_book_within_the_question_is_compared_too() -> None:
    text = "Positions\nFrance : A Par\nOrdres\nFrance : A Par - Bou; A Par - Pic"
    carried = {"extends": "datc", "options": {"multiple_legal_orders": "last"}}
    books = {"datc": rulebooks.load("datc")}
    given: Any = comparison_answer({**asked(text), "rulebook": carried}, books)
    assert given["groups"] == [["question"], ["datc"]]
    named: Any = comparison_answer({**asked(text), "rulebook": "anjou_feu"}, books)
    assert named["groups"] == [["datc"]]
    broken: Any = comparison_answer({**asked(text), "rulebook": {"extends": "nobody"}}, books)
    assert "nobody" in broken["error"]["message"]["fr"]
