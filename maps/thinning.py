"""Fewer points for the same looks: each line between meeting points is thinned once, for both sides."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from shapes import Point, Ring, Shape

CLOSED = 4  # points, the first repeated: below this a ring has no inside


def thinned(shapes: Sequence[Shape], tolerance: float) -> list[Shape]:
    """The shapes without the points that lie within `tolerance` (tenths of a unit) of the line they shape."""
    kept = _meeting_points(shapes)
    for shape in shapes:
        for ring in shape.rings:
            kept |= _needed(ring, kept, tolerance)
    return [replace(shape, rings=tuple(_reduced(shape.rings, kept))) for shape in shapes]


def _reduced(rings: Iterable[Ring], kept: set[Point]) -> Iterable[Ring]:
    for ring in rings:
        points = [point for point in ring[:-1] if point in kept]
        if len(points) >= CLOSED - 1:
            yield [*points, points[0]]


def _meeting_points(shapes: Sequence[Shape]) -> set[Point]:
    """Points with another number of neighbours than two: there lines begin and end."""
    near: dict[Point, set[Point]] = defaultdict(set)
    for shape in shapes:
        for ring in shape.rings:
            for a, b in pairwise(ring):
                near[a].add(b)
                near[b].add(a)
    return {point for point, others in near.items() if len(others) != 2}


def _needed(ring: Ring, fixed: set[Point], tolerance: float) -> set[Point]:
    """The points of a ring to keep, whichever shape it is seen from."""
    body = ring[:-1]
    start = next((i for i, point in enumerate(body) if point in fixed), None)
    if start is None:
        start = body.index(min(body))
    turned = [*body[start:], *body[:start], body[start]]
    ends = [0, *(i for i in range(1, len(turned) - 1) if turned[i] in fixed), len(turned) - 1]
    return {point for a, b in pairwise(ends) for point in _line(turned[a : b + 1], tolerance)}


def _line(points: Ring, tolerance: float) -> Ring:
    """Douglas-Peucker, in one direction so that both sides of a line agree."""
    if points[0] > points[-1] or (points[0] == points[-1] and points[1] > points[-2]):
        points = points[::-1]
    spans, kept = [(0, len(points) - 1)], {0, len(points) - 1}
    while spans:
        first, last = spans.pop()
        far, at = max(
            ((_distance(points[i], points[first], points[last]), -i) for i in range(first + 1, last)),
            default=(0.0, 0),
        )
        if far > tolerance:
            kept.add(-at)
            spans += [(first, -at), (-at, last)]
    return [points[i] for i in sorted(kept)]


def _distance(point: Point, a: Point, b: Point) -> float:
    """From a point to the segment a-b."""
    (px, py), (ax, ay) = point, a
    dx, dy = b[0] - ax, b[1] - ay
    length = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / length)) if length else 0.0
    return math.hypot(px - ax - t * dx, py - ay - t * dy)
