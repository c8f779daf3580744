"""An ambiguous order in the light of the others of its power (row M63)."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.formats.adjudication import read_question_orders

UNITS = {"ENGLAND": ["F LVN", "A LVP", "F CLY", "F BAL", "F EDI", "A YOR", "F NTH"], "RUSSIA": ["A MOS"]}


def reading(lines: list[str], rule: str = "as_a_set", power: str = "ENGLAND") -> Any:
    book = {"extends": "anjou_feu", "options": {"order_context": rule}}
    sheets = {"ENGLAND": lines} if power == "ENGLAND" else {"ENGLAND": lines[:1], power: lines[1:]}
    given: Any = read_question_orders({"phase": "S1901M", "units": UNITS, "rulebook": book, "orders": sheets})
    return next(entry for entry in given["orders"] if entry["line"] == lines[0])


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (["Liv H", "F Cly S A Lpl"], "A LVP H"),
        (["Liv H", "F Bal S F Lvn H"], "F LVN H"),
        (["F Edi - Nor", "F Nth S F Edi - Nvn"], "F EDI - NWG"),
        (["F Nth - Nor", "F Edi S F Nth - Nvn"], "F NTH - NWG"),
    ],
)
def test_the_one_reading_another_order_goes_with(lines: list[str], order: str) -> None:
    read_so = reading(lines)
    assert (read_so["order"], read_so["error"]) == (order, None)
    assert [note["kind"] for note in read_so["notes"]] == ["read_with"]
    assert reading(lines, "individually")["error"]["kind"] == "ambiguous"


@pytest.mark.parametrize(
    "lines",
    [
        ["Liv H"],
        ["Liv H", "F Cly S A Lpl", "F Bal S F Lvn"],
        ["Liv H", "F Cly H"],
        ["F Edi - Nvn ou Nrd", "F Nth S F Edi - Nvn"],
    ],
)
def test_otherwise_it_stays_ambiguous(lines: list[str]) -> None:
    assert reading(lines)["error"]["kind"] == "ambiguous"


def test_only_orders_of_the_same_power_tell() -> None:
    assert reading(["Liv H", "A Mos S F Lvn"], power="RUSSIA")["error"]["kind"] == "ambiguous"
