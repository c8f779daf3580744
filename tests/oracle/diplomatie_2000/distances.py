"""How far units are from home, and who of them goes first where their state does not say so."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.oracle.diplomatie_2000.annexes import BY_LAND, BY_SEA, COLOURS, EVERYWHERE, SECTORS, STATES, places
from tests.oracle.diplomatie_2000.standing import Standing, Unit

NO_WAY = 1000


@cache
def _names(language: str) -> dict[str, str]:
    file = f"src/talleyrand/variants/diplomatie_2000/names.{language}.toml"
    table = tomllib.loads((Path(__file__).parents[3] / file).read_text("utf-8"))["provinces"]
    return {code: row["name"] for code, row in table.items()}


class Distances:
    """The distances of a state's units under a book."""

    def __init__(self, standing: Standing, state: str, book: Mapping[str, str]) -> None:
        self.standing, self.state, self.book = standing, state, book

    def to_arsenals(self, unit: Unit) -> int:
        """The shortest way of a V to an arsenal of the state's own, wherever it starts."""
        return _steps(EVERYWHERE, {unit.code}, set(STATES[self.state].arsenals))

    def rank(self, unit: Unit) -> tuple[int, bool, int | str]:
        """The first to go: the farthest; of those as far a fleet; then by its sector's name."""
        return -self._far(unit), unit.kind != "F", self._letters(unit)

    def _far(self, unit: Unit) -> int:
        goals, metric = self._goals(), self.book["removal_metric"]
        if unit.kind == "F" and metric != "any_space_graph":
            return _steps(BY_SEA, {unit.place}, {place for code in goals for place in places(code)})
        if unit.kind == "A" and metric == "by_unit_moves":
            return _steps(BY_LAND, {unit.code}, goals)
        return _steps(EVERYWHERE, {unit.code}, goals)

    def _goals(self) -> set[str]:
        if self.book["removal_reference"] == "owned_centres":
            return set(self.standing.centres(self.state))
        homes = set(STATES[self.state].arsenals)
        if self.book["removal_reference"] == "home_centres":
            return homes
        return homes | {code for code, state in COLOURS.items() if state == self.state}

    def _letters(self, unit: Unit) -> int | str:
        if self.book["removal_alphabet"] == "english_annex_number":
            return int(SECTORS[unit.code]["number"])
        return _names("fr" if self.book["removal_alphabet"] == "french" else "en")[unit.code]


def _steps(links: Mapping[str, set[str]], here: set[str], goals: set[str]) -> int:
    """How many steps lead to a goal."""
    reached = set(here)
    for count in range(len(SECTORS)):
        if reached & goals:
            return count
        reached |= {other for place in reached for other in links.get(place, ())}
    return NO_WAY
