"""A board: provinces, their coasts, and who may go where.

A location is a province code (`PAR`) or one of its coasts (`STP/SC`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Mobility(StrEnum):
    """Which borders a kind of unit may cross."""

    LAND = "land"
    SEA = "sea"
    ANY = "any"


class Terrain(StrEnum):
    """What a province is made of."""

    SEA = "sea"
    COASTAL = "coastal"
    INLAND = "inland"


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A kind of unit: its letter, how it moves, and what else it can do; `drawn_as_seat` is the seat in whose
    colour it is drawn, where that is not its owner's.
    """

    letter: str
    mobility: Mobility
    convoys: bool = False
    convoyable: bool = False
    captures: bool = True
    drawn_as_seat: str = ""


@dataclass(frozen=True, slots=True)
class Province:
    """One space of the board.

    Its `number` in the rulebooks' list, its English `name` and `french_sort_key`, the key of its French name
    in the alphabet, settle removals.
    """

    code: str
    terrain: Terrain
    number: int
    centre: bool = False
    coasts: tuple[str, ...] = ()
    name: str = ""
    french_sort_key: str = ""

    @property
    def locations(self) -> tuple[str, ...]:
        """The province's coasts as locations, or the province itself where it has none."""
        return tuple(f"{self.code}/{coast}" for coast in self.coasts) or (self.code,)


def province_of(location: str) -> str:
    """The province a location belongs to: `STP/SC` → `STP`."""
    return location.partition("/")[0]


Adjacency = Mapping[str, frozenset[str]]


@dataclass(frozen=True, eq=False)
class Board:
    """Provinces, kinds of unit, powers with their home centres, and borders.

    `land` holds pairs of provinces, `sea` pairs of locations, each border once. `countries` are the
    provinces of each power's home country, where the variant draws one; `landless` those who have units and
    write orders but never own a centre; `canals` the coastal provinces in which a fleet convoys as at sea.
    """

    provinces: Mapping[str, Province]
    kinds: Mapping[str, UnitKind]
    homes: Mapping[str, tuple[str, ...]]
    land: frozenset[tuple[str, str]]
    sea: frozenset[tuple[str, str]]
    countries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    landless: tuple[str, ...] = ()
    canals: frozenset[str] = frozenset()
    _distances: dict[frozenset[str], dict[str, int]] = field(default_factory=dict, repr=False)
    _journeys: dict[tuple[str, frozenset[str]], dict[str, int]] = field(default_factory=dict, repr=False)

    @cached_property
    def powers(self) -> tuple[str, ...]:
        """The powers, in the variant's order."""
        return tuple(self.homes)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Everybody who may have units and write orders: the powers, then those without land."""
        return (*self.homes, *self.landless)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The provinces that are supply centres, in the board's order."""
        return tuple(code for code, province in self.provinces.items() if province.centre)

    @cached_property
    def locations(self) -> frozenset[str]:
        """Every province and every coast."""
        coasts = {place for province in self.provinces.values() for place in province.locations}
        return frozenset(coasts | set(self.provinces))

    @cached_property
    def adjacent_locations(self) -> Mapping[str, Adjacency]:
        """For a kind's letter and a location: the locations it may step to."""
        by_mobility = {
            Mobility.LAND: _links(self.land),
            Mobility.SEA: _links(self.sea),
            Mobility.ANY: _links((*self.land, *((province_of(a), province_of(b)) for a, b in self.sea))),
        }
        return {letter: by_mobility[kind.mobility] for letter, kind in self.kinds.items()}

    @cached_property
    def adjacent_provinces(self) -> Mapping[str, Adjacency]:
        """For a kind's letter and any location, islands too: the provinces it may step to."""
        return {
            letter: {place: frozenset(map(province_of, links.get(place, ()))) for place in self.locations}
            for letter, links in self.adjacent_locations.items()
        }

    @cached_property
    def neighbours(self) -> Adjacency:
        """Provinces that touch, whatever may cross the border."""
        sea = ((province_of(a), province_of(b)) for a, b in self.sea)
        return _links((*self.land, *sea))

    @cached_property
    def adjacent_seas(self) -> Adjacency:
        """For each province: the seas and canals a fleet reaches from it, from any of its coasts."""
        near = _links((province_of(a), province_of(b)) for a, b in self.sea)
        return {code: frozenset(filter(self.allows_convoys, places)) for code, places in near.items()}

    def is_sea(self, code: str) -> bool:
        """Whether a province is open sea."""
        return self.provinces[code].terrain is Terrain.SEA

    def allows_convoys(self, code: str) -> bool:
        """Whether fleets convoy in a province: open sea, or a canal."""
        return self.is_sea(code) or code in self.canals

    def can_stand(self, letter: str, location: str) -> bool:
        """Whether a unit of this kind may stand at this location."""
        return (letter, location) in self.standable

    @cached_property
    def standable(self) -> frozenset[tuple[str, str]]:
        """Every kind's letter with each location at which such a unit may stand."""
        return frozenset(
            (letter, place) for letter in self.kinds for place in self.locations if self._bears(letter, place)
        )

    def _bears(self, letter: str, location: str) -> bool:
        province, mobility = self.provinces[province_of(location)], self.kinds[letter].mobility
        if mobility is Mobility.ANY:
            return location == province.code
        if mobility is Mobility.LAND:
            return location == province.code and province.terrain is not Terrain.SEA
        return province.terrain is not Terrain.INLAND and location in province.locations

    def landing_locations(self, letter: str, origin: str, code: str) -> tuple[str, ...]:
        """The locations of province `code` that this unit reaches in one step, sorted."""
        return self._landings[letter].get((origin, code), ())

    @cached_property
    def _landings(self) -> Mapping[str, Mapping[tuple[str, str], tuple[str, ...]]]:
        return {letter: _by_province(links) for letter, links in self.adjacent_locations.items()}

    def standable_locations(self, letter: str, code: str) -> tuple[str, ...]:
        """The locations of province `code` at which a unit of this kind may stand."""
        province = self.provinces[code]
        places = dict.fromkeys((code, *province.locations))
        return tuple(place for place in places if self.can_stand(letter, place))

    def spaces_to_nearest(self, code: str, goals: Iterable[str]) -> int:
        """Spaces from `code` to the nearest of `goals`, over any ground; -1 when there is no way."""
        key = frozenset(goals)
        if key not in self._distances:
            self._distances[key] = _flood(self.neighbours, key)
        return self._distances[key].get(code, -1)

    def moves_to_nearest(self, letter: str, location: str, goals: Iterable[str]) -> int:
        """Moves of such a unit, without convoy, from a location to the nearest of the provinces `goals`, on
        whatever coast; -1 when there is no way."""
        key = letter, frozenset(goals)
        if key not in self._journeys:
            ends = sorted(place for place in self.locations if province_of(place) in key[1])
            self._journeys[key] = _flood(self.adjacent_locations[letter], ends)
        return self._journeys[key].get(location, -1)


def _links(borders: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    near: dict[str, set[str]] = {}
    for a, b in borders:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    return {place: frozenset(others) for place, others in near.items()}


def _by_province(links: Adjacency) -> dict[tuple[str, str], tuple[str, ...]]:
    """The locations one may step to, sorted, by origin and province."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for origin, near in links.items():
        for place in sorted(near):
            key = origin, province_of(place)
            found[key] = (*found.get(key, ()), place)
    return found


def _flood(links: Adjacency, goals: Iterable[str]) -> dict[str, int]:
    far = dict.fromkeys(goals, 0)
    queue = deque(far)
    while queue:
        here = queue.popleft()
        for place in links.get(here, ()):
            if place not in far:
                far[place] = far[here] + 1
                queue.append(place)
    return far
