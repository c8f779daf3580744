"""Builds and removals, and under every value of the options what becomes of too many or too few."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.engine import adjustments
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.position import Position
from talleyrand.engine.removals import removal_order
from tests.engine.scenes import BOARD, CLASSIC, DATC, TRIO, fates, judged, orders, owning, position, reasons


def _winter(centres: str, units: str, power: str = "FRANCE") -> Position:
    return owning(position("W1901A", **{power: units}), **{power: centres})


def _said(before: Position, lines: str, power: str = "FRANCE", **options: str) -> list[str]:
    """The results of the lines in their order, then of the units removed by the rules."""
    outcome = judged(before, orders(**{power: lines}), DATC.with_options(options))
    assert not outcome.refused
    return [
        f"{verdict.order or verdict.unit} {' '.join(verdict.results)} {verdict.cause.code}"
        for verdict in outcome.verdicts
    ]


ONE = _winter("BRE MAR PAR SPA", "A SPA, A BUR, F MAO")
TWO = _winter("BRE MAR PAR SPA", "A SPA, F MAO")


@pytest.mark.parametrize(
    ("option", "first", "second"),
    [
        ("first_legal", "builds within_balance", "build_ignored surplus"),
        ("last_legal", "build_ignored surplus", "builds within_balance"),
        ("none", "build_ignored surplus", "build_ignored surplus"),
    ],
)
def test_too_many_builds(option: str, first: str, second: str) -> None:
    said = _said(ONE, "F BRE B, A PAR B", too_many_builds=option)
    assert said == [f"F BRE B {first}", f"A PAR B {second}"]
    all_of_them = _said(TWO, "F BRE B, A PAR B", too_many_builds=option)
    assert all_of_them == ["F BRE B builds within_balance", "A PAR B builds within_balance"]


@pytest.mark.parametrize("option", ["first_legal", "last_legal", "none"])
def test_void_builds_use_up_nothing(option: str) -> None:
    said = _said(ONE, "F PAR B, A PAR B, A SPA B", too_many_builds=option)
    assert said == [
        "F PAR B build_void unit_cannot_stand",
        "A PAR B builds within_balance",
        "A SPA B build_void not_home_centre",
    ]


@pytest.mark.parametrize("surplus", ["first_legal", "last_legal"])
@pytest.mark.parametrize(
    ("option", "first", "second"),
    [
        ("first", "builds within_balance", "build_void centre_used"),
        ("last", "build_void centre_used", "builds within_balance"),
        ("none", "build_void centre_used", "build_void centre_used"),
    ],
)
def test_two_builds_for_one_centre(option: str, first: str, second: str, surplus: str) -> None:
    options = {"two_builds_one_centre": option, "too_many_builds": surplus}
    assert _said(TWO, "A BRE B, F BRE B", **options) == [f"A BRE B {first}", f"F BRE B {second}"]


@pytest.mark.parametrize("option", ["first", "last", "none"])
def test_only_builds_that_are_legal_otherwise_compete_for_a_centre(option: str) -> None:
    said = _said(TWO, "F PAR B, A PAR B", two_builds_one_centre=option)
    assert said == ["F PAR B build_void unit_cannot_stand", "A PAR B builds within_balance"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("F STP B", "coast_missing"),
        ("F MOS B", "unit_cannot_stand"),
        ("A NTH B", "unit_cannot_stand"),
        ("A UKR B", "not_home_centre"),
        ("A SWE B", "not_home_centre"),
        ("A WAR B", "centre_not_owned"),
        ("F SEV B", "centre_occupied"),
    ],
)
def test_a_void_build(line: str, why: str) -> None:
    before = _winter("STP MOS SEV SWE", "A SEV", "RUSSIA")
    assert _said(before, line, "RUSSIA") == [f"{line} build_void {why}"]


@pytest.mark.parametrize("line", ["F STP/NC B", "F STP/SC B", "A STP B"])
def test_a_build_in_a_province_with_two_coasts(line: str) -> None:
    before = _winter("STP MOS", "A UKR", "RUSSIA")
    outcome = judged(before, orders(RUSSIA=line))
    assert f"{line} B".startswith(str(outcome.units[-1]))


@pytest.mark.parametrize("line", ["A STP/NC B", "A MOS/SC B"])
def test_a_coast_that_is_none_of_the_units_is_left_out(line: str) -> None:
    before = _winter("STP MOS", "A UKR", "RUSSIA")
    built = judged(before, orders(RUSSIA=line)).units[-1]
    assert str(built) == line.partition("/")[0]


def test_homes_of_ones_own_choice_replace_those_of_the_board() -> None:
    before = replace(_winter("BRE SPA", "F MAO"), homes={"FRANCE": ("SPA",)})
    said = _said(before, "A BRE B, A SPA B")
    assert said == ["A BRE B build_void not_home_centre", "A SPA B builds within_balance"]


def test_waiving() -> None:
    assert _said(ONE, "WAIVE, A PAR B") == [
        "WAIVE waived chosen",
        "A PAR B build_ignored balance_not_positive",
    ]
    assert _said(_winter("PAR", "A PAR"), "WAIVE") == ["WAIVE build_ignored balance_not_positive"]


def test_neither_builds_nor_removals_at_level_balance() -> None:
    said = _said(_winter("PAR MAR", "A SPA, A BUR"), "A SPA D, A PAR B")
    assert said == [
        "A SPA D removal_ignored balance_not_negative",
        "A PAR B build_ignored balance_not_positive",
    ]


THREE = _winter("SEV MOS", "A GAL, A UKR, A SEV", "RUSSIA")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("first_legal", ["A GAL D removed chosen", "A UKR D removal_ignored surplus"]),
        ("last_legal", ["A GAL D removal_ignored surplus", "A UKR D removed chosen"]),
        (
            "civil_disorder",
            [
                "A GAL D removal_ignored surplus",
                "A UKR D removal_ignored surplus",
                "A GAL removed removed_by_rule",
            ],
        ),
    ],
)
def test_too_many_removals(option: str, said: list[str]) -> None:
    assert _said(THREE, "A GAL D, A UKR D", "RUSSIA", too_many_removals=option) == said


@pytest.mark.parametrize("option", ["first_legal", "last_legal", "civil_disorder"])
def test_as_many_removals_as_are_due(option: str) -> None:
    before = _winter("SEV", "A GAL, A UKR, A SEV", "RUSSIA")
    said = _said(before, "A SEV D, A UKR D", "RUSSIA", too_many_removals=option)
    assert said == ["A SEV D removed chosen", "A UKR D removed chosen"]


def test_the_same_unit_removed_twice() -> None:
    said = _said(_winter("SEV", "A GAL, A UKR, A SEV", "RUSSIA"), "A GAL D, A GAL D", "RUSSIA")
    assert said == [
        "A GAL D removed chosen",
        "A GAL D removal_ignored already_removed",
        "A UKR removed removed_by_rule",
    ]


def test_builds_instead_of_removals_and_removals_not_written() -> None:
    said = _said(THREE, "A MOS B, WAIVE", "RUSSIA")
    assert said == [
        "A MOS B build_ignored balance_not_positive",
        "WAIVE build_ignored balance_not_positive",
        "A GAL removed removed_by_rule",
    ]


@pytest.mark.parametrize(
    ("units", "centres", "options", "order"),
    [
        # the farthest from the centres owned, or from the home centres
        ("A FIN, F BEL, F SWE", "BER KIE MUN SWE", {}, "F BEL, A FIN, F SWE"),
        (
            "A FIN, F BEL, F SWE",
            "BER KIE MUN SWE",
            {"removal_reference": "home_centres"},
            "A FIN, F BEL, F SWE",
        ),
        # as far: fleets first, then by the English name or by the number in the list
        ("A TYR, F BAL, A SIL", "BER KIE MUN", {}, "F BAL, A SIL, A TYR"),
        ("A STP, A SER", "MOS BUD", {}, "A SER, A STP"),
        ("A STP, A SER", "MOS BUD", {"removal_alphabet": "english_annex_number"}, "A STP, A SER"),
        ("A TUS, A TRI", "VEN ROM", {}, "A TRI, A TUS"),
        ("A TUS, A TRI", "VEN ROM", {"removal_alphabet": "english_annex_number"}, "A TUS, A TRI"),
        # without any centre everybody is as far
        ("A BUR, F NTH, A GAS", "", {}, "F NTH, A BUR, A GAS"),
    ],
)
def test_who_is_removed_first(units: str, centres: str, options: dict[str, str], order: str) -> None:
    before = _winter(centres, units, "GERMANY")
    found = removal_order(BOARD, before, "GERMANY", DATC.with_options(options))
    assert ", ".join(map(str, found)) == order


def test_a_power_without_centres_loses_all_its_units() -> None:
    outcome = judged(_winter("", "A SPA, F MAO"), {})
    assert fates(outcome) == {"F MAO": "removed", "A SPA": "removed"}
    assert not outcome.units


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A LON D", "no_such_unit"),
        ("F SPA D", "no_such_unit"),
        ("A BER D", "foreign_unit"),
        ("A XXX B", "unknown_place"),
        ("Z PAR B", "unknown_place"),
        ("A SPA H", "wrong_phase"),
        ("A SPA - GAS", "wrong_phase"),
    ],
)
def test_a_refused_line(line: str, reason: str) -> None:
    before = replace(ONE, units=(*ONE.units, *position(GERMANY="A BER").units))
    assert reasons(judged(before, orders(FRANCE=line))) == {line: reason}


def test_balances() -> None:
    before = owning(
        position("W1901A", FRANCE="A SPA", ITALY="A ROM, A NAP, F TUN", GERMANY="A PAR"),
        FRANCE="BRE MAR PAR SPA",
        ITALY="ROM",
    )
    found = adjustments.adjustment_counts(BOARD, before, DATC)
    assert (found["FRANCE"], found["ITALY"], found["GERMANY"]) == (
        AdjustmentCount(3, 2, 0),
        AdjustmentCount(-2, 0, 2),
        AdjustmentCount(-1, 0, 1),
    )
    assert adjustments.free_home_centres(BOARD, before, "FRANCE") == ("BRE", "MAR")


def test_who_has_something_to_decide_and_what() -> None:
    before = owning(
        position("W1901A", FRANCE="A SPA", ITALY="A ROM, A NAP", GERMANY="A MUN", TURKEY="A SMY"),
        FRANCE="BRE PAR",
        ITALY="ROM",
        TURKEY="SMY",
    )
    rules = CLASSIC.rules_for(before.phase)
    assert rules.powers_with_choices(BOARD, before, DATC) == ("FRANCE", "ITALY")
    offered = {power: rules.legal_orders(BOARD, before, power, DATC) for power in BOARD.powers}
    assert [str(order) for order in offered["FRANCE"]] == ["A BRE B", "F BRE B", "A PAR B", "WAIVE"]
    assert [str(order) for order in offered["ITALY"]] == ["A ROM D", "A NAP D"]
    assert offered["TURKEY"] == ()


def test_a_draft_allows_one_patrol() -> None:
    lines = orders(BOREA="P FRO B, P NEE B, F NEE/WC B", SOLANA="P BEA B, A SAF B")
    outcome = judged(TRIO.start, lines, setting=TRIO)
    assert [(str(verdict.order), *verdict.results, verdict.cause.code) for verdict in outcome.verdicts] == [
        ("P FRO B", "builds", "within_balance"),
        ("P NEE B", "build_void", "one_of_kind"),
        ("F NEE/WC B", "builds", "within_balance"),
        ("P BEA B", "builds", "within_balance"),
        ("A SAF B", "builds", "within_balance"),
    ]
