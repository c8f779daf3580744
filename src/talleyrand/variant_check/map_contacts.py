"""What touches what in a drawing, by measure: outlines are walked in short steps, and each step looks around.

Neighbours need not share their points: what lies within `NEAR` of a line lies on it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from .findings import VariantFinding
from .map_outlines import Box, MapOutlines, Point, Ring, UnreadableMap

NEAR = 0.45  # board units
STRIDE = 1.0
CELL = 6.0
LONGEST = 1_000_000.0  # all outlines together, in board units: the world takes a fifth
CROWD = 20_000_000  # lines of a cell, by themselves, in all cells: the world takes a twentieth
EDGE = 0.6  # what lies so close to the frame is its edge
FRAME = "|"  # the neighbour beyond the frame
NOBODY = ""
Segment = tuple[str, Point, Point]
Step = tuple[str, Point, float]  # whom it borders on, where, how long it is


@dataclass(frozen=True)
class ShoreEnd:
    """Where a shore ends: at whose border, beside which water."""

    neighbour: str
    water: str
    at: Point


@dataclass(frozen=True)
class Shore:
    """A connected stretch of a land's outline along open waters; a whole island's has no ends."""

    waters: frozenset[str]
    ends: tuple[ShoreEnd, ...] = ()


@dataclass
class MapContacts:
    """Lengths and places of borders, what lies on nobody, and the walk round each outline."""

    lengths: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    places: dict[tuple[str, str], Point] = field(default_factory=dict)
    unmatched: dict[str, list[Point]] = field(default_factory=lambda: defaultdict(list))
    walks: dict[str, list[list[Step]]] = field(default_factory=lambda: defaultdict(list))

    def length(self, a: str, b: str) -> float:
        """The border of two surfaces in board units, 0 where they do not touch."""
        return max(self.lengths.get((a, b), 0.0), self.lengths.get((b, a), 0.0))

    def pairs(self) -> dict[tuple[str, str], float]:
        """Every pair that touches, in order, with its border."""
        return {(min(pair), max(pair)): self.length(*pair) for pair in sorted(self.lengths)}


def measure_contacts(outlines: MapOutlines) -> MapContacts:
    """Walk all outlines of a drawing; raises UnreadableMap where that would take hours."""
    grid, found = _grid(outlines), MapContacts()
    for owner, rings in outlines.rings.items():
        seams = _seams(rings)
        for ring in rings:
            steps = _steps(ring, seams)
            walk = [(_other(owner, at, grid, outlines.box), at, step) for at, step in steps]
            found.walks[owner].append(walk)
            for other, at, step in walk:
                if other == NOBODY:
                    found.unmatched[owner].append(at)
                elif other != FRAME:
                    found.lengths[owner, other] += step
                    found.places.setdefault((owner, other), at)
    return found


def _grid(outlines: MapOutlines) -> dict[tuple[int, int], list[Segment]]:
    """Every segment in the cells it passes; raises UnreadableMap."""
    lines = (pair for rings in outlines.rings.values() for ring in rings for pair in pairwise(ring))
    if sum(math.dist(a, b) for a, b in lines) > LONGEST:
        raise UnreadableMap(VariantFinding("svg_long"))
    grid: dict[tuple[int, int], list[Segment]] = defaultdict(list)
    for owner, rings in outlines.rings.items():
        for ring in rings:
            for a, b in pairwise(ring):
                for cell in _cells(a, b):
                    grid[cell].append((owner, a, b))
    if sum(len(found) ** 2 for found in grid.values()) > CROWD:
        raise UnreadableMap(VariantFinding("svg_crowded"))
    return grid


def _cells(a: Point, b: Point) -> set[tuple[int, int]]:
    """The cells within `NEAR` of a segment."""
    pieces = max(1, math.ceil(math.dist(a, b) / (CELL / 2)))
    cells = set()
    for piece in range(pieces + 1):
        x, y = (a[i] + (b[i] - a[i]) * piece / pieces for i in (0, 1))
        for dx in (-CELL / 4, CELL / 4):
            for dy in (-CELL / 4, CELL / 4):
                cells.add((math.floor((x + dx) / CELL), math.floor((y + dy) / CELL)))
    return cells


def _seams(rings: Sequence[Ring]) -> set[tuple[Point, Point]]:
    """The segments that a surface has twice: there two parts of it are put together."""
    seen: Counter[tuple[Point, Point]] = Counter()
    for ring in rings:
        seen.update(_segment(a, b) for a, b in pairwise(ring))
    return {segment for segment, count in seen.items() if count > 1}


def _segment(a: Point, b: Point) -> tuple[Point, Point]:
    """The same, to a tenth, whichever way it is drawn."""
    first, second = sorted((round(x, 1), round(y, 1)) for x, y in (a, b))
    return first, second


def _steps(ring: Ring, seams: set[tuple[Point, Point]]) -> Iterator[tuple[Point, float]]:
    """The middle of each short piece of a ring, and its length; seams are left out."""
    for a, b in ((a, b) for a, b in pairwise(ring) if _segment(a, b) not in seams):
        length = math.dist(a, b)
        pieces = max(1, math.ceil(length / STRIDE))
        for piece in range(pieces):
            share = (piece + 0.5) / pieces
            yield (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), length / pieces


def _other(owner: str, at: Point, grid: Mapping[tuple[int, int], list[Segment]], box: Box) -> str:
    """Whom a place of an outline borders on: the nearest, the frame, or nobody."""
    left, top, width, height = box
    if min(at[0] - left, at[1] - top, left + width - at[0], top + height - at[1]) < EDGE:
        return FRAME
    near, who = NEAR, NOBODY
    for other, a, b in grid.get((math.floor(at[0] / CELL), math.floor(at[1] / CELL)), ()):
        if other != owner:
            away = distance(at, a, b)
            if away < near or (away == near and who and other < who):
                near, who = away, other
    return who


def distance(point: Point, a: Point, b: Point) -> float:
    """From a point to the segment a-b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length if length else 0.0
    share = max(0.0, min(1.0, share))
    return math.hypot(point[0] - a[0] - share * dx, point[1] - a[1] - share * dy)


def inside(point: Point, rings: Sequence[Ring]) -> bool:
    """Whether a place lies in a surface (even-odd rule)."""
    x, y = point
    crossings = 0
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise(ring):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                crossings += 1
    return crossings % 2 == 1


def clearance(at: Sequence[float], rings: Sequence[Ring]) -> float:
    """How far a place is from the outline of a surface; below 0 where it is not inside."""
    point: Point = (at[0], at[1])
    if not inside(point, rings):
        return -1.0
    return min(distance(point, a, b) for ring in rings for a, b in pairwise(ring))


def shores(contacts: MapContacts, owner: str, waters: set[str]) -> list[Shore]:
    """The shores of a land."""
    found = []
    for walk in contacts.walks.get(owner, ()):
        stretches = _stretches([step for step in walk if step[0] != NOBODY], waters)
        for number, (wet, steps) in enumerate(stretches):
            if wet:
                before, after = stretches[number - 1][1][-1], stretches[(number + 1) % len(stretches)][1][0]
                limits = (_end(before, steps[0]), _end(after, steps[-1])) if len(stretches) > 1 else ()
                found.append(Shore(frozenset(name for name, _, _ in steps), limits))
    return found


def _end(beyond: Step, last: Step) -> ShoreEnd:
    return ShoreEnd(beyond[0], last[0], last[1])


def _stretches(walk: Sequence[Step], waters: set[str]) -> list[tuple[bool, list[Step]]]:
    """A ring as stretches by turns along water and not, beginning where one begins."""
    start = next((at for at in range(len(walk)) if (walk[at][0] in waters) != (walk[at - 1][0] in waters)), 0)
    turned = [*walk[start:], *walk[:start]]
    return [(wet, list(steps)) for wet, steps in groupby(turned, key=lambda step: step[0] in waters)]
