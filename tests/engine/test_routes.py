"""By land or by sea to a neighbour, and what a convoyed attack does there, under every choice of a book
(DATC 4.A.1 to 4.A.7)."""

from __future__ import annotations

import pytest

from talleyrand.engine.errors import ImpossibleCombination
from tests.engine.scenes import DATC, fates, judged, orders, standing

Scene = dict[str, str]

KIDNAPPED = {"ENGLAND": "A NWY - SWE", "RUSSIA": "F SWE - NWY", "GERMANY": "F SKA C A NWY - SWE"}
ASKED = {"ENGLAND": "A NWY - SWE VIA", "RUSSIA": "F SWE - NWY", "GERMANY": "F SKA C A NWY - SWE"}
OWN_FLEET = {"ENGLAND": "A NWY - SWE, F SKA C A NWY - SWE", "RUSSIA": "F SWE - NWY"}
OWN_SWAP = {"ENGLAND": "A NWY - SWE, F SWE - NWY", "GERMANY": "F SKA C A NWY - SWE"}
BROKEN = {"ITALY": "A ROM - VEN, F TYS C A ROM - VEN, F ION C A ROM - VEN", "TURKEY": "F ADR H"}
HALF = {"ITALY": "A ROM - VEN, F TYS C A ROM - VEN, F ION H", "TURKEY": "F ADR H"}
# a second chain, of foreign fleets alone: no own fleet of it lacks its order
HALF_AND_FOREIGN = {"ENGLAND": "A WAL - LVP, F ENG C A WAL - LVP, F NAO H", "FRANCE": "F MAO H, F IRI H"}
SUNK = {
    "ENGLAND": "A NWY - SWE, F SKA C A NWY - SWE",
    "GERMANY": "F DEN - SKA, F NTH S F DEN - SKA",
}
SUNK_FOREIGN = {
    "ENGLAND": "A NWY - SWE",
    "RUSSIA": "F SKA C A NWY - SWE",
    "GERMANY": "F DEN - SKA, F NTH S F DEN - SKA",
}
RIVAL = {
    "ENGLAND": "A LON - BEL, F NTH C A LON - BEL",
    "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH, A RUH - BEL",
}
LAST_FLEET = {
    "ENGLAND": "A LON - BEL, F ENG C A LON - BEL, F NTH S A LON - BEL",
    "FRANCE": "F BEL - ENG, F BRE S F BEL - ENG",
}
TWO_PATHS = {"ENGLAND": "A LON - NTH - BEL, F NTH C A LON - BEL, F ENG C A LON - BEL"}
PATH_SUNK = TWO_PATHS | {"GERMANY": "F HEL - NTH, F HOL S F HEL - NTH"}
BY_LAND, BY_SEA = {"A NWY": "bounces", "F SWE": "bounces"}, {"A NWY": "moves", "F SWE": "moves"}
FAILS, LANDS = {"A ROM": "convoy_disrupted"}, {"A ROM": "moves"}


def by(route: str, fallback: str = "none", **others: str) -> dict[str, str]:
    return {"land_or_sea_route": route, "route_fallback": fallback} | others


FREE = {"kidnapping": "possible"}
ROWS: list[tuple[Scene, dict[str, str], dict[str, str]]] = [
    (KIDNAPPED, {}, BY_LAND),
    (KIDNAPPED, FREE, BY_SEA),
    (KIDNAPPED, by("opposite_move_only"), BY_LAND),
    (KIDNAPPED, by("opposite_move_only", **FREE), BY_SEA),
    (KIDNAPPED, by("intent_of_orders"), BY_LAND),
    (KIDNAPPED, by("own_chain_or_marker"), BY_LAND),
    (KIDNAPPED, by("own_chain_or_marker", **FREE), BY_SEA),
    (KIDNAPPED, by("marker_required"), BY_LAND),
    (KIDNAPPED, by("sea_then_land"), BY_LAND),
    (KIDNAPPED, by("sea_then_land", **FREE), BY_SEA),
    (KIDNAPPED, by("land_then_sea", **FREE), BY_LAND),
    (KIDNAPPED, by("land_then_sea", "to_sea", **FREE), BY_SEA),
    (KIDNAPPED, by("land_then_sea", "to_sea"), BY_LAND),
    (ASKED, {}, BY_SEA),
    (ASKED, {"convoy_marker": "none"}, BY_LAND),
    (ASKED, {"convoy_marker": "par_convoi_or_C"}, BY_SEA),
    (ASKED, by("marker_required"), BY_SEA),
    (ASKED, by("land_then_sea"), BY_LAND),
    (ASKED, {"convoy_exchange": "forbidden"}, BY_LAND),
    (OWN_FLEET, {}, BY_SEA),
    (OWN_FLEET, by("marker_required"), BY_LAND),
    (OWN_FLEET, by("intent_of_orders"), BY_SEA),
    (OWN_FLEET, {"convoy_exchange": "forbidden"}, BY_LAND),
    (OWN_SWAP, {}, BY_LAND),
    (OWN_SWAP, by("intent_of_orders"), BY_SEA),
    (BROKEN, {}, FAILS),
    (BROKEN, by("own_fleet_or_marker", "to_land"), LANDS),
    (BROKEN, by("intent_of_orders"), LANDS),
    (BROKEN, by("own_chain_or_marker"), FAILS),
    (BROKEN, by("own_chain_or_marker", "to_land"), LANDS),
    (BROKEN, by("sea_then_land"), LANDS),
    (HALF, {}, FAILS),
    (HALF, {"broken_own_chain": "convoy_orders_void_land_route"}, LANDS),
    (HALF, by("own_chain_or_marker"), FAILS),
    (HALF, by("own_chain_or_marker", broken_own_chain="convoy_orders_void_land_route"), LANDS),
    (HALF_AND_FOREIGN, {}, {"A WAL": "convoy_disrupted"}),
    (HALF_AND_FOREIGN, by("own_chain_or_marker"), {"A WAL": "moves"}),
    (SUNK, {}, {"A NWY": "convoy_disrupted"}),
    (SUNK, by("own_fleet_or_marker", "to_land"), {"A NWY": "moves"}),
    (SUNK_FOREIGN, by("sea_then_land", **FREE), {"A NWY": "convoy_disrupted"}),
    (SUNK_FOREIGN, by("sea_then_land", "to_land", **FREE), {"A NWY": "moves"}),
    (SUNK_FOREIGN, by("land_then_sea", "to_sea", **FREE), {"A NWY": "moves"}),
    (RIVAL, {}, {"A LON": "convoy_disrupted", "A RUH": "moves"}),
    (
        RIVAL,
        {"disrupted_convoy_effect": "cuts_and_bounces"},
        {"A LON": "convoy_disrupted", "A RUH": "bounces"},
    ),
    (LAST_FLEET, {}, {"F BEL": "moves", "A LON": "convoy_disrupted"}),
    (
        LAST_FLEET,
        {"convoy_origin_in_head_to_head": "last_fleet"},
        {"F BEL": "bounces", "A LON": "bounces", "F ENG": "convoys"},
    ),
    (TWO_PATHS, {}, {"A LON": "moves", "F NTH": "convoys", "F ENG": "convoys"}),
    (TWO_PATHS, {"convoy_path": "allowed"}, {"A LON": "moves", "F NTH": "convoys", "F ENG": "convoy_void"}),
    (PATH_SUNK, {}, {"A LON": "moves"}),
    (PATH_SUNK, {"convoy_path": "allowed"}, {"A LON": "convoy_disrupted"}),
    (PATH_SUNK, {"convoy_path": "required"}, {"A LON": "convoy_disrupted"}),
    (RIVAL, {"convoy_path": "required"}, {"A LON": "holds", "A RUH": "moves"}),
]


@pytest.mark.parametrize(("scene", "options", "expected"), ROWS)
def test_a_route(scene: Scene, options: dict[str, str], expected: dict[str, str]) -> None:
    found = fates(judged(standing(**scene), orders(**scene), DATC.with_options(options)))
    assert {unit: found[unit] for unit in expected} == expected


IMPOSSIBLE = [
    by("marker_required", **FREE),
    by("marker_required", convoy_marker="none"),
    by("own_fleet_or_marker", "to_sea"),
    by("land_then_sea", "to_land"),
    {"convoy_paradox": "szykman", "paradox_support_survives_dislodgement": "no"},
    {"convoy_paradox": "sea_first_always", "convoy_quasi_paradox": "convoys_take_place"},
]


@pytest.mark.parametrize("options", IMPOSSIBLE)
def test_choices_that_contradict_one_another_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(ImpossibleCombination):
        DATC.with_options(options)


@pytest.mark.parametrize(
    "order",
    [
        "A LON - SKA - BEL",
        "A LON - NTH - NTH - BEL",
        "A LON - HEL - BEL",
        "A LON - NTH - SPA",
        "A LON - NTH - SKA - NWY",
    ],
)
def test_a_path_that_is_no_line_of_fleets_is_refused(order: str) -> None:
    scene = {"ENGLAND": "A LON H, F NTH H, F ENG H, F SKA H"}
    book = DATC.with_options({"convoy_path": "allowed"})
    outcome = judged(standing(**scene), orders(ENGLAND=order), book)
    assert [entry.refusal.code for entry in outcome.refused] == ["no_route"]


def test_the_default_coast_is_the_first_of_the_board() -> None:
    scene = {"FRANCE": "F MAO - SPA"}
    book = DATC.with_options({"coast_missing_two_possible": "default_coast"})
    assert judged(standing(**scene), orders(**scene), book).verdicts[0].to == "SPA/NC"
