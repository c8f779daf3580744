"""Several orders for one unit, under every value of the options that settle them (DATC 4.D.3)."""

from __future__ import annotations

import pytest

from talleyrand.engine.orders import Hold, Order, Support
from talleyrand.engine.position import UnitName
from talleyrand.notation import parse_normal
from tests.engine.scenes import DATC, fates, judged, orders, position, reasons

BEFORE = position(FRANCE="A PAR, F BRE")
MANY = ("first", "last", "none_holds")
ONE = ("legal_one", "none_holds")
BOTH = [(many, one) for many in MANY for one in ONE]
BUR, PIC, FAR = "A PAR - BUR", "A PAR - PIC", "A PAR - MAR"


def _told(lines: str, **options: str) -> tuple[str, dict[str, str]]:
    outcome = judged(BEFORE, orders(FRANCE=lines), DATC.with_options(options))
    place = next(str(verdict.order) for verdict in outcome.verdicts if verdict.unit.kind == "A")
    return place, reasons(outcome)


@pytest.mark.parametrize("one", ONE)
@pytest.mark.parametrize(
    ("many", "followed", "refused"),
    [("first", BUR, PIC), ("last", PIC, BUR), ("none_holds", "None", f"{BUR}, {PIC}")],
)
def test_two_legal_orders(many: str, followed: str, refused: str, one: str) -> None:
    told = _told(f"{BUR}, {PIC}", multiple_legal_orders=many, multiple_one_legal=one)
    assert told == (followed, dict.fromkeys(refused.split(", "), "multiple_orders"))


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("lines", [f"{FAR}, {BUR}", f"{BUR}, {FAR}"])
def test_one_legal_order_of_two(lines: str, many: str) -> None:
    assert _told(lines, multiple_legal_orders=many) == (BUR, {FAR: "unreachable"})
    none = _told(lines, multiple_legal_orders=many, multiple_one_legal="none_holds")
    assert none == ("None", {FAR: "unreachable", BUR: "multiple_orders"})


@pytest.mark.parametrize(("many", "one"), BOTH)
def test_no_legal_order_of_two(many: str, one: str) -> None:
    told = _told(f"{FAR}, A PAR - LON", multiple_legal_orders=many, multiple_one_legal=one)
    assert told == ("None", {FAR: "unreachable", "A PAR - LON": "unreachable"})


@pytest.mark.parametrize(("many", "one"), BOTH)
def test_the_same_order_twice_is_one(many: str, one: str) -> None:
    told = _told(f"{BUR}, {BUR}", multiple_legal_orders=many, multiple_one_legal=one)
    assert told == (BUR, {})


def test_the_same_order_twice_with_another_after() -> None:
    assert _told(f"{BUR}, {BUR}, {PIC}") == (BUR, {PIC: "multiple_orders"})
    last = _told(f"{PIC}, {BUR}, {BUR}", multiple_legal_orders="last")
    assert last == (BUR, {PIC: "multiple_orders"})


def test_orders_that_the_book_makes_alike_are_one() -> None:
    before = position(FRANCE="F GAS")
    lines = orders(FRANCE="F GAS - SPA, F GAS - SPA/NC")
    outcome = judged(before, lines, DATC.with_options({"multiple_legal_orders": "none_holds"}))
    assert (fates(outcome), outcome.refused) == ({"F GAS": "moves"}, ())


ARMY, FLEET = UnitName("A", "PAR"), UnitName("F", "BRE")
BARE = Support(ARMY, FLEET, bare=True)
CLOSED = Support(ARMY, FLEET)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("weak", [BARE, Hold(ARMY, bare=True)])
def test_a_bare_form_is_no_order_beside_another(weak: Support | Hold, place: int) -> None:
    lines = [parse_normal(BUR)]
    lines.insert(place, weak)
    counts = judged(BEFORE, {"FRANCE": lines}, DATC.with_options({"multiple_legal_orders": "none_holds"}))
    assert set(reasons(counts).values()) == {"multiple_orders"}
    options = {"bare_support_competition": "bare_not_legal", "multiple_legal_orders": "none_holds"}
    strict = judged(BEFORE, {"FRANCE": lines}, DATC.with_options(options))
    assert reasons(strict) == {str(weak): "bare_form"}
    assert fates(strict)["A PAR"] == "moves"


def test_a_bare_form_counts_alone_and_beside_itself() -> None:
    book = DATC.with_options({"bare_support_competition": "bare_not_legal"})
    sheets: list[list[Order]] = [[BARE], [BARE, BARE], [BARE, CLOSED]]
    for lines in sheets:
        outcome = judged(BEFORE, {"FRANCE": lines}, book)
        assert (fates(outcome)["A PAR"], outcome.refused) == ("support_given", ())


def test_each_unit_and_each_power_is_settled_on_its_own() -> None:
    before = position(FRANCE="A PAR, F BRE", GERMANY="A MUN")
    lines = orders(FRANCE=f"{BUR}, F BRE H, {PIC}", GERMANY="A PAR - GAS, A MUN - BUR, F BRE H")
    outcome = judged(before, lines, DATC.with_options({"multiple_legal_orders": "none_holds"}))
    assert fates(outcome) == {"A PAR": "holds", "F BRE": "holds", "A MUN": "moves"}
    assert [(entry.power, entry.number, entry.refusal.code) for entry in outcome.refused] == [
        ("FRANCE", 0, "multiple_orders"),
        ("FRANCE", 2, "multiple_orders"),
        ("GERMANY", 0, "foreign_unit"),
        ("GERMANY", 2, "foreign_unit"),
    ]


def test_a_verdict_tells_the_number_of_its_order() -> None:
    outcome = judged(BEFORE, orders(FRANCE=f"F BRE H, {FAR}, {BUR}"))
    assert {str(verdict.unit): verdict.number for verdict in outcome.verdicts} == {"A PAR": 2, "F BRE": 0}
