"""Annexes 2 and 3 of Diplomatie 2000: the states from a reading of our own, the map from its file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

_MAP: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[3] / "src/talleyrand/variants/diplomatie_2000/variant.toml").read_text("utf-8")
)


class State(NamedTuple):
    """A row of annex 3."""

    arsenals: tuple[str, ...]
    rate: int
    subversion: int
    aid: tuple[int, ...]
    mandate: int


def _states() -> dict[str, State]:
    rows = tomllib.loads((Path(__file__).parent / "annexes.toml").read_text("utf-8"))
    return {
        code: State(
            tuple(row["arsenals"].split()), row["rate"], row["subversion"], tuple(row["aid"]), row["mandate"]
        )
        for code, row in rows.items()
    }


STATES = _states()
SEATS = (*STATES, "ONU")
SECTORS: dict[str, dict[str, Any]] = _MAP["provinces"]
SEAS = frozenset(code for code, row in SECTORS.items() if row["kind"] == "sea")
CENTRES = frozenset(code for code, row in SECTORS.items() if row.get("centre"))
PLAIN = frozenset(SECTORS) - SEAS - CENTRES
"""Land sectors without a centre."""
INLAND = frozenset(code for code, row in SECTORS.items() if row["kind"] == "inland")
FAR_NORTH = frozenset(("BAR", "BBA", "MBF", "MGR", "MSI"))
COLOURS: dict[str, str] = {
    code: state for state, row in _MAP["powers"].items() for code in row["country"] if code in PLAIN
}
LAND: list[tuple[str, str]] = [(a, b) for a, b in _MAP["adjacency"]["land"]]
SEA: list[tuple[str, str]] = [(a, b) for a, b in _MAP["adjacency"]["sea"]]


def places(code: str) -> list[str]:
    """The places of a sector where a fleet can be: its coasts, or the sector itself; none inland."""
    coasts = SECTORS[code].get("coasts", [])
    return [] if code in INLAND else [f"{code}/{coast}" for coast in coasts] or [code]


def beside(pairs: list[tuple[str, str]]) -> dict[str, set[str]]:
    """Who touches whom."""
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


EVERYWHERE = beside([(a[:3], b[:3]) for a, b in (*LAND, *SEA)])
BY_LAND, BY_SEA = beside(LAND), beside(SEA)
