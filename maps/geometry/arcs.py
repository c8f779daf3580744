"""A partition of the sheet as arcs: each is simplified and smoothed once, so that its two sides agree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely import Geometry, LineString, Polygon, STRtree

Point = tuple[float, float]
Segment = tuple[Point, Point]
Pair = tuple[str, str]
OUTSIDE = ""  # what lies beyond the sheet
ROUNDS = 2  # of corner cutting
LONGEST = 30.0  # board units: no straight piece is longer, for a projection bends none of them


@dataclass(frozen=True)
class Arc:
    """A line with one owner on either side; the names are in order."""

    sides: Pair
    points: tuple[Point, ...]


def arcs(surfaces: Sequence[Polygon], names: Sequence[str]) -> list[Arc]:
    """The lines between faces of different names, each from one meeting point to the next."""
    segments = _segments(surfaces, names)
    near: dict[Point, list[Point]] = defaultdict(list)
    for a, b in sorted(segments):
        near[a].append(b)
        near[b].append(a)
    ends = sorted(point for point in near if _is_end(point, near[point], segments))
    found, stops = [], set(ends)
    done: set[Segment] = set()
    for start, step in ((point, other) for point in [*ends, *sorted(near)] for other in near[point]):
        key = _key(start, step)
        if key not in done:
            found.append(Arc(segments[key], _walk(start, step, near, stops, done)))
    return found


def _segments(surfaces: Sequence[Polygon], names: Sequence[str]) -> dict[Segment, Pair]:
    sides: dict[Segment, list[str]] = defaultdict(list)
    for face, name in zip(surfaces, names, strict=True):
        for ring in (face.exterior, *face.interiors):
            points = [tuple(point) for point in np.round(shapely.get_coordinates(ring), 4).tolist()]
            for a, b in pairwise(points):
                sides[_key(a, b)].append(name)
    pairs = {segment: _pair(found) for segment, found in sides.items()}
    return {segment: pair for segment, pair in pairs.items() if pair[0] != pair[1]}


def _pair(found: list[str]) -> Pair:
    first, second = sorted([*found, OUTSIDE][:2])
    return first, second


def _key(a: Point, b: Point) -> Segment:
    return (a, b) if a < b else (b, a)


def _is_end(point: Point, near: list[Point], segments: Mapping[Segment, Pair]) -> bool:
    return len(near) != 2 or segments[_key(point, near[0])] != segments[_key(point, near[1])]


def _walk(
    start: Point, step: Point, near: Mapping[Point, list[Point]], stops: set[Point], done: set[Segment]
) -> tuple[Point, ...]:
    path = [start, step]
    done.add(_key(start, step))
    while path[-1] not in stops and path[-1] != start:
        here = path[-1]
        ahead = next(point for point in near[here] if _key(here, point) not in done)
        done.add(_key(here, ahead))
        path.append(ahead)
    return tuple(path)


def drawn(arc: Arc, tolerance: float, thin: float, *, meander: bool) -> Arc:
    """The arc as it is seen: simplified, rounded, thinned; the edge of the sheet stays straight."""
    points = list(arc.points)
    if OUTSIDE not in arc.sides and len(points) > 2:
        points = _thinned(_smooth(points, tolerance, meander=meander), thin)
    cut = LineString(points).segmentize(LONGEST)
    return Arc(arc.sides, tuple((x, y) for x, y in shapely.get_coordinates(cut).tolist()))


def sewn(found: Sequence[Arc], width: float) -> list[Arc]:
    """The arcs with the same points on both edges of a turn of the globe, which may be laid side by side."""
    heights = sorted({y for arc in found for x, y in arc.points if x in (0.0, width)})
    return [Arc(arc.sides, tuple(_sewn(arc.points, heights, width))) for arc in found]


def _sewn(points: Sequence[Point], heights: Sequence[float], width: float) -> Iterator[Point]:
    yield points[0]
    for a, b in pairwise(points):
        if a[0] == b[0] and a[0] in (0.0, width):
            between = [y for y in heights if min(a[1], b[1]) < y < max(a[1], b[1])]
            yield from ((a[0], y) for y in (between if a[1] < b[1] else between[::-1]))
        yield b


def _smooth(points: list[Point], tolerance: float, *, meander: bool) -> list[Point]:
    closed = points[0] == points[-1]
    if closed:
        points = _from_its_tip(points)
    thin = _thinned(points, tolerance)
    if closed and len(thin) < 6:
        thin = points
    if meander:
        thin = _meandering(thin)
    return round_corners(thin)


def _thinned(points: list[Point], tolerance: float) -> list[Point]:
    return [(x, y) for x, y in shapely.get_coordinates(LineString(points).simplify(tolerance)).tolist()]


def _from_its_tip(points: list[Point]) -> list[Point]:
    """A closed line from its most pointed place, so that thinning keeps its shape."""
    body, third = points[:-1], (len(points) - 1) // 3

    def reach(at: int) -> float:
        return math.dist(body[at], body[at - third]) + math.dist(body[at], body[(at + third) % len(body)])

    tip = max(range(len(body)), key=reach)
    return [*body[tip:], *body[:tip], body[tip]]


def round_corners(points: Sequence[Point]) -> list[Point]:
    """Cut the corners twice (Chaikin); the ends of an open line stay, long sides keep a straight middle."""
    line = list(points)
    for _ in range(ROUNDS if len(line) > 2 else 0):
        line = _cut(line, closed=line[0] == line[-1])
    return line


def _cut(points: list[Point], *, closed: bool) -> list[Point]:
    out = []
    for a, b in pairwise(points):
        length = math.dist(a, b)
        share = min(0.25, 2.5 / length) if length else 0
        out += [_between(a, b, share), _between(b, a, share)]
    return [*out, out[0]] if closed else [points[0], *out[1:-1], points[-1]]


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _meandering(points: Sequence[Point], swing: float = 0.035, shortest: float = 9.0) -> list[Point]:
    """Long straight pieces of a frontier with a slight meander, the same each time."""
    out = [points[0]]
    for a, b in pairwise(points):
        length = math.dist(a, b)
        if length <= shortest:
            out.append(b)
            continue
        push = _whim(a, b) * swing
        aside = (a[1] - b[1]) * push, (b[0] - a[0]) * push
        middle = (a[0] + b[0]) / 2 + aside[0], (a[1] + b[1]) / 2 + aside[1]
        out += _meandering([a, middle, b], swing * 1.25, shortest)[1:]
    return out


def _whim(a: Point, b: Point) -> float:
    """A number between -1 and 1 that depends on two points, never close to 0."""
    mix = math.sin(a[0] * 12.9898 + a[1] * 78.233 + b[0] * 37.719 + b[1] * 4.581) * 43758.5453
    push = (mix - math.floor(mix) - 0.5) * 2
    return math.copysign(max(abs(push), 0.35), push)


def crossings(found: Sequence[Arc]) -> list[str]:
    """Where arcs meet elsewhere than at their ends, in words."""
    lines = [LineString(arc.points) for arc in found]
    tree, out = STRtree(lines), []
    for number, line in enumerate(lines):
        if not line.is_simple:
            out.append(f"{'-'.join(found[number].sides)} crosses itself near {_about(line)}")
        for other in sorted(tree.query(line, predicate="crosses")):
            if number < other:
                place = _about(line.intersection(lines[other]))
                out.append(
                    f"{'-'.join(found[number].sides)} crosses {'-'.join(found[other].sides)} at {place}"
                )
    return out


def _about(geometry: Geometry) -> str:
    point = geometry.representative_point()
    return f"{point.x:.0f}, {point.y:.0f}"


def rebuilt(found: Iterable[Arc], surfaces: Sequence[Polygon], names: Sequence[str]) -> dict[str, Geometry]:
    """The surface of each owner from the arcs, each face named as the one it covers most."""
    lines = shapely.union_all([LineString(arc.points) for arc in found])
    tree, parts = STRtree(surfaces), defaultdict(list)
    for face in shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))):
        near = sorted(tree.query(face, predicate="intersects"))
        best = max(near, key=lambda number: surfaces[number].intersection(face).area)
        parts[names[best]].append(face)
    return {name: shapely.union_all(faces) for name, faces in parts.items()}
