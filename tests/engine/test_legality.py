"""Which orders are possible: as they will be followed, or the reason of the refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from talleyrand.engine import legality
from talleyrand.engine.checked_orders import check_order_once
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Hold
from talleyrand.engine.position import Position, UnitName
from talleyrand.notation import parse_normal
from tests.engine.scenes import BOARD, DATC, TRIO, position


class Row(NamedTuple):
    """An order of a power somewhere, and what it comes to: the order followed, or a reason."""

    order: str
    found: str
    power: str = "FRANCE"
    options: dict[str, str] = {}  # noqa: RUF012 (a tuple's default, never changed)


WEST = position(
    FRANCE="F MAO, A GAS, A MAR, F BRE, A PAR, F LYO, A PIC, F POR",
    ITALY="F WES, A ROM, F SPA/SC, A PIE",
    ENGLAND="F ENG, A LON, F NTH, A WAL",
)
MAY = {"irrelevant_coast": "fails"}
STRICT = {"ordered_unit_coast": "fails"}

ROWS = [
    # holds
    Row("A PAR H", "A PAR H"),
    Row("A PAR D", "wrong_phase"),
    Row("A PAR R GAS", "wrong_phase"),
    Row("WAIVE", "wrong_phase"),
    Row("A BUR H", "no_such_unit"),
    Row("F PAR H", "no_such_unit"),
    Row("F WES H", "foreign_unit"),
    Row("F SPA/NC H", "F SPA/SC H", "ITALY"),
    Row("F SPA H", "F SPA/SC H", "ITALY"),
    Row("F SPA/NC H", "wrong_coast", "ITALY", STRICT),
    Row("F SPA H", "F SPA/SC H", "ITALY", STRICT),
    # moves by land and along the coast
    Row("A PAR - BUR", "A PAR - BUR"),
    Row("A PAR - PAR", "own_province"),
    Row("F SPA/SC - SPA/NC", "own_province", "ITALY"),
    Row("A PAR - XXX", "unknown_place"),
    Row("A PAR - MAR", "unreachable"),
    Row("F BRE - PAR", "unreachable"),
    Row("A PAR - ENG", "unreachable"),
    Row("F MAO - SPA/NC", "F MAO - SPA/NC"),
    Row("F MAO - SPA", "coast_missing"),
    Row("F LYO - SPA", "F LYO - SPA/SC"),
    Row("F LYO - SPA", "coast_missing", options={"coast_missing_one_possible": "fails"}),
    Row("F LYO - SPA/NC", "coast_unreachable"),
    Row("F LYO - SPA/NC", "F LYO - SPA/SC", options={"coast_impossible": "ignored"}),
    Row("A GAS - SPA/NC", "A GAS - SPA"),
    Row("A GAS - SPA/NC", "coast_needless", options=MAY),
    Row("A GAS - BUR/SC", "A GAS - BUR"),
    Row("A GAS - BUR/SC", "coast_needless", options=MAY),
    Row("F LYO - TUS/SC", "coast_needless", options=MAY),
    # moves by sea
    Row("A PIC - LON", "A PIC - LON"),
    Row("A PIC - LON VIA", "A PIC - LON"),
    Row("A PIC - BEL VIA", "A PIC - BEL VIA"),
    Row("A PIC - BEL", "A PIC - BEL"),
    Row("A MAR - GAS VIA", "A MAR - GAS VIA"),
    Row("A PAR - BUR VIA", "no_fleet_for_convoy"),
    Row("A PAR - BUR VIA", "A PAR - BUR", options={"route_fallback": "to_land"}),
    Row("F MAO - GAS VIA", "F MAO - GAS"),
    Row("A PIC - SPA", "A PIC - SPA"),
    Row("A PIC - SPA/SC", "A PIC - SPA"),
    Row("A PIC - SPA/SC", "coast_needless", options=MAY),
    Row("A PIC - SMY", "no_chain"),
    Row("A PIC - MUN", "unreachable"),
    Row("F BRE - LON", "unreachable"),
    # supports in place
    Row("A PAR S F BRE", "A PAR S F BRE"),
    Row("A PAR S A PAR", "itself"),
    Row("A PAR S A BUR", "no_such_unit"),
    Row("A PAR S A BRE", "no_such_unit"),
    Row("A PAR S A MAR", "support_unreachable"),
    Row("F LYO S F SPA/NC", "F LYO S F SPA/SC"),
    Row("F LYO S F SPA/NC", "wrong_coast", options=STRICT),
    # supports of moves
    Row("A PAR S F MAO - BRE", "A PAR S F MAO - BRE"),
    Row("A PAR S F MAO - XXX", "unknown_place"),
    Row("A PAR S A PIC - PIC", "own_province"),
    Row("A PAR S A PIC - BEL", "support_unreachable"),
    Row("A PAR S A PIC - PAR", "support_against_itself"),
    Row("A GAS S A MAR - BUR", "A GAS S A MAR - BUR"),
    Row("A GAS S F LYO - MAR", "A GAS S F LYO - MAR"),
    Row("A GAS S F BRE - PAR", "supported_move_impossible"),
    Row("F POR S F MAO - SPA", "F POR S F MAO - SPA"),
    Row("F POR S F MAO - SPA/NC", "F POR S F MAO - SPA/NC"),
    Row("F POR S F LYO - SPA", "F POR S F LYO - SPA"),
    Row("F POR S F LYO - SPA/NC", "coast_unreachable"),
    Row("F MAO S A LON - BRE", "F MAO S A LON - BRE"),
    Row("F POR S A LON - SPA", "F POR S A LON - SPA"),
    Row("F POR S A LON - SPA/NC", "F POR S A LON - SPA"),
    Row("F POR S A LON - SPA/NC", "coast_needless", options=MAY),
    Row("F MAO C A GAS - WAL/SC", "F MAO C A GAS - WAL"),
    Row("F MAO C A GAS - WAL/SC", "coast_needless", options=MAY),
    Row("F MAO C A GAS/NC - WAL", "F MAO C A GAS - WAL"),
    Row("F MAO C A GAS/NC - WAL", "wrong_coast", options=STRICT),
    Row("F MAO S A LON - SPA", "supporter_needed_at_sea"),  # nobody convoys while he supports
    Row("F LYO S A ROM - SPA", "supported_move_impossible"),
    # convoys
    Row("F MAO C A GAS - POR", "F MAO C A GAS - POR"),
    Row("F ENG C A LON - BRE", "F ENG C A LON - BRE", "ENGLAND"),
    Row("F ENG C A LON - SPA/NC", "F ENG C A LON - SPA", "ENGLAND"),
    Row("F ENG C A LON - XXX", "unknown_place", "ENGLAND"),
    Row("F ENG C A LON - LON", "convoy_impossible", "ENGLAND"),
    Row("F ENG C A LON - PAR", "convoy_impossible", "ENGLAND"),
    Row("F NTH C A LON - BRE", "convoy_impossible", "ENGLAND"),
    Row("F ENG C F NTH - BEL", "not_convoyable", "ENGLAND"),
    Row("F ENG C A BUR - BEL", "no_such_unit", "ENGLAND"),
    Row("F BRE C A GAS - POR", "cannot_convoy"),
    Row("A PIC C A GAS - POR", "cannot_convoy"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.order} {'+'.join(row.options)}")
def test_an_order(row: Row) -> None:
    assert _checked(WEST, row) == row.found


def _checked(before: Position, row: Row) -> str:
    book = DATC.with_options(row.options)
    result = legality.check_movement_order(BOARD, before, row.power, parse_normal(row.order), book)
    return result.code if isinstance(result, OrderRefusal) else str(result)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.order} {'+'.join(row.options)}")
def test_an_order_checked_once_comes_to_what_it_does_in_each_position(row: Row) -> None:
    book, order, units = DATC.with_options(row.options), parse_normal(row.order), WEST.units
    fewer = [replace(WEST, units=(*units[:place], *units[place + 1 :])) for place in range(len(units))]
    taken = [unit._replace(power="TURKEY") for unit in units]
    others = [
        replace(WEST, units=(*units[:place], one, *units[place + 1 :])) for place, one in enumerate(taken)
    ]
    for before in (WEST, *fewer, *others, replace(WEST, passive=frozenset({row.power})), WEST):
        once = check_order_once(BOARD, before, row.power, order, book)
        assert once == legality.check_movement_order(BOARD, before, row.power, order, book)


def test_what_is_said_in_few_words_stays_so() -> None:
    for bare in (False, True):
        hold = Hold(UnitName("A", "PAR"), bare=bare)
        once = check_order_once(BOARD, WEST, "FRANCE", hold, DATC)
        assert isinstance(once, Hold)
        assert once.bare is bare


TRIO_ROWS = [
    ("P NOO - BEA", "P NOO - BEA"),
    ("P NOO - PEA", "unreachable"),
    ("P NOO S A BEA - PEA", "support_unreachable"),
    ("P NOO S A BEA", "P NOO S A BEA"),
    ("P NOO C A BEA - LAG", "cannot_convoy"),
    ("F EVE C P NOO - HEA", "not_convoyable"),
    ("F EVE - NEE", "F EVE - NEE/WC"),
    ("A BEA - NOO", "unreachable"),
    ("A BEA - NEE", "no_chain"),
]


@pytest.mark.parametrize(("order", "found"), TRIO_ROWS)
def test_an_order_of_another_kind_of_unit(order: str, found: str) -> None:
    before = position("Y1M", BOREA="P NOO, A BEA, F EVE")
    result = legality.check_movement_order(TRIO.board, before, "BOREA", parse_normal(order), DATC)
    assert (result.code if isinstance(result, OrderRefusal) else str(result)) == found


def test_a_refusal_names_what_it_is_about() -> None:
    result = legality.check_movement_order(BOARD, WEST, "FRANCE", parse_normal("F MAO - SPA"), DATC)
    assert result == OrderNotAllowed("coast_missing", places=("SPA",), candidates=("SPA/NC", "SPA/SC"))
    assert isinstance(result, OrderNotAllowed)
    assert (result.family, result.kind) == ("illegal", "coast_missing")


def test_every_reason_of_movement_orders_is_in_the_tables() -> None:
    found = {row.found for row in ROWS if " " not in row.found}
    assert found == {
        "cannot_convoy",
        "coast_missing",
        "coast_needless",
        "coast_unreachable",
        "convoy_impossible",
        "foreign_unit",
        "itself",
        "no_chain",
        "no_fleet_for_convoy",
        "no_such_unit",
        "not_convoyable",
        "own_province",
        "support_against_itself",
        "support_unreachable",
        "supported_move_impossible",
        "supporter_needed_at_sea",
        "unknown_place",
        "unreachable",
        "wrong_coast",
        "wrong_phase",
    }


def test_the_orders_on_offer_of_one_unit() -> None:
    before = position(FRANCE="A PIC, F ENG", ENGLAND="A LON")
    offered = [str(order) for order in legality.legal_movement_orders(BOARD, before, "FRANCE", DATC)]
    assert [order for order in offered if order.startswith("A PIC")] == [
        "A PIC H",
        "A PIC - BEL",
        "A PIC - BEL VIA",
        "A PIC - BRE",
        "A PIC - BRE VIA",
        "A PIC - BUR",
        "A PIC - LON",
        "A PIC - PAR",
        "A PIC - WAL",
        "A PIC S F ENG - BEL",
        "A PIC S F ENG - BRE",
        "A PIC S A LON - BEL",
        "A PIC S A LON - BRE",
    ]
