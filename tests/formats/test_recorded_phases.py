"""Recorded phases in which an army goes to Marseilles by sea: `MAR` is Marseilles, and they end as recorded.

Each line of the file is a phase: the units before, the orders as the site wrote them, the units after,
and the orders among them that were `impossible`. The site takes the land where the convoy fails.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talleyrand.formats import adjudication

FILE = Path(__file__).with_name("by_sea_to_marseilles.jsonl")
PHASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
BOOK = {
    "extends": "datc",
    "options": {"land_or_sea_route": "own_fleet_or_marker", "route_fallback": "to_land"},
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("recorded", PHASES, ids=lambda recorded: recorded["id"])
def test_the_phase_ends_as_recorded(recorded: dict[str, Any]) -> None:
    asked = {name: recorded[name] for name in ("phase", "units", "orders")}
    answer: Any = adjudication.adjudicate_question({**asked, "rulebook": BOOK})
    refused = [entry["line"] for entry in answer["orders"] if entry["error"]]
    assert refused == recorded["impossible"]
    assert _standing(answer["units"]) == _standing(recorded["after"])


def _standing(units: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(listed) for power, listed in units.items() if listed}
