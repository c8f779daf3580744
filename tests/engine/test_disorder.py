"""Civil disorder and eliminated powers: who is in disorder, and what that costs in every phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from talleyrand.engine import game, movement
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from tests.engine.scenes import (
    BOARD,
    CLASSIC,
    DATC,
    TRIO,
    causes,
    fallen,
    fates,
    judged,
    orders,
    owning,
    position,
    reasons,
)

OLD = DATC.with_options(
    {
        "civil_disorder_trigger": "no_orders_for_a_season",
        "civil_disorder_support": "forbidden",
        "civil_disorder_retreat": "destroyed",
        "civil_disorder_builds": "none",
    }
)
UNIT = OLD.with_options({"civil_disorder_trigger": "unit_without_legal_order"})

# A MUN has no order, A BER has one; Austria supports both; France and Russia attack both
SCENE = position(GERMANY="A MUN, A BER", AUSTRIA="A BOH, A SIL", FRANCE="A BUR, A RUH", RUSSIA="F BAL, F KIE")
LINES = orders(
    GERMANY="A BER H",
    AUSTRIA="A BOH S A MUN, A SIL S A BER",
    FRANCE="A BUR - MUN, A RUH S A BUR - MUN",
    RUSSIA="F BAL - BER, F KIE S F BAL - BER",
)


def _judged(
    book: Rulebook, absent: str = "", torn: str = "", given: Mapping[str, list[Order]] = LINES
) -> PhaseOutcome:
    before = replace(SCENE, powers_in_disorder=frozenset(absent.split()), torn=frozenset(torn.split()))
    return judged(before, dict(given), book)


def _supports(outcome: PhaseOutcome) -> str:
    found = fates(outcome)
    return f"{found['A BOH']}, {found['A SIL']}"


@pytest.mark.parametrize(
    ("book", "absent", "torn", "supports"),
    [
        (OLD, "", "", "support_given, support_given"),
        (OLD, "", "GERMANY", "support_given, support_given"),
        (OLD, "GERMANY", "", "support_void, support_void"),
        (UNIT, "", "", "support_given, support_given"),
        (UNIT, "", "GERMANY", "support_void, support_given"),
        (UNIT, "GERMANY", "", "support_void, support_given"),
        (
            UNIT.with_options({"civil_disorder_support": "allowed"}),
            "",
            "GERMANY",
            "support_given, support_given",
        ),
        (
            OLD.with_options({"civil_disorder_support": "allowed"}),
            "GERMANY",
            "",
            "support_given, support_given",
        ),
    ],
)
def test_who_is_in_disorder_may_not_be_supported(
    book: Rulebook, absent: str, torn: str, supports: str
) -> None:
    outcome = _judged(book, absent, torn)
    assert _supports(outcome) == supports
    option = {verdict.cause.option for verdict in outcome.verdicts if "support_void" in verdict.results}
    assert option == ({"civil_disorder_support"} if "void" in supports else set())


@pytest.mark.parametrize(
    ("book", "torn", "destroyed"),
    [
        (UNIT, "GERMANY", {"A MUN"}),
        (UNIT, "", set()),
        (OLD, "GERMANY", set()),
        (UNIT.with_options({"civil_disorder_retreat": "may_retreat"}), "GERMANY", set()),
    ],
)
def test_a_unit_without_a_legal_order_on_a_torn_sheet(book: Rulebook, torn: str, destroyed: set[str]) -> None:
    alone = {power: lines for power, lines in LINES.items() if power != "AUSTRIA"}
    outcome = _judged(book, torn=torn, given=alone)
    assert {str(one.unit) for one in outcome.dislodged} == {"A MUN", "A BER"}
    assert {str(one.unit) for one in outcome.dislodged if not one.retreats} == destroyed
    assert {name for name, fate in fates(outcome).items() if "destroyed" in fate} == destroyed


def test_an_order_that_is_refused_is_no_legal_order() -> None:
    given = LINES | orders(GERMANY="A BER - LON")
    assert _supports(_judged(UNIT, torn="GERMANY", given=given)) == "support_void, support_void"


def test_units_in_disorder_belong_to_one_phase() -> None:
    before = replace(SCENE, torn=frozenset({"GERMANY"}))
    outcome = movement.adjudicate(BOARD, before, LINES, UNIT)
    assert outcome.position_after.provinces_in_disorder == frozenset()
    turn = game.play_phase(CLASSIC, before, LINES, UNIT)
    assert turn.next_position is not None
    assert (
        turn.next_position.torn
        == turn.next_position.powers_in_disorder
        == turn.next_position.provinces_in_disorder
        == frozenset()
    )


def _autumn(absent: str) -> Position:
    before = owning(position("F1901M", FRANCE="A SPA", ITALY="A ROM"), FRANCE="BRE PAR", ITALY="ROM")
    return replace(before, powers_in_disorder=frozenset(absent.split()))


@pytest.mark.parametrize(
    ("book", "absent", "phase", "possible"),
    [
        (OLD, "", "W1901A", 2),
        (OLD, "FRANCE", "S1902M", 0),
        (UNIT, "FRANCE", "W1901A", 2),
        (OLD.with_options({"civil_disorder_builds": "written_ones"}), "FRANCE", "W1901A", 2),
    ],
)
def test_disorder_in_autumn_may_cost_the_winters_builds(
    book: Rulebook, absent: str, phase: str, possible: int
) -> None:
    turn = game.play_phase(CLASSIC, _autumn(absent), {}, book)
    assert turn.next_position is not None
    assert (str(turn.next_position.phase), turn.next_position.powers_in_disorder) == (
        phase,
        frozenset({"FRANCE"}) if book.civil_disorder_builds == "written_ones" and absent else frozenset(),
    )
    assert turn.adjustment_counts is not None
    assert (turn.adjustment_counts["FRANCE"].balance, turn.adjustment_counts["FRANCE"].possible) == (
        2 - 0,
        possible,
    )


WINTER = owning(position("W1901A", FRANCE="A BUR"), FRANCE="BRE PAR MAR")


@pytest.mark.parametrize(
    ("book", "absent", "torn", "said"),
    [
        (OLD, "", "FRANCE", "builds within_balance"),
        (OLD, "FRANCE", "", "build_ignored power_in_disorder"),
        (UNIT, "", "FRANCE", "build_ignored power_in_disorder"),
        (UNIT, "FRANCE", "", "build_ignored power_in_disorder"),
        (UNIT, "", "ITALY", "builds within_balance"),
        (UNIT.with_options({"civil_disorder_builds": "written_ones"}), "", "FRANCE", "builds within_balance"),
    ],
)
def test_builds_of_a_power_in_disorder(book: Rulebook, absent: str, torn: str, said: str) -> None:
    before = replace(WINTER, powers_in_disorder=frozenset(absent.split()), torn=frozenset(torn.split()))
    outcome = judged(before, orders(FRANCE="A PAR B"), book)
    (verdict,) = outcome.verdicts
    assert f"{verdict.results[0]} {verdict.cause.code}" == said
    rules = CLASSIC.rules_for(before.phase)
    assert (rules.powers_with_choices(BOARD, before, book) == ("FRANCE",)) == ("builds" in said.split())


def test_removals_of_a_power_in_disorder_count_as_written() -> None:
    before = replace(
        owning(position("W1901A", FRANCE="A BUR, A GAS"), FRANCE="PAR"), torn=frozenset({"FRANCE"})
    )
    assert fates(judged(before, orders(FRANCE="A BUR D"), UNIT)) == {"A BUR": "removed"}


# eliminated powers

ITALY = frozenset({"ITALY"})


def _passive(before: Position) -> Position:
    return replace(before, passive=ITALY)


@pytest.mark.parametrize("line", ["A VEN H", "A VEN - TRI", "A VEN S A ROM", "A ROM - NAP", "A BUR H"])
def test_orders_of_an_eliminated_power_are_refused(line: str) -> None:
    before = _passive(position(ITALY="A VEN, A ROM", FRANCE="A BUR"))
    outcome = judged(before, orders(ITALY=line))
    assert reasons(outcome) == {line: "passive_power"}
    assert outcome.refused[0].refusal.candidates == ("ITALY",)
    assert fates(outcome) == {"A VEN": "holds", "A ROM": "holds", "A BUR": "holds"}


@pytest.mark.parametrize(("option", "retreats"), [("destroyed", 0), ("may_retreat", 4)])
def test_units_of_an_eliminated_power_stand_and_may_be_supported(option: str, retreats: int) -> None:
    before = _passive(position(ITALY="A VEN", AUSTRIA="A TYR, F ADR", FRANCE="A PIE"))
    book = OLD.with_options({"civil_disorder_retreat": option})
    held = judged(before, orders(AUSTRIA="A TYR - VEN, F ADR S A TYR - VEN", FRANCE="A PIE S A VEN"), book)
    assert fates(held)["A PIE"] == "support_given"
    assert not held.dislodged
    lost = judged(before, orders(AUSTRIA="A TYR - VEN, F ADR S A TYR - VEN"), book)
    assert fates(lost)["A VEN"] == ("holds dislodged" if retreats else "holds dislodged destroyed")
    assert len(lost.dislodged[0].retreats) == retreats


def test_a_unit_that_nobody_may_send_away_is_lost() -> None:
    before = _passive(position(ITALY="A VEN", AUSTRIA="A TYR, F ADR"))
    turn = game.play_phase(CLASSIC, before, orders(AUSTRIA="A TYR - VEN, F ADR S A TYR - VEN"), DATC)
    assert turn.next_position is not None
    assert (str(turn.next_position.phase), turn.next_position.passive) == ("F1901M", ITALY)
    told = [
        (str(one.unit), one.results, one.cause.code) for one in turn.outcome.verdicts if one.power == "ITALY"
    ]
    assert told[-1] == ("A VEN", ("destroyed",), "retreat_missing")


def test_an_eliminated_power_orders_no_retreat() -> None:
    before = replace(
        _passive(position("S1901R", AUSTRIA="A VEN")), dislodged=(fallen("ITALY", "A VEN", "TYR", "ROM"),)
    )
    outcome = judged(before, orders(ITALY="A VEN R ROM"))
    assert reasons(outcome) == {"A VEN R ROM": "passive_power"}
    assert causes(outcome) == {"A VEN": "retreat_missing"}
    rules = CLASSIC.rules_for(before.phase)
    assert not rules.powers_with_choices(BOARD, before, DATC)
    assert not rules.legal_orders(BOARD, before, "ITALY", DATC)


@pytest.mark.parametrize("line", ["A ROM B", "A VEN D", "WAIVE"])
def test_an_eliminated_power_adjusts_nothing(line: str) -> None:
    before = _passive(owning(position("W1901A", ITALY="A VEN"), ITALY="VEN ROM NAP"))
    outcome = judged(before, orders(ITALY=line))
    assert reasons(outcome) == {line: "passive_power"}
    assert outcome.units == before.units
    rules = CLASSIC.rules_for(before.phase)
    assert not rules.powers_with_choices(BOARD, before, DATC)
    assert not rules.legal_orders(BOARD, before, "ITALY", DATC)


def test_an_eliminated_power_still_loses_what_it_cannot_keep() -> None:
    before = _passive(owning(position("W1901A", ITALY="A VEN, A PIE"), ITALY="VEN"))
    assert fates(judged(before, {})) == {"A PIE": "removed"}


def test_an_eliminated_power_drafts_nothing() -> None:
    before = replace(TRIO.start, passive=frozenset({"BOREA"}))
    outcome = judged(before, orders(BOREA="A FRO B"), setting=TRIO)
    assert reasons(outcome) == {"A FRO B": "passive_power"}
