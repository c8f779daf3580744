"""What can be said of a phase that was judged, as data: the goals of a board, and when a remark is made.

A fact is a table: who (`unit`, as it stood before, in normal form, or `power`), one predicate, and `not` to
turn it round. `{ unit = "F BRE", reaches = "ENG" }`, `{ power = "FRANCE", result = "bounces" }`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from talleyrand import variants
from talleyrand.engine.board import province_of
from talleyrand.variants import Variant
from talleyrand.web.boards.adjudicator import Answer, Question

Table = Mapping[str, Any]
LEFT = frozenset(("dislodged", "destroyed", "disbanded", "removed"))


@dataclass(frozen=True)
class LessonResult:
    """A question and the judge's answer to it."""

    question: Question
    answer: Answer

    def entries(self, who: str) -> Iterator[Mapping[str, Any]]:
        """The judged entries of a unit or of a power."""
        return (
            entry
            for entry in self.answer["orders"]
            if who in (entry["unit"], entry["power"]) and entry["results"] and not entry["error"]
        )

    def centres(self, power: str) -> frozenset[str]:
        """The centres of a power after the phase; where retreats delay the count, as it would find them."""
        owned = frozenset((self.answer.get("centers") or {}).get(power, ()))
        if not self._to_be_counted:
            return owned
        held = {
            province_of(unit.partition(" ")[2]): owner
            for owner, units in self.answer["units"].items()
            for unit in units
            if self._variant.board.kinds[unit[0]].captures
        }
        provinces = self._variant.board.provinces
        taken = {place for place, owner in held.items() if owner == power and provinces[place].centre}
        return frozenset(place for place in owned if held.get(place, power) == power) | taken

    @property
    def _variant(self) -> Variant:
        return variants.load(self.question["variant"])

    @property
    def _to_be_counted(self) -> bool:
        """Whether retreats stand between the phase and the count of the centres."""
        if not str(self.answer.get("next") or "").endswith("R"):
            return False
        return self.question["phase"][0] in self._variant.definition.calendar.capture_after

    def centres_before(self, power: str) -> frozenset[str]:
        return frozenset((self.question.get("centers") or {}).get(power, ()))

    def units(self, power: str) -> tuple[str, ...]:
        """The units of a power that stand after the phase."""
        return tuple(self.answer["units"].get(power, ()))


def _reaches(played: LessonResult, unit: str, places: list[str]) -> bool:
    """The unit stands in one of the provinces after the phase."""
    return any(_place_after(entry) in places for entry in played.entries(unit))


def _place_after(entry: Mapping[str, Any]) -> str:
    if LEFT & set(entry["results"]):
        return ""
    moved = {"moves", "retreats"} & set(entry["results"])
    return province_of(entry["to"] if moved else entry["unit"].partition(" ")[2])


def _result(played: LessonResult, who: str, results: list[str]) -> bool:
    """One of the results came to the unit, or to some unit of the power."""
    return any(set(results) & set(entry["results"]) for entry in played.entries(who))


def _orders(played: LessonResult, who: str, orders: list[str]) -> bool:
    """One of the orders was given and followed."""
    return any(entry["order"] in orders for entry in played.entries(who))


def _units_at(played: LessonResult, power: str, places: list[str]) -> bool:
    """A unit of the power stands in one of the provinces after the phase."""
    return any(province_of(unit.partition(" ")[2]) in places for unit in played.units(power))


def _has(played: LessonResult, power: str, units: list[str]) -> bool:
    """Each of the units stands after the phase, by kind and place."""
    return set(units) <= set(played.units(power))


def _owns(played: LessonResult, power: str, places: list[str]) -> bool:
    """All of the centres are the power's after the phase."""
    return set(places) <= played.centres(power)


def _gains(played: LessonResult, power: str, least: list[int]) -> bool:
    """The power took at least so many centres in the phase."""
    return len(played.centres(power) - played.centres_before(power)) >= least[0]


def _loses(played: LessonResult, power: str, least: list[int]) -> bool:
    """The power lost at least so many centres in the phase."""
    return len(played.centres_before(power) - played.centres(power)) >= least[0]


def _fact_within(played: LessonResult, power: str, path: list[str]) -> bool:
    """The power is named at a place of the answer: `politics.ballots.2.adopted`."""
    found: Any = played.answer
    for name in path[0].split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found == power or power in (found or ())


def _counts(played: LessonResult, power: str, number: list[int]) -> bool:
    """The power has so many units after the phase."""
    return len(played.units(power)) == number[0]


FACT_PREDICATES: Mapping[str, Callable[[LessonResult, str, list[Any]], bool]] = {
    "reaches": _reaches,
    "result": _result,
    "orders": _orders,
    "at": _units_at,
    "has": _has,
    "owns": _owns,
    "gains": _gains,
    "loses": _loses,
    "counts": _counts,
    "within": _fact_within,
}


@dataclass(frozen=True)
class LessonFact:
    """One statement, true or false of a phase that was judged."""

    who: str
    predicate: str
    values: tuple[Any, ...]
    is_negated: bool = False

    def holds(self, played: LessonResult) -> bool:
        return FACT_PREDICATES[self.predicate](played, self.who, list(self.values)) is not self.is_negated


def fact_from_toml(table: Table) -> LessonFact:
    """Raises ValueError for a table that is no fact."""
    named = [name for name in ("unit", "power") if name in table]
    said = [name for name in FACT_PREDICATES if name in table]
    if len(named) != 1 or len(said) != 1 or set(table) - {*named, *said, "not"}:
        raise ValueError(f"no fact: {table}")
    value = table[said[0]]
    values = tuple(value) if isinstance(value, list) else (value,)
    return LessonFact(table[named[0]], said[0], values, table.get("not") is True)
