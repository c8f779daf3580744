"""Whether the drawing says what the rules say.

Every adjacency is a border that one sees, or a declared crossing; no other two provinces touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from .contacts import Contacts, Shore, clearance, inside, shores
from .findings import Finding
from .outlines import WAITING, Outlines, Point

CORNER = 1.0  # board units: a shorter contact is a corner
SEEN = 4.0  # a shorter border is not seen
SLIP = 2.0  # what lies loose for a shorter stretch is a slip of the pen
TOGETHER = 4.0  # two shores that end so close end at the same place
PROBE, CLEAR = 1.2, 0.5  # so far from a border one asks who is there, and so far inside he must be
Pair = tuple[str, str]


@dataclass(frozen=True)
class Rules:
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


def ordered(a: str, b: str) -> Pair:
    """Two names in order."""
    return (a, b) if a < b else (b, a)


def provinces_of(pair: Pair) -> Pair:
    """The provinces of two places."""
    return ordered(pair[0].partition("/")[0], pair[1].partition("/")[0])


def border_findings(rules: Rules, contacts: Contacts) -> Iterator[Finding]:
    """Compare touching with adjacency, provinces first, then what fleets may do along the shores."""
    wanted = {ordered(*pair) for pair in rules.land} | {provinces_of(pair) for pair in rules.sea}
    touching = {pair: length for pair, length in contacts.pairs().items() if set(pair) <= set(rules.kinds)}
    for pair in sorted(wanted | set(touching)):
        yield from _pair(pair, touching.get(pair, 0.0), rules, wanted=pair in wanted)
    for pair in sorted(rules.crossings - wanted):
        yield Finding("crossing_unknown", pair)
    yield from _armies(rules, touching)
    yield from _fleets(rules, contacts, touching)


def _pair(pair: Pair, length: float, rules: Rules, *, wanted: bool) -> Iterator[Finding]:
    facts = {"length": f"{length:.1f}"}
    declared = pair in rules.crossings
    if wanted and not declared and length < CORNER:
        yield Finding("border_missing", pair)
    elif wanted and not declared and length < SEEN:
        yield Finding("border_short", pair, facts)
    elif wanted and declared and length >= SEEN:
        yield Finding("crossing_needless", pair, facts)
    elif not wanted and length and pair not in rules.barriers:
        yield Finding("border_extra" if length >= CORNER else "border_corner", pair, facts)


def _armies(rules: Rules, touching: Mapping[Pair, float]) -> Iterator[Finding]:
    """Lands that fleets pass between, and that touch, are neighbours for armies too."""
    land, fleets = {ordered(*pair) for pair in rules.land}, {provinces_of(pair) for pair in rules.sea}
    for pair, length in sorted(touching.items()):
        dry = not set(pair) & rules.waters
        if dry and length >= SEEN and pair in fleets - land - rules.barriers:
            yield Finding("army_border_missing", pair)


def _fleets(rules: Rules, contacts: Contacts, touching: Mapping[Pair, float]) -> Iterator[Finding]:
    """What the shores let fleets do, against what the rules do."""
    places = {code: _placed(code, rules, contacts) for code, kind in rules.kinds.items() if kind == "coastal"}
    drawn = set(_along_shores(places)) | set(_to_sea(places))
    drawn |= {pair for pair in touching if set(pair) <= rules.waters}
    excused = rules.crossings | rules.barriers
    told = {ordered(*pair) for pair in rules.sea}
    for pair in sorted(told - drawn):
        if provinces_of(pair) not in excused and touching.get(provinces_of(pair), 0.0) >= CORNER:
            yield Finding("fleet_border_missing", pair)
    for pair in sorted(drawn - told):
        if provinces_of(pair) not in excused and touching.get(provinces_of(pair), 0.0) >= CORNER:
            yield Finding("fleet_border_extra", pair)


def _placed(code: str, rules: Rules, contacts: Contacts) -> list[tuple[str, Shore]]:
    """Each shore of a land with the place where its fleets stand."""
    return [(_place(code, shore, rules), shore) for shore in shores(contacts, code, rules.waters)]


def _place(code: str, shore: Shore, rules: Rules) -> str:
    """The coast whose waters hold the shore's, the one with fewest waters if several do."""
    coasts = [f"{code}/{coast}" for coast in rules.coasts.get(code, ())]
    fitting = [place for place in coasts if shore.waters <= rules.near(place)]
    most = [place for place in coasts if shore.waters & rules.near(place)]
    return min(fitting or most or [code], key=lambda place: (len(rules.near(place)), place))


def _to_sea(places: Mapping[str, list[tuple[str, Shore]]]) -> Iterator[Pair]:
    for found in places.values():
        for place, shore in found:
            yield from (ordered(place, water) for water in shore.waters)


def _along_shores(places: Mapping[str, list[tuple[str, Shore]]]) -> Iterator[Pair]:
    """Two shores that end at each other's border beside the same water."""
    ends = [(place, end) for found in places.values() for place, shore in found for end in shore.ends]
    for (place, end), (other, facing) in combinations(ends, 2):
        mutual = end.neighbour == other.partition("/")[0] and facing.neighbour == place.partition("/")[0]
        if mutual and end.water == facing.water and math.dist(end.at, facing.at) < TOGETHER:
            yield ordered(place, other)


def sheet_findings(outlines: Outlines, contacts: Contacts) -> Iterator[Finding]:
    """Gaps and overlaps: an outline runs along another surface or the frame, and nobody else is inside it."""
    for owner, places in sorted(contacts.loose.items()):
        if len(places) > SLIP and not owner.startswith(WAITING):
            yield _loose(owner, places, outlines)
    for pair in sorted(contacts.pairs()):
        at = contacts.places.get(pair) or contacts.places[pair[1], pair[0]]
        if _both_inside(at, pair, outlines):
            yield Finding("overlap", pair, _where(at))


def _loose(owner: str, places: list[Point], outlines: Outlines) -> Finding:
    at = places[len(places) // 2]
    under = [name for name, rings in outlines.rings.items() if name != owner and inside(at, rings)]
    named = [name for name in under if not name.startswith(WAITING)]
    if under:
        return Finding("overlap", (owner, *named[:1]), _where(at))
    return Finding("gap", (owner,), {"count": str(len(places)), **_where(at)})


def _both_inside(at: Point, pair: Pair, outlines: Outlines) -> bool:
    """Whether two surfaces share ground beside a border of theirs."""
    around = ((at[0] + dx * PROBE, at[1] + dy * PROBE) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    return any(all(clearance(point, outlines.rings[name]) > CLEAR for name in pair) for point in around)


def _where(at: Point) -> dict[str, str]:
    return {"x": f"{at[0]:.0f}", "y": f"{at[1]:.0f}"}
