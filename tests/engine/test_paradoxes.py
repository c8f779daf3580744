"""Convoy paradoxes under every rule that may settle them (DATC 4.A.2), and what they leave alone."""

from __future__ import annotations

import pytest

from talleyrand.engine.outcome import CauseCode
from tests.engine.scenes import DATC, fates, judged, orders, standing

Scene = dict[str, str]

# Two consistent ways out: the convoy fails or takes place.
TWO_WAYS = {
    "ENGLAND": "F LON S F WAL - ENG, F WAL - ENG",
    "FRANCE": "A BRE - LON, F ENG C A BRE - LON",
}
# Likewise with two convoys that hang on each other.
TWO_CONVOYS = {
    "ENGLAND": "F EDI - NTH, F LON S F EDI - NTH",
    "FRANCE": "A BRE - LON, F ENG C A BRE - LON",
    "GERMANY": "F BEL S F PIC - ENG, F PIC - ENG",
    "RUSSIA": "A NWY - BEL, F NTH C A NWY - BEL",
}
# No way out at all: the convoy cuts the support that decides on it.
NO_WAY = {
    "ENGLAND": "F EDI - NTH, F LON S F EDI - NTH, F IRI - ENG, F MAO S F IRI - ENG",
    "FRANCE": "A BRE - LON, F ENG C A BRE - LON, F BEL S F ENG",
    "RUSSIA": "A NWY - BEL, F NTH C A NWY - BEL",
}
# A convoy that has nothing to do with the paradox.
ELSEWHERE = {"ITALY": "A TUN - GRE, F ION C A TUN - GRE", "TURKEY": "A GRE S A BUL - SER, A BUL - SER"}

# No way out either: the support betrayed is what keeps the fleet, and the army, in the fight.
BETRAYED = {
    "ENGLAND": "A LON - BEL, F NTH C A LON - BEL, F ENG S A LON - BEL",
    "FRANCE": "F BEL S F NTH",
    "GERMANY": "F HEL S F SKA - NTH, F SKA - NTH",
}
SEA_FIRST_RULE = {"convoy_paradox": "sea_first_if_no_resolution"}
SEA_FIRST = {"F EDI": "moves", "A BRE": "bounces", "F ENG": "convoys", "F LON": "support_given"}
DISRUPTED = "convoy_disrupted dislodged"

FLEETS_FIRST = {"F WAL": "moves", "A BRE": "convoy_disrupted", "F ENG": "convoy_disrupted dislodged"}
CONVOY_FIRST = {"F WAL": "bounces", "A BRE": "bounces", "F ENG": "convoys", "F LON": "support_cut"}
NOBODY = {"F WAL": "bounces", "A BRE": "convoy_disrupted", "F ENG": "convoy_disrupted"}

ROWS = [
    (TWO_WAYS, {}, FLEETS_FIRST),
    (TWO_WAYS, {"convoy_paradox": "all_hold"}, NOBODY),
    (TWO_WAYS, {"convoy_paradox": "sea_first_if_no_resolution"}, FLEETS_FIRST),
    (TWO_WAYS, {"convoy_quasi_paradox": "convoys_take_place"}, CONVOY_FIRST),
    (
        TWO_CONVOYS,
        {},
        {"F EDI": "moves", "F PIC": "moves", "A BRE": "convoy_disrupted", "A NWY": "convoy_disrupted"},
    ),
    (
        TWO_CONVOYS,
        {"convoy_paradox": "all_hold"},
        {"F EDI": "bounces", "F PIC": "bounces", "F NTH": "convoy_disrupted", "F ENG": "convoy_disrupted"},
    ),
    (
        TWO_CONVOYS,
        {"convoy_quasi_paradox": "convoys_take_place"},
        {"F EDI": "bounces", "F PIC": "bounces", "F NTH": "convoys", "F ENG": "convoys", "A NWY": "bounces"},
    ),
    (
        NO_WAY,
        {},
        {
            "F EDI": "moves",
            "A NWY": "convoy_disrupted",
            "F ENG": "convoy_disrupted",
            "F LON": "support_given",
        },
    ),
    (NO_WAY, {"convoy_paradox": "all_hold"}, {"F EDI": "bounces", "F NTH": "convoy_disrupted"}),
    (
        NO_WAY,
        {"convoy_paradox": "sea_first_if_no_resolution"},
        {"F EDI": "moves", "A BRE": "bounces", "F ENG": "convoys", "F LON": "support_given"},
    ),
    (
        NO_WAY,
        {"convoy_quasi_paradox": "convoys_take_place"},
        {"F EDI": "moves", "A BRE": "convoy_disrupted", "F ENG": "convoy_disrupted"},
    ),
    (TWO_WAYS, {"convoy_paradox": "sea_first_always"}, FLEETS_FIRST),
    (TWO_WAYS, {"convoy_paradox": "rule_1982"}, FLEETS_FIRST),
    (NO_WAY, {"convoy_paradox": "rule_1982"}, SEA_FIRST),
    (NO_WAY, {"convoy_paradox": "sea_first_always"}, SEA_FIRST),
    (
        TWO_CONVOYS,
        {"convoy_paradox": "rule_1982"},
        {"F EDI": "moves", "F PIC": "moves", "F LON": "support_given", "F BEL": "support_given"},
    ),
    (BETRAYED, {}, {"F BEL": "support_given", "F SKA": "bounces", "A LON": "convoy_disrupted"}),
    (BETRAYED, SEA_FIRST_RULE, {"F BEL": "support_given dislodged", "F SKA": "bounces", "A LON": "moves"}),
    (
        BETRAYED,
        SEA_FIRST_RULE | {"paradox_support_survives_dislodgement": "no"},
        {"F BEL": "support_cut dislodged", "F SKA": "moves", "A LON": "moves", "F NTH": DISRUPTED},
    ),
    (
        BETRAYED,
        {"convoy_paradox": "rule_1982"},
        {"F BEL": "support_given dislodged", "F SKA": "bounces", "A LON": "moves", "F NTH": "convoys"},
    ),
    (BETRAYED, {"disrupted_convoy_effect": "cuts_and_bounces"}, {"F BEL": "support_cut", "F SKA": "moves"}),
]


@pytest.mark.parametrize(("scene", "options", "expected"), ROWS)
def test_a_paradox(scene: Scene, options: dict[str, str], expected: dict[str, str]) -> None:
    found = fates(judged(standing(**scene), orders(**scene), DATC.with_options(options)))
    assert {unit: found[unit] for unit in expected} == expected


@pytest.mark.parametrize(("scene", "options", "expected"), ROWS)
def test_what_has_no_part_in_it_is_judged_as_ever(
    scene: Scene, options: dict[str, str], expected: dict[str, str]
) -> None:
    together, book = scene | ELSEWHERE, DATC.with_options(options)
    found = fates(judged(standing(**together), orders(**together), book))
    alone = fates(judged(standing(**ELSEWHERE), orders(**ELSEWHERE), book))
    assert alone["A GRE"] == "support_cut"
    assert {unit: found[unit] for unit in (*expected, *alone)} == expected | alone


def test_an_attack_that_the_rule_stops_says_so() -> None:
    book = DATC.with_options({"convoy_paradox": "all_hold"})
    outcome = judged(standing(**TWO_WAYS), orders(**TWO_WAYS), book)
    stopped = {str(v.unit): v.cause.option for v in outcome.verdicts if v.cause.code is CauseCode.PARADOX}
    assert stopped == dict.fromkeys(("F WAL", "A BRE", "F ENG"), "convoy_paradox")
