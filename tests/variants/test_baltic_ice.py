"""Baltic Ice: what the ice closes in spring, where it carries armies, and what comes back with the thaw."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.board import province_of
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Retreat, parse_normal
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.formats import adjudication
from talleyrand.variants.baltic_ice import ice

VARIANT = variants.load("baltic_ice")
SETTING, BOARD = VARIANT.definition, VARIANT.board
BOOK = rulebooks.load("anjou_feu").adjudication_rules
SPRING, AUTUMN = "S1703M", "F1703M"


def position(phase: str, **units: Sequence[str]) -> Position:
    standing = tuple(Unit(*UnitName.parse(one), power) for power, names in units.items() for one in names)
    return Position(Phase.parse(phase), standing, centres=SETTING.start.centres)


def refusal(phase: str, text: str, **units: Sequence[str]) -> str:
    """The code with which an order is refused to the first power; "" where it is legal."""
    found = SETTING.rules_for(Phase.parse(phase)).check_order(
        BOARD, position(phase, **units), next(iter(units)), parse_normal(text), BOOK
    )
    return found.code if isinstance(found, OrderRefusal) else ""


FLEETS = [
    ("F BAL", "F BAL - BOT"),  # into a gulf
    ("F BOT", "F BOT - BAL"),  # out of it
    ("F BOT", "F BOT - STO"),
    ("F STO", "F STO - BOT"),
    ("F PET", "F PET - VYB"),  # along its shore
    ("F COU", "F COU - RIG"),
]


@pytest.mark.parametrize(("unit", "order"), FLEETS)
def test_no_fleet_sails_in_the_ice_before_the_thaw(unit: str, order: str) -> None:
    assert refusal(SPRING, order, SWEDEN=[unit]) == "ice"
    assert refusal(AUTUMN, order, SWEDEN=[unit]) == ""


@pytest.mark.parametrize("order", ["F COU - KON", "F STO - BAL", "F STO - SMA", "F ABO - BAL", "F REV - BAL"])
def test_the_open_sea_is_open_all_year(order: str) -> None:
    unit = order.partition(" - ")[0]
    assert refusal(SPRING, order, SWEDEN=[unit]) == refusal(AUTUMN, order, SWEDEN=[unit]) == ""


def test_nothing_is_supported_or_convoyed_through_the_ice() -> None:
    units = {"RUSSIA": ["F PET", "A NOV", "A OLO", "F FIN"]}
    assert refusal(SPRING, "F PET S A OLO - VYB", **units) == "ice"
    assert refusal(AUTUMN, "F PET S A OLO - VYB", **units) == ""
    convoy = {"RUSSIA": ["F FIN", "A PET"]}
    assert refusal(SPRING, "F FIN C A PET - ABO", **convoy) == "ice"
    assert refusal(AUTUMN, "F FIN C A PET - ABO", **convoy) == ""


@pytest.mark.parametrize(("first", "second"), sorted(ice.ICE_ROADS))
def test_an_army_walks_over_the_ice_and_sails_afterwards(first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        assert refusal(SPRING, f"A {one} - {other}", SWEDEN=[f"A {one}"]) == ""
        assert refusal(AUTUMN, f"A {one} - {other}", SWEDEN=[f"A {one}"]) == "thaw"
        assert refusal(SPRING, f"F {one} - {other}", SWEDEN=[f"F {one}"]) != ""


def test_an_army_is_convoyed_along_a_road_that_has_melted() -> None:
    assert refusal(AUTUMN, "A STO - ABO", SWEDEN=["A STO", "F BOT"]) == ""


def played(phase: str, orders: Mapping[str, Sequence[str]], **units: Sequence[str]) -> game.ResolvedPhase:
    given = {power: [parse_normal(text) for text in lines] for power, lines in orders.items()}
    return game.play_phase(SETTING, position(phase, **units), given, BOOK)


def test_an_army_retreats_over_the_ice_and_a_fleet_in_it_has_nowhere_to_go() -> None:
    done = played(
        SPRING,
        {"RUSSIA": ["A VYB - ABO", "A OST S A VYB - ABO"]},
        SWEDEN=["A ABO"],
        RUSSIA=["A VYB", "A OST"],
    )
    assert done.next_position
    legal = SETTING.rules_for(done.next_position.phase).legal_orders(
        BOARD, done.next_position, "SWEDEN", BOOK
    )
    assert {order.to for order in legal if isinstance(order, Retreat)} == {"REV", "STO"}
    lost = played(
        SPRING,
        {"RUSSIA": ["A REV - RIG", "A PSK S A REV - RIG"]},
        SWEDEN=["F RIG"],
        RUSSIA=["A REV", "A PSK"],
    )
    assert "F RIG" not in {str(unit.name) for unit in lost.outcome.position_after.units}
    assert lost.next_position
    assert lost.next_position.phase == Phase.parse(AUTUMN)


@pytest.mark.parametrize(
    ("phase", "line", "told"),
    [
        (SPRING, "F Pet - Vyb", {"fr": "sont gelés au printemps", "en": "are ice in spring"}),
        (AUTUMN, "A Nov - Psk", {}),
    ],
)
def test_the_refusal_says_why_in_both_languages(phase: str, line: str, told: Mapping[str, str]) -> None:
    question = {"variant": "baltic_ice", "rulebook": "anjou_feu", "phase": phase}
    units = {"RUSSIA": ["F PET", "A NOV"]}
    answer: Any = adjudication.adjudicate_question({**question, "units": units, "orders": {"RUSSIA": [line]}})
    entry = next(one for one in answer["orders"] if one["line"] == line)
    assert bool(entry["error"]) == bool(told)
    for language, words in told.items():
        assert words in entry["error"]["message"][language]


def test_the_reasons_know_the_ice() -> None:
    question = {"variant": "baltic_ice", "rulebook": "anjou_feu", "phase": SPRING, "reasons": True}
    units = {"SWEDEN": ["A STO"], "RUSSIA": ["A ABO"]}
    answer: Any = adjudication.adjudicate_question(
        {**question, "units": units, "orders": {"SWEDEN": ["A Sto - Abo"], "RUSSIA": ["A Abo - Rev"]}}
    )
    assert answer["units"] == {"RUSSIA": ["A REV"], "SWEDEN": ["A ABO"]}


def test_every_frozen_gulf_is_a_sea_and_every_road_a_border_over_one() -> None:
    assert all(BOARD.is_sea(code) for code in ice.FROZEN)
    for pair in ice.ICE_ROADS:
        assert pair in BOARD.land
        assert BOARD.adjacent_seas[pair[0]] & BOARD.adjacent_seas[pair[1]] & ice.FROZEN
    whole = {*BOARD.land, *BOARD.sea}
    for phase in map(Phase.parse, (SPRING, AUTUMN)):
        seen = ice.board_in(BOARD, phase)
        assert {*seen.land, *seen.sea} < whole
        assert {province_of(place) for pair in seen.sea for place in pair} <= set(BOARD.provinces)


def test_a_retreat_that_the_season_closes_is_not_offered_even_where_a_position_lists_it() -> None:
    fallen = DislodgedUnit(Unit("A", "ABO", "DENMARK"), "OST", retreats=("REV", "STO", "VYB"))
    rules = SETTING.rules_for(Phase.parse("F1703R"))
    put = Position(Phase.parse("F1703R"), (), (fallen,), centres=SETTING.start.centres)
    offered = rules.legal_orders(BOARD, put, "DENMARK", BOOK)
    assert Retreat(fallen.unit.name, "REV") not in offered
    assert offered == tuple(
        one
        for one in offered
        if not isinstance(rules.check_order(BOARD, put, "DENMARK", one, BOOK), OrderRefusal)
    )
    assert len(offered) > 1
