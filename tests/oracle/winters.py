"""A winter by its definitions: which lines count, and which units the rules take.

Nothing here is shared with the judge but the board's raw data: distances are counted outward from each unit,
sets are chosen by what must be true of them, and lots are drawn as the documentation says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Build, Disband, Order, Waive
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook


class Winter(NamedTuple):
    """What one power's winter comes to."""

    built: frozenset[tuple[str, str]]
    removed: frozenset[Unit]
    kept: int


@dataclass(frozen=True)
class Sheet:
    """One power's winter."""

    board: Board
    position: Position
    power: str
    orders: Sequence[Order]
    book: Rulebook

    @property
    def units(self) -> list[Unit]:
        return [unit for unit in self.position.units if unit.power == self.power]

    @property
    def owned(self) -> set[str]:
        return set((self.position.centres or {}).get(self.power, ()))

    def outcome(self) -> Winter:
        builds, removals = self.due()
        orders = [] if self.power in self.position.passive else self.orders
        built = self._built(orders, builds)
        written = self.written([order for order in orders if isinstance(order, Disband)], removals)
        removed = written | self._taken(written, removals - len(written))
        keeps = self.book.unused_builds == "kept" and not removals
        return Winter(built, removed, builds - len(built) if keeps else 0)

    def due(self) -> tuple[int, int]:
        """The builds and the removals of the year."""
        units, owned, before = len(self.units), self.owned, self.position.centres_before
        if self.book.adjust_balance == "gross" and before is not None:
            had = set(before.get(self.power, ()))
            removals = min(units, len(had - owned) + max(0, units - len(had)))
            gained = len(owned - had) + max(0, len(had) - units)
            builds = min(gained, len(owned) - units + removals)
        else:
            builds, removals = max(0, len(owned) - units), max(0, units - len(owned))
        if self.book.unused_builds == "kept" and not removals:
            builds = max(builds, self.position.kept_builds.get(self.power, 0))
        return builds, removals

    # builds

    def _built(self, orders: Sequence[Order], due: int) -> frozenset[tuple[str, str]]:
        if self.book.civil_disorder_builds == "none" and self._leaderless():
            return frozenset()
        lines = [self._as_made(order) for order in orders if isinstance(order, Build | Waive)]
        if self.book.unused_builds == "must_build":
            lines = [line for line in lines if line is not None]
        legal = [line for line in lines if line is None or self._may_stand(*line)]
        single = self._one_a_centre(legal)
        wanted = [line for line in single if line is not None]
        if self.book.too_many_builds == "none" and len(wanted) > due:
            return frozenset()
        if self.book.too_many_builds == "last_legal":
            single.reverse()
        return frozenset(line for line in single[:due] if line is not None)

    def _leaderless(self) -> bool:
        silent = set(self.position.powers_in_disorder)
        if self.book.civil_disorder_trigger == "unit_without_legal_order":
            silent |= self.position.torn
        return self.power in silent

    def _as_made(self, order: Build | Waive) -> tuple[str, str] | None:
        """The letter and the place of what is built; None for a build given up."""
        if isinstance(order, Waive):
            return None
        letter, place = order.unit
        code, _, coast = place.partition("/")
        province = self.board.provinces.get(code)
        if province is None or letter not in self.board.kinds:
            return letter, "?"
        if letter == "F" and province.terrain == "inland" and self.book.build_fleet_inland == "army":
            return "A", code
        return letter, place if letter == "F" and coast in province.coasts else code

    def _may_stand(self, letter: str, place: str) -> bool:
        code = place.partition("/")[0]
        homes = self.position.homes.get(self.power, self.board.homes[self.power])
        occupied = {unit.location.partition("/")[0] for unit in self.position.units}
        if code not in homes or code not in self.owned or code in occupied:
            return False
        province = self.board.provinces[code]
        if letter == "F":
            return province.terrain == "coastal" and place in province.locations
        return place == code

    def _one_a_centre(self, lines: Sequence[tuple[str, str] | None]) -> list[tuple[str, str] | None]:
        """At most one build a centre: the first, the last, or none of several."""
        found = []
        for number, line in enumerate(lines):
            others = [n for n, other in enumerate(lines) if line and other and _same(line, other)]
            stays = {"first": others[:1], "last": others[-1:], "none": others if len(others) == 1 else []}
            if line is None or number in stays[str(self.book.two_builds_one_centre)]:
                found.append(line)
        return found

    # removals

    def written(self, lines: Sequence[Disband], due: int) -> frozenset[Unit]:
        own = {(unit.kind, unit.location.partition("/")[0]): unit for unit in self.units}
        named = [own.get((line.unit.kind, line.unit.location.partition("/")[0])) for line in lines]
        listed = [unit for unit in named if unit is not None]
        if self.book.too_many_removals == "civil_disorder" and len(set(listed)) > due:
            return frozenset()
        if self.book.too_many_removals == "last_legal":
            listed.reverse()
        return frozenset(list(dict.fromkeys(listed))[:due])

    def _taken(self, written: frozenset[Unit], missing: int) -> frozenset[Unit]:
        """What the rules take beside: each of them comes before each of those that stay."""
        left = [unit for unit in self.units if unit not in written]
        if self.book.missing_removals == "random" and missing < len(left):
            return self._drawn(left, missing)
        return frozenset(unit for unit in left if sum(self._before(other, unit) for other in left) < missing)

    def _drawn(self, left: list[Unit], missing: int) -> frozenset[Unit]:
        gone: set[Unit] = set()
        for _ in range(missing):
            named = {f"{unit.kind} {unit.location}": unit for unit in left if unit not in gone}
            said = [self.position.seed, str(self.position.phase), sorted(named)]
            text = json.dumps(said).replace('", "', '","').replace('", [', '",[')
            place = int(hashlib.sha256(text.encode()).hexdigest(), 16) % len(named)
            gone.add(named[sorted(named)[place]])
        return frozenset(gone)

    def _before(self, one: Unit, other: Unit) -> bool:
        """Whether one unit goes sooner: it is farther; or as far and a fleet; or its name comes first."""
        if one == other:
            return False
        here, there = self.distance(one), self.distance(other)
        if here != there:
            return here > there
        if (one.kind == "F") != (other.kind == "F"):
            return one.kind == "F"
        return self._name(one) < self._name(other)

    def _name(self, unit: Unit) -> tuple[int, str]:
        province = self.board.provinces[unit.location.partition("/")[0]]
        if self.book.removal_alphabet == "english_annex_number":
            return province.number, ""
        return 0, province.french_sort_key if self.book.removal_alphabet == "french" else province.name

    def distance(self, unit: Unit) -> int:
        """How far a unit is from what distances are measured to; a thousand where there is no way."""
        goals = self._goals()
        reached = {unit.location, *self._shared(unit, {unit.location})}
        for steps in range(len(self.board.provinces)):
            if {place.partition("/")[0] for place in reached} & goals:
                return steps
            reached |= self._shared(unit, self._next(unit, reached))
        return 1000

    def _goals(self) -> set[str]:
        homes = set(self.position.homes.get(self.power, self.board.homes[self.power]))
        if self.book.removal_reference == "owned_centres":
            return self.owned
        own_choice = self.power in self.position.homes
        if self.book.removal_reference == "home_centres" or own_choice:
            return homes
        return set(self.board.countries.get(self.power, homes))

    def _walks(self, unit: Unit) -> bool:
        """Whether a unit's distance is that of its own moves."""
        fleet = unit.kind == "F"
        return self.book.removal_metric == "by_unit_moves" or (
            fleet and self.book.removal_metric == "army_any_fleet_sea"
        )

    def _next(self, unit: Unit, reached: Iterable[str]) -> set[str]:
        pairs: list[tuple[str, str]] = []
        if not self._walks(unit) or unit.kind in "AP":
            pairs += self.board.land
        if not self._walks(unit) or unit.kind in "FP":
            pairs += self.board.sea
        here = set(reached)
        return here | {b for a, b in pairs if a in here} | {a for a, b in pairs if b in here}

    def _shared(self, unit: Unit, places: Iterable[str]) -> set[str]:
        """Where coasts do not part a province for this distance, all its places are reached at once."""
        if self._walks(unit) and unit.kind == "F":
            return set(places)
        codes = {place.partition("/")[0] for place in places}
        return codes | {at for code in codes for at in self.board.provinces[code].locations}


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    return one[1].partition("/")[0] == other[1].partition("/")[0]
