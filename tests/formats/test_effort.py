"""Whatever is asked, an answer takes no more than so much work; what is left out is said."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication, question_input, received_orders, rulebook_comparison
from talleyrand.formats.adjudication_answer import REASONS_EFFORT
from talleyrand.notation import READING_EFFORT as TO_READ
from talleyrand.rulebooks import load
from tests.formats import crowds

RESULTS = ("unit", "order", "results", "to", "by", "route", "error")


def results(answer: adjudication.AnswerJson) -> list[Any]:
    orders: Any = answer["orders"]
    return [[entry[name] for name in RESULTS] for entry in orders]


def reasons(answer: adjudication.AnswerJson) -> dict[str, Any]:
    orders: Any = answer["orders"]
    return {entry["unit"]: (entry["cause"]["units"], entry["cause"]["any_of"]) for entry in orders}


def kinds(answer: adjudication.AnswerJson) -> list[str]:
    notes: Any = answer["notes"]
    return [note["kind"] for note in notes]


@pytest.mark.long
@pytest.mark.parametrize("book", ["datc", "anjou_feu"])
def test_a_full_board_has_all_its_results_and_says_that_reasons_are_missing(book: str) -> None:
    asked = crowds.full_board(1, book)
    bounded, whole = (
        adjudication.adjudicate_question(asked),
        adjudication.adjudicate_question(asked, StepBudget(sys.maxsize)),
    )
    assert results(bounded) == results(whole)
    assert "reasons_cut" in kinds(bounded)
    assert "reasons_cut" not in kinds(whole)
    told, known = reasons(bounded), reasons(whole)
    assert any(told.values())
    assert all(told[unit] in (known[unit], ([], [])) for unit in told), "half a search is no reason"


@pytest.mark.long
def test_the_same_question_has_the_same_answer() -> None:
    asked = crowds.full_board(2)
    assert adjudication.adjudicate_question(asked) == adjudication.adjudicate_question(asked)


@pytest.mark.long
def test_reasons_take_no_more_than_there_is() -> None:
    for asked in (
        crowds.full_board(3),
        crowds.contradictions(1, 384),
        crowds.contradictions(2, 600, units=75),
    ):
        effort = StepBudget(REASONS_EFFORT)
        adjudication.adjudicate_question(asked, effort)
        assert 0 <= effort.remaining < REASONS_EFFORT


@pytest.mark.long
def test_a_board_of_a_game_has_all_its_reasons() -> None:
    for seed in range(5):
        effort = StepBudget(REASONS_EFFORT)
        answer = adjudication.adjudicate_question(crowds.contradictions(seed, 60), effort)
        assert "reasons_cut" not in kinds(answer)
        assert effort.remaining > 0


def test_one_dear_reason_leaves_some_effort_to_the_others() -> None:
    asked = crowds.full_board(1)
    told = reasons(adjudication.adjudicate_question(asked, StepBudget(20_000)))
    assert 0 < sum(map(any, told.values())) < len(told)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("line", crowds.SLOW_LINES)
def test_lines_that_take_too_long_are_refused_unread(line: str) -> None:
    read = received_orders.read_received_orders(question_input.read_question(crowds.slow_sheets(line)))
    entries = read.entries
    unread = [one for one in entries if one.line.refusal and one.line.refusal.code == "too_many_lines"]
    assert len(entries) >= 2800, "no line is lost"
    assert len(unread) > 2000
    assert 0 < read.steps <= TO_READ, "all powers share what there is"


def test_long_honest_sheets_are_read_whole() -> None:
    """As many lines as a sheet may have, all of them orders."""
    asked = question_input.read_question(crowds.contradictions(1, 400))
    entries = received_orders.read_received_orders(asked).entries
    assert not [one for one in entries if one.line.refusal and one.line.refusal.code == "too_many_lines"]


def test_no_nearest_order_is_looked_for_where_more_units_stand_than_in_any_game() -> None:
    """To list all that they may do takes longer than all the rest."""
    for asked, suggested in ((crowds.contradictions(1, 0), True), (crowds.full_board(1), False)):
        power = next(iter(asked["units"]))
        unit = asked["units"][power][0]
        question = question_input.read_question({**asked, "orders": {power: [f"{unit} Mun H"]}})
        refusal = received_orders.read_received_orders(question).entries[0].line.refusal
        assert refusal is not None
        assert bool(refusal.nearest_order) == suggested


def test_a_comparison_shares_one_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    effort = StepBudget(REASONS_EFFORT)
    books = {name: load(name) for name in ("datc", "anjou_feu", "classic_1976")}
    rulebook_comparison.compare_rulebooks(crowds.full_board(1), books, effort=effort)
    assert 0 <= effort.remaining < REASONS_EFFORT
