"""Why an order came to what it came to: for every cause of a movement phase a scene, and what it names."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from talleyrand.engine.outcome import CauseCode, Verdict
from tests.engine.scenes import DATC, causes, judged, orders, standing


class Row(NamedTuple):
    """A unit's cause in a scene, with the units and places it names and the option that decided."""

    code: str
    unit: str
    scene: dict[str, str]
    units: str = ""
    places: str = ""
    option: str | None = None
    options: dict[str, str] = {}  # noqa: RUF012 (a tuple's default, never changed)
    disorder: str = ""


BROKEN = {
    "ENGLAND": "A LON - BEL, F NTH C A LON - BEL",
    "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH",
}
"""A convoy whose fleet is dislodged."""
THROWN_BACK = {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR - PAR, A GAS S A BUR - PAR"}
"""A unit dislodged by the very unit it attacks."""
ROUND = "F ANK - CON, A CON - SMY, A SMY - ANK, A BUL - CON"
"""A rotation of one's own that a fourth unit of one's own keeps from turning."""
ROWS = [
    Row("unopposed", "A PAR", {"FRANCE": "A PAR - BUR"}, places="BUR"),
    Row(
        "stronger",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H, A MUN - BUR"},
        units="A BUR, A MUN",
        places="BUR",
    ),
    Row(
        "stronger",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A MUN - BUR"},
        "A MUN",
        "BUR",
    ),
    Row(
        "dislodges",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"},
        "A BUR",
        "BUR",
    ),
    Row("rival_stranded", "A PIC", {"FRANCE": "A PIC - BEL", **BROKEN}, "A LON", "BEL"),
    Row("rival_dislodged", "A MAR", {"ITALY": "A MAR - BUR", **THROWN_BACK}, "A PAR", "BUR"),
    Row(
        "rival_without_effect",
        "A RUH",
        {
            **BROKEN,
            "ITALY": "A RUH - BEL",
            "FRANCE": "A PIC - BEL",
            "AUSTRIA": "A BEL - PIC, A PAR S A BEL - PIC",
        },
        "A LON, A PIC",
        "BEL",
    ),
    Row(
        "rotation",
        "A SER",
        {"AUSTRIA": "A SER - BUD, A BUD - RUM, A RUM - SER"},
        "A BUD, A RUM",
        "BUD",
    ),
    Row(
        "swap",
        "A LON",
        {
            "ENGLAND": "A LON - BEL, F NTH C A LON - BEL",
            "FRANCE": "A BEL - LON, F ENG C A BEL - LON",
        },
        "A BEL",
        "BEL",
        "convoy_exchange",
    ),
    Row(
        "stand_off",
        "A PAR",
        {"FRANCE": "A PAR - BUR", "GERMANY": "A MUN - BUR, A RUH - BUR"},
        "A MUN, A RUH",
        "BUR",
    ),
    Row(
        "beaten",
        "A PAR",
        {"FRANCE": "A PAR - BUR", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
        "A MUN",
        "BUR",
    ),
    Row(
        "beaten",
        "A PAR",
        {"FRANCE": "A PAR - BUR", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR", "ITALY": "A BUR H"},
        "A MUN",
        "BUR",
    ),
    Row(
        "beaten",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A BUR H", "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"},
        "A MUN",
        "BUR",
    ),
    Row("not_stronger_than_unit", "A PAR", {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H"}, "A BUR", "BUR"),
    Row(
        "not_stronger_than_unit",
        "A PAR",
        {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR S A MUN, A MUN H"},
        "A BUR",
        "BUR",
    ),
    Row("head_on", "A PAR", {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR - PAR"}, "A BUR", "BUR"),
    Row("head_on", "A PAR", {"ITALY": "A MAR - BUR", **THROWN_BACK}, "A BUR", "BUR"),
    Row(
        "own_unit",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR, A BUR H"},
        "A BUR",
        "BUR",
        "self_dislodgement",
    ),
    # the rule decides only for an attack that would win without it
    Row("not_stronger_than_unit", "F ANK", {"TURKEY": ROUND}, "A CON", "CON"),
    Row(
        "not_stronger_than_unit",
        "A PAR",
        {"FRANCE": "A PAR - BUR, A BUR - MUN, A MAR - BUR", "GERMANY": "A MUN H"},
        "A BUR",
        "BUR",
    ),
    Row("head_on", "A PAR", {"FRANCE": "A PAR - BUR, A BUR - PAR"}, "A BUR", "BUR"),
    Row(
        "stand_off",
        "A PAR",
        {
            "FRANCE": "A PAR - BUR, A PIC S A PAR - BUR, A BUR H",
            "GERMANY": "A MUN - BUR, A RUH S A MUN - BUR",
        },
        "A MUN",
        "BUR",
    ),
    Row(
        "own_supports",
        "A PAR",
        {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H, A MUN S A PAR - BUR"},
        "A BUR",
        "BUR",
        "support_against_own_unit",
    ),
    Row("no_convoy", "A LON", {"ENGLAND": "A LON - BEL, F NTH H"}, places="BEL"),
    Row("no_convoy", "A LON", {"ENGLAND": "A LON - BEL, F NTH C A LON - HOL"}, places="BEL"),
    Row(
        "no_convoy",
        "A EDI",
        {"AUSTRIA": "A EDI - NWG - NWY, F NWG H", "TURKEY": "F CLY - NWG, F NWY S F CLY - NWG"},
        places="NWY",
        options={"convoy_path": "required"},
    ),
    Row(
        "fleet_dislodged",
        "A LON",
        {"ENGLAND": "A LON - BEL, F NTH C A LON - BEL", "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH"},
        "F NTH",
        "BEL",
    ),
    Row(
        "fleet_dislodged",
        "A LON",
        {
            "ENGLAND": "A LON - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL",
            "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH",
        },
        "F NTH",
        "BEL",
        "multi_route_disruption",
        {"multi_route_disruption": "any_route"},
    ),
    # supports
    Row("not_attacked", "A MAR", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR"}),
    Row("attack_stranded", "A BEL", {"FRANCE": "A BEL S A BUR, A BUR H", **BROKEN}, "A LON"),
    Row(
        "attack_from_target",
        "A MAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR - MAR"},
        "A BUR",
        "BUR",
    ),
    Row("own_attack", "A MAR", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR, A GAS - MAR"}, "A GAS"),
    Row(
        "cut_by_attack",
        "A MAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "ITALY": "A PIE - MAR, F LYO - MAR"},
        "A PIE, F LYO",
    ),
    Row(
        "cut_by_attack",
        "A MAR",
        {
            "FRANCE": "A PAR - BUR, A MAR S A PAR - BUR",
            "ITALY": "A PIE - MAR, F LYO S A BUR - MAR",
            "GERMANY": "A BUR - MAR, A GAS S A BUR - MAR",
        },
        "A PIE",
    ),
    Row(
        "cut_by_dislodgement",
        "A MAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR - MAR, A GAS S A BUR - MAR"},
        "A BUR",
    ),
    Row("supported_unit_moves", "A MAR", {"FRANCE": "A BUR - PAR, A MAR S A BUR"}, "A BUR", "PAR"),
    Row("supported_unit_stays", "A MAR", {"FRANCE": "A PAR H, A MAR S A PAR - BUR"}, "A PAR"),
    Row("supported_unit_elsewhere", "A MAR", {"FRANCE": "A PAR - PIC, A MAR S A PAR - BUR"}, "A PAR", "PIC"),
    Row(
        "coast_differs",
        "F POR",
        {"FRANCE": "F MAO - SPA/SC, F POR S F MAO - SPA/NC"},
        "F MAO",
        "SPA/SC",
        "support_coast_own",
    ),
    Row(
        "coast_differs",
        "F POR",
        {"ENGLAND": "F MAO - SPA/SC", "FRANCE": "F POR S F MAO - SPA/NC"},
        "F MAO",
        "SPA/SC",
        "support_coast_foreign",
    ),
    Row(
        "coast_not_said",
        "F POR",
        {"FRANCE": "F POR S F MAO - SPA", "ITALY": "F MAO - SPA/SC"},
        "F MAO",
        "SPA/SC",
        "support_coast_foreign",
        {"support_coast_foreign": "must_match"},
    ),
    Row(
        "power_in_disorder",
        "A MAR",
        {"FRANCE": "A MAR S A BUR", "GERMANY": "A BUR H"},
        "A BUR",
        "",
        "civil_disorder_support",
        {"civil_disorder_support": "forbidden", "civil_disorder_trigger": "no_orders_for_a_season"},
        "GERMANY",
    ),
    Row(
        "supported_unit_misordered",
        "A MAR",
        {"FRANCE": "A MAR S A BUR", "GERMANY": "A BUR - LON"},
        "A BUR",
        "",
        "illegal_order",
        {"illegal_order": "ignored_and_hold"},
    ),
    Row(
        "supported_unit_misordered",
        "F GRE",
        {"RUSSIA": "F GRE S F AEG, F AEG C A ALB - GRE"},
        "F AEG",
        "",
        "illegal_order",
        {"illegal_order": "ignored_and_hold"},
    ),
    Row(
        "against_own_unit",
        "A MAR",
        {"FRANCE": "A MAR S A MUN - BUR, A BUR H", "GERMANY": "A MUN - BUR"},
        "A MUN",
        "BUR",
        "support_against_own_unit",
        {"support_against_own_unit": "illegal"},
    ),
    # convoys
    Row(
        "convoy_ready",
        "F ENG",
        {"FRANCE": "A PIC - BEL, F ENG C A PIC - BEL"},
        "A PIC",
        "",
        "route_fallback",
        {"land_or_sea_route": "land_then_sea", "route_fallback": "to_sea"},
    ),
    Row(
        "other_path",
        "F ENG",
        {"ENGLAND": "A LON - NTH - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL"},
        "A LON",
        "",
        "convoy_path",
        {"convoy_path": "allowed"},
    ),
    Row("convoy_stands", "F NTH", {"ENGLAND": "A LON - BEL, F NTH C A LON - BEL"}, "A LON"),
    Row(
        "chain_broken",
        "F LYO",
        {
            "FRANCE": "A SPA - NAP, F LYO C A SPA - NAP, F TYS C A SPA - NAP",
            "ITALY": "F ION - TYS, F TUN S F ION - TYS",
        },
        "A SPA",
    ),
    Row("army_otherwise", "F NTH", {"ENGLAND": "A LON H, F NTH C A LON - BEL"}, "A LON"),
    Row(
        "army_by_land",
        "F ENG",
        {"FRANCE": "A PIC - BEL", "ENGLAND": "F ENG C A PIC - BEL"},
        "A PIC",
        "",
        "land_or_sea_route",
    ),
    Row(
        "chain_incomplete",
        "F NTH",
        {"ENGLAND": "A LON - STP, F NTH C A LON - STP, F NWG H, F BAR H"},
        "A LON",
    ),
    Row("convoy_broken", "F NTH", BROKEN, "F HEL"),
    Row(
        "dislodged_by",
        "F NTH",
        {**BROKEN, "FRANCE": "F ENG C A LON - BEL"},
        "F HEL",
    ),
    Row("army_otherwise", "F NTH", {**BROKEN, "ENGLAND": "A LON H, F NTH C A LON - BEL"}, "A LON"),
    # units that stay
    Row("ordered", "A PAR", {"FRANCE": "A PAR H"}),
    Row("held_off", "A BUR", {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H"}, "A PAR"),
    Row(
        "dislodged_by", "A BUR", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"}, "A PAR"
    ),
]


def _verdict(row: Row) -> Verdict:
    book = DATC.with_options(row.options)
    outcome = judged(standing(row.disorder, **row.scene), orders(**row.scene), book)
    return next(verdict for verdict in outcome.verdicts if str(verdict.unit) == row.unit)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code}-{row.unit}")
def test_a_cause(row: Row) -> None:
    cause = _verdict(row).cause
    named = ", ".join(sorted(map(str, cause.units))), ", ".join(cause.places), cause.option
    assert (cause.code, *named) == (row.code, row.units, row.places, row.option)


EVEN, TWO_AGAINST_ONE = {"FRANCE": "A PAR - BUR"}, {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR"}
EDGES = (
    (EVEN | {"GERMANY": "A MUN - BUR"}, "even"),
    (EVEN | {"GERMANY": "A MUN - BUR, A RUH S A MUN - BUR"}, "stronger"),
    (EVEN | {"GERMANY": "A MUN - BUR", "ITALY": "A PIC - BUR, A BEL S A PIC - BUR, A GAS - PIC"}, "stronger"),
    (
        EVEN
        | {
            "GERMANY": "A MUN - BUR",
            "ITALY": "A PIC - BUR, A BEL S A PIC - BUR",
            "RUSSIA": "A RUH - BUR, A GAS S A RUH - BUR",
        },
        None,
    ),
    (EVEN | {"GERMANY": "A BUR H"}, "even"),
    (EVEN | {"GERMANY": "A BUR H, A MUN S A BUR"}, "stronger"),
    (TWO_AGAINST_ONE | {"GERMANY": "A BUR H, A MUN S A BUR"}, "even"),
    (EVEN | {"GERMANY": "A BUR - PAR"}, "even"),
    (THROWN_BACK, "stronger"),
    (EVEN, None),
)


@pytest.mark.parametrize(("scene", "edge"), EDGES)
def test_how_strong_those_are_who_stop_an_attack(scene: dict[str, str], edge: str | None) -> None:
    assert _verdict(Row("", "A PAR", scene)).cause.comparison == edge


def test_who_dislodges_is_named_last() -> None:
    scene = {"FRANCE": "A PAR S A BRE, A BRE H", "GERMANY": "A BUR - PAR, A GAS S A BUR - PAR, A PIC - PAR"}
    verdict = _verdict(Row("", "A PAR", scene))
    assert [str(unit) for unit in verdict.by] == ["A PIC", "A BUR"]


BETRAYED = {
    "ENGLAND": "A LON - BEL, F NTH C A LON - BEL, F ENG S A LON - BEL",
    "FRANCE": "F BEL S F NTH",
    "GERMANY": "F HEL S F SKA - NTH, F SKA - NTH",
}


def test_the_causes_of_a_paradox() -> None:
    outcome = judged(standing(**BETRAYED), orders(**BETRAYED))
    told = {str(verdict.unit): verdict.cause for verdict in outcome.verdicts}
    assert (told["A LON"].code, told["A LON"].option) == (CauseCode.PARADOX, "convoy_paradox")
    assert told["F NTH"].code is CauseCode.PARADOX
    assert told["F BEL"].code is CauseCode.ATTACK_STRANDED


def test_a_support_that_a_convoyed_attack_may_not_cut() -> None:
    scene = {
        "ENGLAND": "F LON S F WAL - ENG, F WAL - ENG",
        "FRANCE": "A BRE - LON, F ENG C A BRE - LON",
        "GERMANY": "F BEL - ENG, F NTH S F BEL - ENG",
    }
    book = DATC.with_options({"convoy_self_protection": "never_cuts_necessary_fleet"})
    cause = judged(standing(**scene), orders(**scene), book).verdicts[0].cause
    assert (cause.code, cause.option) == (CauseCode.CONVOY_PROTECTED, "convoy_self_protection")
    assert [str(unit) for unit in cause.units] == ["A BRE"]


def test_units_without_an_order_or_with_one_refused() -> None:
    before = standing(FRANCE="A PAR H, F BRE H")
    outcome = judged(before, orders(FRANCE="F BRE - PAR"))
    assert causes(outcome) == {"A PAR": "no_order", "F BRE": "no_order"}
    assert [entry.refusal.code for entry in outcome.refused] == ["unreachable"]


@pytest.mark.parametrize(
    ("scene", "unit", "route", "to"),
    [
        ({"FRANCE": "A PIC - BEL"}, "A PIC", "land", "BEL"),
        ({"FRANCE": "A PIC - BEL VIA, F ENG C A PIC - BEL"}, "A PIC", "sea", "BEL"),
        ({"FRANCE": "A PIC - BEL, F ENG C A PIC - BEL"}, "A PIC", "sea", "BEL"),
        ({"FRANCE": "A PIC - LON, F ENG H"}, "A PIC", "sea", "LON"),
        ({"FRANCE": "F GAS - SPA"}, "F GAS", "land", "SPA/NC"),
        ({"FRANCE": "A PIC H"}, "A PIC", None, None),
    ],
)
def test_the_route_and_the_goal_of_a_move(
    scene: dict[str, str], unit: str, route: str | None, to: str | None
) -> None:
    verdict = _verdict(Row("", unit, scene))
    assert (verdict.route, verdict.to) == (route, to)


def test_a_unit_may_support_and_be_dislodged() -> None:
    scene = {
        "RUSSIA": "F CON S F BLA - ANK, F BLA - ANK",
        "TURKEY": "F ANK - CON, A SMY S F ANK - CON",
    }
    fallen = judged(standing(**scene), orders(**scene)).verdicts[0]
    assert fallen.results == ("support_cut", "dislodged")
    assert [str(unit) for unit in fallen.by] == ["F ANK"]


def test_passive_powers_stand_and_are_lost_when_dislodged() -> None:
    scene = {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "ITALY": "A BUR H"}
    before = replace(standing(**scene), passive=frozenset({"ITALY"}))
    book = DATC.with_options({"civil_disorder_retreat": "destroyed"})
    outcome = judged(before, orders(FRANCE=scene["FRANCE"]), book)
    assert outcome.dislodged[0].retreats == ()
    assert outcome.verdicts[2].results == ("holds", "dislodged", "destroyed")


def test_every_cause_of_a_movement_phase_has_a_scene() -> None:
    codes = list(CauseCode)
    movement = set(codes[: codes.index(CauseCode.RETREAT_FREE)])
    elsewhere = {
        CauseCode.REFUSED,
        CauseCode.NO_ORDER,
        CauseCode.NO_RETREAT,
        CauseCode.PARADOX,
        CauseCode.CONVOY_PROTECTED,
    }
    assert {row.code for row in ROWS} == {str(code) for code in movement - elsewhere}
