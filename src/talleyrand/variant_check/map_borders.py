"""Whether the drawing says what the rules say.

Every adjacency is a border that one sees, or a declared crossing; no other two provinces touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from .findings import VariantFinding
from .map_contacts import MapContacts, Shore, clearance, inside, shores
from .map_outlines import NAMELESS_PREFIX, MapOutlines, Point

CORNER = 1.0  # board units: a shorter contact is a corner
SEEN = 4.0  # a shorter border is not seen
SLIP = 2.0  # what lies loose for a shorter stretch is a slip of the pen
TOGETHER = 4.0  # two shores that end so close end at the same place
PROBE, CLEAR = 1.2, 0.5  # so far from a border one asks who is there, and so far inside he must be
Pair = tuple[str, str]


@dataclass(frozen=True)
class BorderRules:
    """Kinds and coasts of provinces, pairs that armies and fleets may cross, and exceptions."""

    kinds: Mapping[str, str]
    coasts: Mapping[str, tuple[str, ...]]
    land: frozenset[Pair]
    sea: frozenset[Pair]
    crossings: frozenset[Pair] = frozenset()
    barriers: frozenset[Pair] = frozenset()

    @property
    def waters(self) -> set[str]:
        """The seas."""
        return {code for code, kind in self.kinds.items() if kind == "sea"}

    def near(self, place: str) -> set[str]:
        """The seas that a fleet reaches from a place."""
        ends = ((b if a == place else a) for a, b in self.sea if place in (a, b))
        return {end for end in ends if end in self.waters}


def sorted_pair(a: str, b: str) -> Pair:
    """Two names in order."""
    return (a, b) if a < b else (b, a)


def province_pair(pair: Pair) -> Pair:
    """The provinces of two places."""
    return sorted_pair(pair[0].partition("/")[0], pair[1].partition("/")[0])


def border_findings(rules: BorderRules, contacts: MapContacts) -> Iterator[VariantFinding]:
    """Compare touching with adjacency, provinces first, then what fleets may do along the shores."""
    wanted = {sorted_pair(*pair) for pair in rules.land} | {province_pair(pair) for pair in rules.sea}
    touching = {pair: length for pair, length in contacts.pairs().items() if set(pair) <= set(rules.kinds)}
    for pair in sorted(wanted | set(touching)):
        yield from _pair(pair, touching.get(pair, 0.0), rules, wanted=pair in wanted)
    for pair in sorted(rules.crossings - wanted):
        yield VariantFinding("crossing_unknown", pair)
    yield from _armies(rules, touching)
    yield from _fleets(rules, contacts, touching)


def _pair(pair: Pair, length: float, rules: BorderRules, *, wanted: bool) -> Iterator[VariantFinding]:
    facts = {"length": f"{length:.1f}"}
    declared = pair in rules.crossings
    if wanted and not declared and length < CORNER:
        yield VariantFinding("border_missing", pair)
    elif wanted and not declared and length < SEEN:
        yield VariantFinding("border_short", pair, facts)
    elif wanted and declared and length >= SEEN:
        yield VariantFinding("crossing_needless", pair, facts)
    elif not wanted and length and pair not in rules.barriers:
        yield VariantFinding("border_extra" if length >= CORNER else "border_corner", pair, facts)


def _armies(rules: BorderRules, touching: Mapping[Pair, float]) -> Iterator[VariantFinding]:
    """Lands that fleets pass between, and that touch, are neighbours for armies too."""
    land, fleets = {sorted_pair(*pair) for pair in rules.land}, {province_pair(pair) for pair in rules.sea}
    for pair, length in sorted(touching.items()):
        dry = not set(pair) & rules.waters
        if dry and length >= SEEN and pair in fleets - land - rules.barriers:
            yield VariantFinding("army_border_missing", pair)


def _fleets(
    rules: BorderRules, contacts: MapContacts, touching: Mapping[Pair, float]
) -> Iterator[VariantFinding]:
    """What the shores let fleets do, against what the rules do."""
    places = {code: _placed(code, rules, contacts) for code, kind in rules.kinds.items() if kind == "coastal"}
    drawn = set(_along_shores(places)) | set(_to_sea(places))
    drawn |= {pair for pair in touching if set(pair) <= rules.waters}
    excused = rules.crossings | rules.barriers
    told = {sorted_pair(*pair) for pair in rules.sea}
    for pair in sorted(told - drawn):
        if province_pair(pair) not in excused and touching.get(province_pair(pair), 0.0) >= CORNER:
            yield VariantFinding("fleet_border_missing", pair)
    for pair in sorted(drawn - told):
        if province_pair(pair) not in excused and touching.get(province_pair(pair), 0.0) >= CORNER:
            yield VariantFinding("fleet_border_extra", pair)


def _placed(code: str, rules: BorderRules, contacts: MapContacts) -> list[tuple[str, Shore]]:
    """Each shore of a land with the place where its fleets stand."""
    return [(_place(code, shore, rules), shore) for shore in shores(contacts, code, rules.waters)]


def _place(code: str, shore: Shore, rules: BorderRules) -> str:
    """The coast whose waters hold the shore's, the one with fewest waters if several do."""
    coasts = [f"{code}/{coast}" for coast in rules.coasts.get(code, ())]
    fitting = [place for place in coasts if shore.waters <= rules.near(place)]
    most = [place for place in coasts if shore.waters & rules.near(place)]
    return min(fitting or most or [code], key=lambda place: (len(rules.near(place)), place))


def _to_sea(places: Mapping[str, list[tuple[str, Shore]]]) -> Iterator[Pair]:
    for found in places.values():
        for place, shore in found:
            yield from (sorted_pair(place, water) for water in shore.waters)


def _along_shores(places: Mapping[str, list[tuple[str, Shore]]]) -> Iterator[Pair]:
    """Two shores that end at each other's border beside the same water."""
    ends = [(place, end) for found in places.values() for place, shore in found for end in shore.ends]
    for (place, end), (other, facing) in combinations(ends, 2):
        mutual = end.neighbour == other.partition("/")[0] and facing.neighbour == place.partition("/")[0]
        if mutual and end.water == facing.water and math.dist(end.at, facing.at) < TOGETHER:
            yield sorted_pair(place, other)


def gap_findings(outlines: MapOutlines, contacts: MapContacts) -> Iterator[VariantFinding]:
    """Gaps and overlaps: an outline runs along another surface or the frame, and nobody else is inside it."""
    for owner, places in sorted(contacts.unmatched.items()):
        if len(places) > SLIP and not owner.startswith(NAMELESS_PREFIX):
            yield _loose(owner, places, outlines)
    for pair in sorted(contacts.pairs()):
        at = contacts.places.get(pair) or contacts.places[pair[1], pair[0]]
        if _both_inside(at, pair, outlines):
            yield VariantFinding("overlap", pair, _where(at))


def _loose(owner: str, places: list[Point], outlines: MapOutlines) -> VariantFinding:
    at = places[len(places) // 2]
    under = [name for name, rings in outlines.rings.items() if name != owner and inside(at, rings)]
    named = [name for name in under if not name.startswith(NAMELESS_PREFIX)]
    if under:
        return VariantFinding("overlap", (owner, *named[:1]), _where(at))
    return VariantFinding("gap", (owner,), {"count": str(len(places)), **_where(at)})


def _both_inside(at: Point, pair: Pair, outlines: MapOutlines) -> bool:
    """Whether two surfaces share ground beside a border of theirs."""
    around = ((at[0] + dx * PROBE, at[1] + dy * PROBE) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    return any(all(clearance(point, outlines.rings[name]) > CLEAR for name in pair) for point in around)


def _where(at: Point) -> dict[str, str]:
    return {"x": f"{at[0]:.0f}", "y": f"{at[1]:.0f}"}
