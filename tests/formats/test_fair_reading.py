"""One power's lines, however many and however odd, are not read at the cost of another's."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats import adjudication
from talleyrand.formats.question_input import read_question
from talleyrand.formats.received_orders import read_received_orders as read_sheets
from talleyrand.notation import READING_EFFORT

ODD = [(f"A Qyongxang{number} Smmm Qyouan - " * 9)[:290] for number in range(100)]
WORLD = {"variant": "diplomatie_2000", "units": {"ASEA": ["A HAN"], "USLA": ["A KIE"]}}
CLASSIC = {"variant": "classic", "units": {"AUSTRIA": ["A VIE", "A BUD", "F TRI"], "TURKEY": ["A CON"]}}
SCENES = [
    ({**CLASSIC, "phase": "S1901M"}, "AUSTRIA", "TURKEY", "A CON - BUL"),
    ({**CLASSIC, "phase": "W1901A", "centers": {"TURKEY": ["CON", "SMY"]}}, "AUSTRIA", "TURKEY", "A SMY"),
    ({**WORLD, "phase": "S2002P"}, "ASEA", "USLA", "1A : RUSS"),
    ({**WORLD, "phase": "S2001M"}, "ASEA", "USLA", "A KIE - MIN"),
    ({**WORLD, "phase": "S2001M"}, "ASEA", "USLA", "Aide : 1 : RUSS"),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("lines", [20, 100])
@pytest.mark.parametrize(("asked", "odd", "plain", "order"), SCENES)
def test_odd_lines_cost_nobody_else_an_order(
    asked: dict[str, Any], odd: str, plain: str, order: str, lines: int, apart: bool
) -> None:
    question = {**asked, "orders": {odd: ODD[:lines], plain: [order]}}
    told: Any = adjudication.adjudicate_question(question, apart=apart)
    (entry,) = [one for one in told["orders"] if one["power"] == plain and one["line"] == order]
    assert entry["error"] is None, entry
    assert entry["order"]


@pytest.mark.parametrize("count", [2, 7])
def test_who_writes_least_is_read_first_and_everybody_has_a_part(count: int) -> None:
    """However many write oddly, a sheet of moves with a slip in each of its names is read."""
    powers = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"][: count - 1]
    slips = ["A Constantinoble - Bulgarie", "A Smyrn - Armenie", "F Ankarra - mer Noire"]
    question = {"phase": "S1901M", "orders": dict.fromkeys(powers, ODD) | {"TURKEY": slips}}
    told: Any = adjudication.adjudicate_question(question)
    read = [one["order"] for one in told["orders"] if one["power"] == "TURKEY"]
    assert read == ["A CON - BUL", "A SMY - ARM", "F ANK - BLA"]


@pytest.mark.long
def test_all_together_take_no_more_than_one_alone() -> None:
    """A question of one person is bounded as a whole, however its lines are shared out among powers."""
    powers = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    asked = read_question({"phase": "S1901M", "orders": dict.fromkeys(powers, ODD)})
    assert read_sheets(asked).steps <= READING_EFFORT
    assert READING_EFFORT < read_sheets(asked, apart=True).steps <= len(powers) * READING_EFFORT
