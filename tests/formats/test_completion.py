"""Orders left out and implied by others: what the Anjou Feu rules complete, and what they do not."""

from typing import Any

import pytest

from talleyrand.formats.adjudication import adjudicate_question, read_question_orders

Cases = list[tuple[dict[str, list[str]], dict[str, list[str]], dict[str, str | None]]]

CASES: Cases = [
    # a move from a support of the same power, and from none of another's
    ({"FRANCE": ["A MAR", "A PAR"]}, {"FRANCE": ["A Mar S A Par - Bou"]}, {"A PAR": "A PAR - BUR"}),
    ({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, {"GERMANY": ["A Mun S A Par - Bou"]}, {"A PAR": None}),
    # an order that stops short is completed, a complete one is not
    (
        {"FRANCE": ["A MAR", "A PAR"]},
        {"FRANCE": ["A Paris -", "A Mar S A Par - Bou"]},
        {},
    ),
    ({"FRANCE": ["A MAR", "A PAR"]}, {"FRANCE": ["A Par H", "A Mar S A Par - Bou"]}, {}),
    ({"FRANCE": ["A MAR", "A PAR"]}, {"FRANCE": ["A Par - Lon", "A Mar S A Par - Bou"]}, {"A PAR": None}),
    # two readings are none
    (
        {"FRANCE": ["A MAR", "A PAR", "A BRE"]},
        {"FRANCE": ["A Mar S A Par - Gas", "A Bre S A Par - Pic"]},
        {"A PAR": None},
    ),
    # an army from its fleet, a fleet from its army
    ({"ENGLAND": ["A YOR", "F NTH"]}, {"ENGLAND": ["F Nth C A Yor - Nwy"]}, {"A YOR": "A YOR - NWY"}),
    ({"ENGLAND": ["A YOR", "F NTH"]}, {"ENGLAND": ["A Yor - Nwy"]}, {"F NTH": "F NTH C A YOR - NWY"}),
    # not when another fleet would do as well, nor when none is missing
    (
        {"ENGLAND": ["A LON", "F NTH", "F ENG"]},
        {"ENGLAND": ["A Lon - Bel"]},
        {"F NTH": None, "F ENG": None},
    ),
    (
        {"ENGLAND": ["A LON", "F NTH", "F ENG"]},
        {"ENGLAND": ["A Lon - Bel", "F Nth C A Lon - Bel"]},
        {"F ENG": None},
    ),
    # both fleets of the only chain; the others' fleets are theirs to order
    (
        {"ENGLAND": ["A LON", "F ENG", "F MAO"]},
        {"ENGLAND": ["A Lon - Por"]},
        {"F ENG": "F ENG C A LON - POR", "F MAO": "F MAO C A LON - POR"},
    ),
    ({"ENGLAND": ["A YOR"], "FRANCE": ["F NTH"]}, {"ENGLAND": ["A Yor - Nwy"]}, {"F NTH": None}),
]


def ask(units: dict[str, list[str]], orders: dict[str, list[str]], **fields: Any) -> Any:
    return {"phase": "S1901M", "units": units, "orders": orders} | fields


@pytest.mark.parametrize(("units", "orders", "expected"), CASES)
def test_what_is_completed(
    units: dict[str, list[str]], orders: dict[str, list[str]], expected: dict[str, str | None]
) -> None:
    given: Any = adjudicate_question(ask(units, orders))
    alone = {entry["unit"]: entry["order"] for entry in given["orders"] if entry["line"] is None}
    assert alone == expected


def test_a_completed_order_says_where_it_comes_from() -> None:
    units, orders, _ = CASES[0]
    given: Any = adjudicate_question(ask(units, orders))
    entry = given["orders"][-1]
    assert (entry["line"], entry["line_no"], entry["sheet"]) == (None, None, None)
    assert (entry["results"], entry["error"]) == (["moves"], None)
    assert [note["kind"] for note in entry["notes"]] == ["completed_from"]
    assert "A Mar S A Par - Bou" in entry["notes"][0]["fr"]


SHORT: list[tuple[list[str], dict[str, str | None]]] = [
    (["A Paris -", "A Mar S A Par - Bou"], {"A Paris -": "A PAR - BUR"}),
    (["F AtM - Esp", "A Gas S F AtM - Esp cn"], {"F AtM - Esp": "F MAO - SPA/NC"}),
    (["A Gas S F AtM - Esp cs", "F AtM - Espagne"], {"F AtM - Espagne": "F MAO - SPA/SC"}),
    (["F AtM -", "F AtM - Esp", "A Gas S F AtM - Esp cn"], {"F AtM -": "F MAO - SPA/NC"}),
    (["F AtM - Esp", "A Gas S F AtM - Esp", "A Mar S F AtM - Esp cs"], {"F AtM - Esp": "F MAO - SPA/SC"}),
    # of two coasts none is taken, nor another province, nor one that nobody names
    (["F AtM - Esp", "A Gas S F AtM - Esp cn", "A Mar S F AtM - Esp cs"], {"F AtM - Esp": None}),
    (["F AtM - Esp", "A Gas S F AtM - Esp"], {"F AtM - Esp": None}),
    (["F AtM - Esp", "A Gas S F AtM - Por"], {"F AtM - Esp": None}),
    # a whole order of the same unit stands
    (
        ["F AtM - Esp", "F AtM - Man", "A Gas S F AtM - Esp cn"],
        {"F AtM - Esp": None, "F AtM - Man": "F MAO - ENG"},
    ),
    (["F Man C A Bre", "A Bre - Wal"], {"F Man C A Bre": "F ENG C A BRE - WAL"}),
]


@pytest.mark.parametrize(("lines", "expected"), SHORT)
def test_an_order_that_stops_short_is_completed_where_it_stands(
    lines: list[str], expected: dict[str, str | None]
) -> None:
    units = {"FRANCE": ["F MAO", "A GAS", "A MAR", "A PAR", "F ENG", "A BRE"]}
    given: Any = adjudicate_question(ask(units, {"FRANCE": lines}))
    followed = {entry["line"]: None if entry["error"] else entry["order"] for entry in given["orders"]}
    assert {line: followed[line] for line in expected} == expected
    completed = [
        entry for entry in given["orders"] if entry["line"] and not entry["error"] and entry["notes"]
    ]
    assert all("completed_from" in [note["kind"] for note in entry["notes"]] for entry in completed)
    assert not [entry for entry in given["orders"] if entry["line"] is None and entry["order"]]


def test_writing_more_loses_nothing() -> None:
    """The fleet's line without its coast, beside the support that names it, does what no line does."""
    units, support = {"FRANCE": ["F MAO", "A GAS"]}, "A Gas S F AtM - Esp cn"
    alone: Any = adjudicate_question(ask(units, {"FRANCE": [support]}))
    for lines in (["F AtM - Esp", support], [support, "F AtM - Esp"]):
        more: Any = adjudicate_question(ask(units, {"FRANCE": lines}))
        assert more["units"] == alone["units"] == {"FRANCE": ["A GAS", "F SPA/NC"]}


def test_only_the_books_that_complete_orders_complete_a_coast() -> None:
    lines = ["F AtM - Esp", "A Gas S F AtM - Esp cn"]
    given: Any = adjudicate_question(ask({"FRANCE": ["F MAO", "A GAS"]}, {"FRANCE": lines}, rulebook="datc"))
    assert given["orders"][0]["error"]["kind"] == "coast_missing"


def test_read_shows_completions() -> None:
    units, orders, _ = CASES[0]
    given: Any = read_question_orders(ask(units, orders))
    assert [entry["order"] for entry in given["orders"]] == ["A MAR S A PAR - BUR", "A PAR - BUR"]


@pytest.mark.parametrize("book", ["datc", "renegade_2023"])
def test_other_books_complete_nothing(book: str) -> None:
    for units, orders, _ in CASES:
        given: Any = adjudicate_question(ask(units, orders, rulebook=book))
        assert not [e for e in given["orders"] if e["line"] is None and e["order"] is not None]


def test_nothing_is_completed_outside_movements() -> None:
    given: Any = adjudicate_question(
        ask({"FRANCE": ["A PAR"]}, {}, phase="W1901A", centers={"FRANCE": ["PAR", "BRE"]})
    )
    assert given["orders"] == []
