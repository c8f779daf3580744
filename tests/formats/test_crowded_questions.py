"""A question is checked without listing its orders: a crowded board has millions of them."""

from __future__ import annotations

from typing import Any, Never

import pytest

from talleyrand import variants
from talleyrand.formats import adjudication
from talleyrand.variants.diplomatie_2000.season_rules import WorldMovementRules

BOARD = variants.load("diplomatie_2000").board


def crowded() -> dict[str, Any]:
    """A unit in every sector of the world."""
    units: dict[str, list[str]] = {}
    for number, code in enumerate(BOARD.provinces):
        power = BOARD.powers[number % len(BOARD.powers)]
        units.setdefault(power, []).append(f"{'F' if BOARD.is_sea(code) else 'A'} {code}")
    return {"variant": "diplomatie_2000", "phase": "S2001M", "units": units, "centers": {}}


def listed(*_asked: object) -> Never:
    raise AssertionError("orders were listed")


def test_no_order_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorldMovementRules, "legal_orders", listed)
    assert adjudication.check_question(crowded()) == {"id": None}


@pytest.mark.parametrize(
    "question",
    [
        {"phase": "W1901A", "units": {}},
        {"phase": "S1901X", "units": {}},
        {"phase": "S1901M", "units": {"FRANCE": ["A XXX"]}},
        "nothing",
    ],
)
def test_what_cannot_stand_is_refused_as_when_orders_are_listed(question: Any) -> None:
    refused = adjudication.check_question(question)
    assert "error" in refused
    assert refused == adjudication.legal_orders(question)
