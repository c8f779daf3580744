"""Points as complex numbers (x to the right, y down) and tracks, which are lines of such points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .svg_markup import format_coordinate

Point = complex
Track = tuple[Point, ...]
SMOOTHNESS = 12


def direction(start: Point, end: Point) -> Point:
    """The unit vector from one point to another; to the right if they are one."""
    return (end - start) / abs(end - start) if end != start else 1 + 0j


def curved_track(start: Point, end: Point, bulge: float) -> Track:
    """A line whose middle leaves the straight way by `bulge`, to the right of who walks along it."""
    if not bulge:
        return (start, end)
    control = (start + end) / 2 + direction(start, end) * 1j * bulge * 2
    steps = (step / SMOOTHNESS for step in range(SMOOTHNESS + 1))
    return tuple(start * (1 - t) ** 2 + control * 2 * t * (1 - t) + end * t * t for t in steps)


def smooth_track(points: Sequence[Point]) -> Track:
    """A curve without corners through all the points (Catmull and Rom's)."""
    ends = (2 * points[0] - points[1], *points, 2 * points[-1] - points[-2])
    track = [points[0]]
    for p, q, r, s in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        track += [_between(p, q, r, s, step / SMOOTHNESS) for step in range(1, SMOOTHNESS + 1)]
    return tuple(track)


def _between(p: Point, q: Point, r: Point, s: Point, t: float) -> Point:
    return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2 + (3 * q - p - 3 * r + s) * t**3)


def track_length(track: Track) -> float:
    return sum(abs(b - a) for a, b in pairwise(track))


def point_along(track: Track, distance: float) -> Point:
    """The point at a distance from the start, measured on the track; beyond it, its end."""
    for a, b in pairwise(track):
        step = abs(b - a)
        if step and distance <= step:
            return a + (b - a) * max(distance, 0) / step
        distance -= step
    return track[-1]


def trim_track(track: Track, head: float, tail: float) -> Track:
    """The track without its first `head` and last `tail` units."""
    end = max(track_length(track) - tail, head)
    inner, walked = [], 0.0
    for a, b in pairwise(track):
        walked += abs(b - a)
        if head < walked < end:
            inner.append(b)
    return (point_along(track, head), *inner, point_along(track, end))


def direction_along(track: Track, distance: float) -> Point:
    """The unit vector of the track at a distance from its start."""
    return direction(point_along(track, distance - 2), point_along(track, distance + 2))


def sample_points(track: Track, gap: float) -> tuple[Point, ...]:
    """Points of the track, `gap` apart, the first one a gap from its start."""
    found, due = [], gap
    for a, b in pairwise(track):
        step = abs(b - a)
        while due <= step:
            found.append(a + (b - a) * (due / step))
            due += gap
        due -= step
    return tuple(found)


def cut_at_disc(track: Track, centre: Point, radius: float) -> Track:
    """The track up to where it enters, for good, the disc in which it ends; () if it never leaves it."""
    for at in range(len(track) - 2, -1, -1):
        a, b = track[at], track[at + 1]
        if abs(a - centre) >= radius:
            way, gap = b - a, a - centre
            along = -(gap * way.conjugate()).real
            left = max(along**2 - abs(way) ** 2 * (abs(gap) ** 2 - radius**2), 0)
            return (*track[: at + 1], a + way * min((along - left**0.5) / abs(way) ** 2, 1))
    return ()


def nearest_distance(track: Track, point: Point) -> float:
    """The distance along the track, to two units, at which it passes nearest to the point."""
    steps = range(int(track_length(track) / 2) + 1)
    return 2.0 * min(steps, key=lambda step: abs(point_along(track, 2.0 * step) - point), default=0)


def path_data(track: Track, *, closed: bool = False) -> str:
    """The path data of a track."""
    (first, *rest) = track
    return f"M{_pair(first)}L" + " ".join(map(_pair, rest)) + ("Z" if closed else "")


def wave_path(track: Track, amplitude: float, half: float) -> str:
    """The path data of a wave along a track, crossing it about every `half` units."""
    whole = track_length(track)
    count = max(2, round(whole / half))
    out = [f"M{_pair(track[0])}"]
    for step in range(count):
        middle = (step + 0.5) * whole / count
        side = amplitude * (2 if step % 2 else -2)
        crest = point_along(track, middle) + direction_along(track, middle) * 1j * side
        out.append(f"Q{_pair(crest)} {_pair(point_along(track, (step + 1) * whole / count))}")
    return "".join(out)


def _pair(point: Point) -> str:
    return f"{format_coordinate(point.real)} {format_coordinate(point.imag)}"
