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


# Moves of a game that was played, in which the coach once gave away Spain, changed nothing, or lost Trieste.
PLAYED: list[tuple[str, dict[str, Any], dict[str, list[str]]]] = [
    (
        "FRANCE",
        {
            "phase": "F1902M",
            "units": {
                "AUSTRIA": ["A BUD", "F GRE", "A SER", "A VIE"],
                "ENGLAND": ["F BAR", "A DEN", "F NTH", "F WAL"],
                "FRANCE": ["F ENG", "A GAS", "F MAO", "A MAR", "A PAR"],
                "GERMANY": ["F BEL", "A BER", "A HOL", "A MUN"],
                "ITALY": ["F ION", "A TRI", "A TYR", "F WES"],
                "RUSSIA": ["A GAL", "A MOS", "F NWY", "F SWE", "A UKR"],
                "TURKEY": ["A BUL", "F CON", "F RUM", "A SEV", "F SMY"],
            },
            "centers": {
                "AUSTRIA": ["GRE", "SER", "TRI", "VIE"],
                "ENGLAND": ["EDI", "LON", "LVP", "NWY"],
                "FRANCE": ["BRE", "MAR", "PAR", "POR", "SPA"],
                "GERMANY": ["BEL", "BER", "KIE", "MUN"],
                "ITALY": ["NAP", "ROM", "TUN", "VEN"],
                "RUSSIA": ["BUD", "MOS", "SEV", "STP", "SWE", "WAR"],
                "TURKEY": ["ANK", "BUL", "CON", "RUM", "SMY"],
            },
        },
        {
            "FRANCE": ["F ENG - LON", "F MAO - ENG", "A Par - Pic", "A Gas - Bre", "A Mar - Esp"],
            "AUSTRIA": ["A BUD - VIE", "F GRE - AEG", "A SER S A VIE - TRI", "A VIE - TRI"],
            "ENGLAND": ["F BAR - STP/NC", "A DEN - SWE", "F NTH - DEN", "F WAL - LON"],
            "GERMANY": ["F BEL S A HOL", "A BER - MUN", "A HOL S F BEL", "A MUN - KIE"],
            "ITALY": ["F ION - GRE", "A TRI S A TYR - VIE", "A TYR - VIE", "F WES H"],
            "RUSSIA": ["A GAL - RUM", "A MOS S A UKR - SEV", "F NWY S F SWE", "F SWE S F NWY", "A UKR - SEV"],
            "TURKEY": ["A BUL H", "F CON S A BUL", "F RUM S A BUL", "A SEV S F RUM", "F SMY - AEG"],
        },
    ),
    (
        "FRANCE",
        {
            "phase": "F1901M",
            "units": {
                "AUSTRIA": ["F ALB", "A SER", "A VIE"],
                "ENGLAND": ["A LVP", "F NTH", "F NWG"],
                "FRANCE": ["F MAO", "A PAR", "A SPA"],
                "GERMANY": ["F HOL", "A KIE", "A MUN"],
                "ITALY": ["A ROM", "F TYS", "A VEN"],
                "RUSSIA": ["F BOT", "A GAL", "F RUM", "A SEV"],
                "TURKEY": ["A ARM", "F BLA", "A BUL"],
            },
            "centers": {
                "AUSTRIA": ["BUD", "TRI", "VIE"],
                "ENGLAND": ["EDI", "LON", "LVP"],
                "FRANCE": ["BRE", "MAR", "PAR"],
                "GERMANY": ["BER", "KIE", "MUN"],
                "ITALY": ["NAP", "ROM", "VEN"],
                "RUSSIA": ["MOS", "SEV", "STP", "WAR"],
                "TURKEY": ["ANK", "CON", "SMY"],
            },
        },
        {
            "FRANCE": ["F AtlM - Por", "A Par - Bou", "A Esp H"],
            "AUSTRIA": ["F ALB - GRE", "A SER S F ALB - GRE", "A VIE - TRI"],
            "ENGLAND": ["A LVP - EDI", "F NTH - DEN", "F NWG - NWY"],
            "GERMANY": ["F HOL - BEL", "A KIE - DEN", "A MUN - BUR"],
            "ITALY": ["A ROM - VEN", "F TYS - TUN", "A VEN - TYR"],
            "RUSSIA": ["F BOT - SWE", "A GAL - BUD", "F RUM - BLA", "A SEV - RUM"],
            "TURKEY": ["A ARM - SEV", "F BLA - RUM", "A BUL S F BLA - RUM"],
        },
    ),
    (
        "AUSTRIA",
        {
            "phase": "S1905M",
            "units": {
                "AUSTRIA": ["A BUD", "A TRI", "F TYS", "A VIE"],
                "ENGLAND": ["A DEN", "F ENG", "F LVP", "F NTH", "F SWE"],
                "FRANCE": ["A BRE", "F IRI", "A PIC", "A SPA", "F WAL"],
                "GERMANY": ["A BEL", "A BER", "A HOL", "A UKR"],
                "ITALY": ["F ADR", "A BOH", "F ION", "A VEN", "F WES"],
                "RUSSIA": ["F NWG", "A NWY", "A WAR"],
                "TURKEY": ["A ANK", "A CON", "F GRE", "A MOS", "A RUM", "F SEV", "F SMY"],
            },
            "centers": {
                "AUSTRIA": ["BUD", "SER", "TRI", "VIE"],
                "ENGLAND": ["DEN", "EDI", "LON", "LVP", "SWE"],
                "FRANCE": ["BRE", "MAR", "PAR", "POR", "SPA"],
                "GERMANY": ["BEL", "BER", "HOL", "KIE"],
                "ITALY": ["MUN", "NAP", "ROM", "TUN", "VEN"],
                "RUSSIA": ["NWY", "STP", "WAR"],
                "TURKEY": ["ANK", "BUL", "CON", "GRE", "MOS", "RUM", "SEV", "SMY"],
            },
        },
        {
            "FRANCE": ["A Bre H", "A Pic S A Bel", "F Wal - Lon", "F Irl - Man", "A Esp H"],
            "AUSTRIA": ["A BUD - RUM", "A TRI - SER", "F TYS - TUN", "A VIE - GAL"],
            "ENGLAND": [
                "A DEN - NWY",
                "F ENG - MAO",
                "F LVP - CLY",
                "F NTH C A DEN - NWY",
                "F SWE S A DEN - NWY",
            ],
            "GERMANY": ["A BEL - BUR", "A BER - MUN", "A HOL - KIE", "A UKR - WAR"],
            "ITALY": ["F ADR - TRI", "A BOH - MUN", "F ION - GRE", "A VEN S F ADR - TRI", "F WES - MAO"],
            "RUSSIA": ["F NWG - EDI", "A NWY - FIN", "A WAR - MOS"],
            "TURKEY": [
                "A ANK - ARM",
                "A CON - BUL",
                "F GRE - ION",
                "A MOS - STP",
                "A RUM - SER",
                "F SEV - RUM",
                "F SMY - EAS",
            ],
        },
    ),
]


@pytest.mark.parametrize(("power", "asked", "orders"), PLAYED, ids=["Spain", "two units change", "Trieste"])
def test_a_set_changes_something_and_gives_no_centre_away(
    power: str, asked: dict[str, Any], orders: dict[str, list[str]]
) -> None:
    found = review(orders, power, **asked)
    before = found.risk.count if found.risk else 0
    for one in found.better:
        assert one.gains or one.chances or (one.risk.count if one.risk else 0) < before
        assert ("stands", "MAR") not in one.gains, "its own centre"
    for one in found.better[:1]:
        lost = one.risk if one.risk and one.risk.loss.kind == "centre" else None
        assert lost is None or 2 * lost.count <= coach.COMPILED.likely or lost.count <= lost.played


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
