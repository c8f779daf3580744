"""What a new line should keep clear of: units, labels, and the lines drawn before it."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, inf
from typing import NamedTuple

from .base_map import Box, label_boxes
from .geometry import Point, Track, sample_points, track_length
from .map_scene import MapScene
from .unit_symbols import BADGE, REACH

STEP = 7.0  # board units between the points of a line that are looked at
UNIT, LABEL, LINE, MARK = 30.0, 4.0, 3.0, 5.0  # how bad it is to cover one
SHORTEST = 1.7  # what is seen of a line, in reaches of a unit; and how bad each missing unit is
MISSING = 3.0
CROWDED = 12.0  # to end where another line ends
HIDDEN = 6.0  # to end on a label, which the arrow's head would hide
DETOUR = 0.08  # and to be one unit longer
NEAR = 5.0
MARGIN = 4.0


def covers_label(scene: MapScene, point: Point) -> bool:
    """Whether a mark at a point would cover a label."""
    return _covered(point, label_boxes(scene.variant, scene.language), MARGIN * scene.scale)


class _PointGrid:
    """Points, found by the square they lie in; squares are as wide as what counts as near."""

    def __init__(self, near: float) -> None:
        self.near = near
        self.squares: dict[tuple[int, int], list[Point]] = {}

    def add(self, points: Iterable[Point]) -> None:
        for point in points:
            self.squares.setdefault(self._square(point), []).append(point)

    def remove(self, points: Iterable[Point]) -> None:
        for point in set(points):
            square = self._square(point)
            self.squares[square] = [other for other in self.squares.get(square, ()) if other != point]

    def touches(self, point: Point) -> bool:
        x, y = self._square(point)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                things = self.squares.get((x + i, y + j))
                if things and _touches(point, things, self.near):
                    return True
        return False

    def _square(self, point: Point) -> tuple[int, int]:
        return floor(point.real / self.near), floor(point.imag / self.near)


class _Near(NamedTuple):
    """What stands still near a line."""

    units: list[Point]
    marks: list[Point]
    labels: list[Box]


class OverlapTracker:
    """The lines chosen so far, and the things that stand still."""

    def __init__(self, scene: MapScene) -> None:
        self.step = STEP * scene.scale
        self.near = NEAR * scene.scale
        self.reach = REACH * scene.scale
        self.shortest = (1 + SHORTEST) * self.reach  # the first stretch lies under the unit itself
        standing = [scene.point(unit.location) for unit in scene.position.units]
        lying = map(scene.retreat_spot, scene.dislodged_units)
        self.units = [spot for spot in (*standing, *lying) if spot]
        self.labels = label_boxes(scene.variant, scene.language)
        self.lines = _PointGrid(self.near)
        self.marks: list[Point] = []

    def choose(self, candidates: Iterable[Track]) -> Track:
        """The candidate that covers least, the first among equals; it is remembered."""
        best, *others = candidates
        least = self.cost(best)
        for track in others:
            cost = self.cost(track, least)
            if cost < least:
                best, least = track, cost
        self.add(best)
        return best

    def add(self, track: Track) -> None:
        self.lines.add(sample_points(track, self.step))
        self.marks.append(track[-1])

    def forget(self, track: Track) -> None:
        """Take a line away that was added."""
        self.lines.remove(sample_points(track, self.step))
        self.marks = [point for point in self.marks if point not in track[-1:]]

    def cost(self, track: Track, most: float = inf) -> float:
        """How much of what is there a line would cover; its two ends are free to lie on something.

        Nothing is counted any more once it is `most`.
        """
        near = self._near(track)
        length = track_length(track)
        detour = length - abs(track[-1] - track[0])
        missing = max(self.shortest - length, 0)
        crowd = CROWDED * _touches(track[-1], near.marks, 2.2 * BADGE * self.near / NEAR)
        hidden = HIDDEN * _covered(track[-1], near.labels, MARGIN)
        fixed = (DETOUR * detour + MISSING * missing) / self.reach * REACH + crowd + hidden
        covered = 0.0
        for point in sample_points(track, self.step):
            if fixed + covered >= most:
                break
            covered += self._cost(point, near)
        return fixed + covered

    def _near(self, track: Track) -> _Near:
        """What stands still in the surroundings of a line."""
        around = 4 * self.reach
        left, right = min(p.real for p in track) - around, max(p.real for p in track) + around
        top, bottom = min(p.imag for p in track) - around, max(p.imag for p in track) + around

        def close(things: Iterable[Point]) -> list[Point]:
            return [p for p in things if left < p.real < right and top < p.imag < bottom]

        own = self.reach / 2  # a line begins under its own unit, and ends before another
        units = [spot for spot in close(self.units) if abs(spot - track[0]) > own]
        labels = [b for b in self.labels if left < b[0] < right and top < b[1] < bottom]
        return _Near(units, close(self.marks), labels)

    def _cost(self, point: Point, near: _Near) -> float:
        """What a point of a line covers."""
        return (
            UNIT * _touches(point, near.units, self.reach)
            + MARK * _touches(point, near.marks, self.near * 1.6)
            + LINE * self.lines.touches(point)
            + LABEL * _covered(point, near.labels)
        )


# Plain loops: these are asked for every point of every line that might be drawn.


def _touches(point: Point, things: Iterable[Point], distance: float) -> bool:
    for thing in things:  # noqa: SIM110
        if abs(point - thing) < distance:
            return True
    return False


def _covered(point: Point, boxes: Iterable[Box], margin: float = 2.0) -> bool:
    x, y = point.real, point.imag
    for middle_x, middle_y, wide, high in boxes:
        if abs(x - middle_x) < wide + margin and abs(y - middle_y) < high + margin:
            return True
    return False
