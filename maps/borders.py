"""Cutting to the frame, and the borders between shapes as long lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from shapes import Point, Ring, Shape

Segment = tuple[Point, Point]
LAND = frozenset({"coastal", "inland", "impassable"})
STYLES = ("sea-line", "frontier", "coast")


def clip_ring(ring: Ring, frame: Point) -> Ring:
    """The part of a ring inside (0, 0)..frame, closed; empty when all is outside (Sutherland-Hodgman)."""
    points = ring[:-1]
    for axis, limit, sign in ((0, 0, 1), (0, frame[0], -1), (1, 0, 1), (1, frame[1], -1)):
        points = _cut(points, axis, limit, sign)
    return [*points, points[0]] if len(points) > 2 else []


def clip_line(line: Ring, frame: Point) -> list[Ring]:
    """The parts of a line inside (0, 0)..frame."""
    parts: list[Ring] = []
    for a, b in pairwise(line):
        ends = _clip_segment(a, b, frame)
        if ends and parts and parts[-1][-1] == ends[0]:
            parts[-1].append(ends[1])
        elif ends:
            parts.append(list(ends))
    return parts


def _clip_segment(a: Point, b: Point, frame: Point) -> Segment | None:
    for axis, limit, sign in ((0, 0, 1), (0, frame[0], -1), (1, 0, 1), (1, frame[1], -1)):
        inside_a, inside_b = sign * (a[axis] - limit) >= 0, sign * (b[axis] - limit) >= 0
        if not (inside_a or inside_b):
            return None
        if inside_a != inside_b:
            met = _crossing(a, b, axis, limit)
            a, b = (a, met) if inside_a else (met, b)
    return (a, b) if a != b else None


def _cut(points: Ring, axis: int, limit: int, sign: int) -> Ring:
    out: Ring = []
    for a, b in pairwise([*points[-1:], *points]):
        inside_a, inside_b = sign * (a[axis] - limit) >= 0, sign * (b[axis] - limit) >= 0
        if inside_a != inside_b:
            out.append(_crossing(a, b, axis, limit))
        if inside_b:
            out.append(b)
    return out


def _crossing(a: Point, b: Point, axis: int, limit: int) -> Point:
    """Where a segment meets an edge of the frame: the same point whichever way it is followed."""
    a, b = min(a, b), max(a, b)
    other = 1 - axis
    place = a[other] + (b[other] - a[other]) * (limit - a[axis]) / (b[axis] - a[axis])
    return (limit, round(place)) if axis == 0 else (round(place), limit)


def borders(shapes: Sequence[Shape], frame: Point) -> dict[str, list[Ring]]:
    """The lines of each style: `coast`, `frontier` between lands, `sea-line` between waters."""
    segments: dict[str, list[Segment]] = {style: [] for style in STYLES}
    for segment, sides in _sides(shapes).items():
        style = _style(sides)
        if style and _visible(segment, frame):
            segments[style].append(segment)
    return {style: _joined(found) for style, found in segments.items()}


def _sides(shapes: Iterable[Shape]) -> dict[Segment, list[Shape]]:
    sides: dict[Segment, list[Shape]] = defaultdict(list)
    for shape in shapes:
        for ring in shape.rings if shape.kind != "lake" else ():
            for a, b in pairwise(ring):
                sides[min(a, b), max(a, b)].append(shape)
    return sides


def _style(sides: list[Shape]) -> str | None:
    """How a border is drawn; not where nothing lies beyond, nor along the seam of one shape."""
    kinds = [shape.kind for shape in sides]
    if len(kinds) < 2 or kinds[0] == kinds[1] == "impassable" or sides[0].code == sides[1].code:
        return None
    dry = [kind in LAND for kind in kinds]
    return "frontier" if all(dry) else "coast" if any(dry) else "sea-line"


def _visible(segment: Segment, frame: Point) -> bool:
    return any(0 <= x <= frame[0] and 0 <= y <= frame[1] for x, y in segment)


def _joined(segments: list[Segment]) -> list[Ring]:
    """Segments as long lines: open ones from their ends first, then the closed ones."""
    near: dict[Point, list[Point]] = defaultdict(list)
    for a, b in sorted(segments):
        near[a].append(b)
        near[b].append(a)
    ends = sorted(point for point, others in near.items() if len(others) != 2)
    lines = []
    for start in [*ends, *sorted(near)]:
        while near[start]:
            lines.append(_walk(near, start))
    return lines


def _walk(near: dict[Point, list[Point]], start: Point) -> Ring:
    line = [start]
    while near[line[-1]]:
        here = line[-1]
        ahead = near[here].pop(0)
        near[ahead].remove(here)
        line.append(ahead)
        if len(near[ahead]) != 1:
            break
    return line
