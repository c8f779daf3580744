"""What else a power could have ordered: better sets of orders, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats import adjudication, question_input
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.simulation.bots import coach
from talleyrand.simulation.bots.coach import CoachReview

pytest.importorskip("numba")

# France could walk into Belgium, and leaves Paris open to Burgundy where it does not stay.
AUTUMN: dict[str, Any] = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A PIC", "F BRE"], "GERMANY": ["A BUR", "A MUN"], "ENGLAND": ["F NTH"]},
    "centers": {
        "FRANCE": ["PAR", "BRE", "MAR"],
        "GERMANY": ["MUN", "BER", "KIE", "HOL"],
        "ENGLAND": ["LON", "LVP", "EDI"],
    },
}


def judged(orders: dict[str, list[str]], **more: Any) -> AdjudicatedQuestion:
    return adjudication.resolve_question(question_input.read_question({**AUTUMN, **more, "orders": orders}))


def review(orders: dict[str, list[str]], power: str = "FRANCE", seed: int = 1905, **more: Any) -> CoachReview:
    played = judged(orders, **more)
    asked = played.question
    return coach.review_moves(
        asked.variant.definition,
        asked.rulebook.adjudication_rules,
        asked.position,
        played.turn.outcome.verdicts,
        power,
        seed,
    )


IDLE = {"FRANCE": ["A PIC H", "F BRE H"], "GERMANY": ["A BUR - MAR", "A MUN - RUH"], "ENGLAND": ["F NTH H"]}


def test_what_a_set_takes_is_what_the_adjudicator_gives_it() -> None:
    found = review(IDLE)
    assert found.orders == ("F BRE H", "A PIC H")
    assert 0 < len(found.better) <= coach.MOST
    takes = [one for one in found.better if ("reaches", "BEL") in one.gains]
    assert takes
    for one in found.better:
        turn = judged({**IDLE, "FRANCE": list(one.orders)}).turn
        stands = {unit.province for unit in turn.outcome.position_after.units if unit.power == "FRANCE"}
        reached = {what for kind, what in one.gains if kind == "reaches"}
        assert reached <= stands - {"PAR", "BRE", "MAR"}
        assert ("reaches", "BEL") in one.gains or "BEL" not in stands
        assert one.changed
        assert set(one.orders) - set(found.orders)


def test_each_is_better_where_it_says_so() -> None:
    found = review(IDLE)
    for one in found.better:
        assert (one.hindsight > found.hindsight) == (one.better != coach.LIKELY_ONLY)
        assert (one.likely > found.likely) or one.better == coach.HINDSIGHT_ONLY
        assert all(0 <= played < count <= coach.COMPILED.likely for _place, count, played in one.chances)


def test_the_risk_names_who_takes_what_and_from_where() -> None:
    found = review({**IDLE, "FRANCE": ["A PIC - BEL", "F BRE - ENG"]})
    risk = found.risk
    assert risk is not None
    assert (risk.loss.kind, risk.loss.power, risk.loss.origin) == ("centre", "GERMANY", "BUR")
    assert risk.loss.what in ("PAR", "MAR")
    assert 0 < risk.count == risk.played <= coach.COMPILED.likely


def test_what_was_lost_is_kept_by_a_better_set() -> None:
    orders = {**IDLE, "FRANCE": ["A PIC - BEL", "F BRE - ENG"], "GERMANY": ["A BUR - PAR", "A MUN - BUR"]}
    found = review(orders)
    assert any(("keeps_centre", "PAR") in one.gains for one in found.better)


def test_the_same_seed_gives_the_same_review() -> None:
    assert review(IDLE) == review(IDLE)
    assert review(IDLE).as_json()["power"] == "FRANCE"


def test_nothing_better_is_said_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "MARGIN", 1.0)
    assert review(IDLE).better == ()


def test_lines_that_were_no_orders_count_as_none() -> None:
    assert review({**IDLE, "FRANCE": ["A PIC - MOS", "F BRE -"]}).orders == ("F BRE H", "A PIC H")


def test_convoys_are_understood_without_their_seas() -> None:
    found = review(
        {"FRANCE": ["F ENG C A PIC - WAL", "A PIC - ENG - WAL"]},
        rulebook="classic_1976",
        units={"FRANCE": ["A PIC", "F ENG"], "ENGLAND": ["F NTH"]},
    )
    assert found.orders == ("F ENG C A PIC - WAL", "A PIC - WAL")


@pytest.mark.parametrize(
    ("power", "more"),
    [
        ("ITALY", {}),
        ("FRANCE", {"phase": "W1905A"}),
        ("CHIN", {"variant": "diplomatie_2000", "phase": "F2001M", "units": {"CHIN": ["A PYO"]}}),
    ],
    ids=["without units", "winter", "votes"],
)
def test_what_cannot_be_reviewed_is_refused(power: str, more: dict[str, Any]) -> None:
    asked = question_input.read_question({**AUTUMN, "centers": {}, **more})
    definition, book = asked.variant.definition, asked.rulebook.adjudication_rules
    with pytest.raises(ValueError, match=r"can be reviewed|no units"):
        coach.review_moves(definition, book, asked.position, (), power, 1)
