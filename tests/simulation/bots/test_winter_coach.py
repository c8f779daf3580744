"""What else a power could have ordered in retreats and winters: each set played on through the next moves."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats import adjudication, question_input
from talleyrand.simulation.bots import coach, winter_coach
from talleyrand.simulation.bots.coach import CoachReview

pytest.importorskip("numba")
pytestmark = pytest.mark.long

# France has one unit too many, and an army beside Paris that the fleet in Africa cannot help against.
WINTER: dict[str, Any] = {
    "phase": "W1905A",
    "units": {
        "FRANCE": ["A PIC", "A GAS", "F NAF"],
        "GERMANY": ["A BUR", "A RUH", "A BEL"],
        "ENGLAND": ["F NTH"],
    },
    "centers": {
        "FRANCE": ["PAR", "BRE"],
        "GERMANY": ["MUN", "BER", "KIE", "HOL", "BEL"],
        "ENGLAND": ["LON", "LVP", "EDI"],
    },
}
RETREAT: dict[str, Any] = {
    **WINTER,
    "phase": "S1905R",
    "units": {**WINTER["units"], "FRANCE": ["A PIC", "F NAF"], "GERMANY": ["A PAR", "A RUH", "A BEL"]},
    "dislodged": {"FRANCE": [{"unit": "A PAR", "by": "BUR", "convoyed": False}]},
}


def review(asked: dict[str, Any], orders: dict[str, list[str]], power: str = "FRANCE") -> CoachReview:
    played = adjudication.resolve_question(question_input.read_question({**asked, "orders": orders}))
    question = played.question
    return winter_coach.review_orders(
        question.variant.definition,
        question.rulebook.adjudication_rules,
        question.position,
        played.turn.outcome.verdicts,
        power,
        1905,
    )


def test_a_removal_is_compared_with_the_others_a_year_on() -> None:
    found = review(WINTER, {"FRANCE": ["A PIC D"]})
    assert (found.orders, found.until) == (("A PIC D",), 1906)
    assert "F NAF D" in [order for one in found.better for order in one.orders]
    for one in found.better:
        assert len(one.orders) == 1, "no more than is due"
        assert one.orders != found.orders
        assert max(one.hindsight - found.hindsight, one.likely - found.likely) > coach.MARGIN / 2
        assert all(played < count <= coach.COMPILED.likely for _place, count, played in one.chances)
        assert one.risk is None or one.risk.loss.what in ("PAR", "BRE")
    assert review(WINTER, {"FRANCE": ["A PIC D"]}) == found, "the same seed gives the same review"


def test_a_retreat_saves_the_unit_and_says_what_follows() -> None:
    found = review(RETREAT, {"FRANCE": ["A PAR D"]})
    assert (found.orders, found.until) == (("A PAR D",), 1905)
    assert found.better
    for one in found.better:
        assert ("keeps_unit", "A PAR") in one.gains
        assert one.orders[0].startswith("A PAR R ")
        assert one.changed == ("A PAR",)


def test_who_has_nothing_to_order_is_not_reviewed() -> None:
    builds = review(WINTER, {"FRANCE": ["A PIC D"]}, "GERMANY")
    assert all(1 <= len(one.orders) <= 2 for one in builds.better)
    with pytest.raises(ValueError, match="nothing to order"):
        review({**WINTER, "units": {"FRANCE": ["A PIC", "A GAS"]}}, {}, "TURKEY")
