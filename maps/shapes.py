"""What a board is drawn from: closed rings of points, in whole tenths of a board unit.

Neighbours hold exactly the same points along their border, so that nothing gapes and each border is found
by comparing segments. Two kinds of source are read: GeoJSON in degrees, and lines drawn by hand.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bending import Bend, parted
from projection import projector

Point = tuple[int, int]
Ring = list[Point]
TENTHS = 10
CURVE_STEPS = 8
OWN_KINDS = {"impassable": "impassable", "water": "water", "overlay": "lake"}


@dataclass(frozen=True)
class Shape:
    """One surface: `code` is a province's, or begins with an underscore; `kind` chooses its looks."""

    code: str
    kind: str
    rings: tuple[Ring, ...]


def load(
    folder: Path, board: dict[str, Any], provinces: dict[str, str], bend: Bend | None = None
) -> list[Shape]:
    """Read the geometry that `board` names, bent if it is; `provinces` gives the kind of each code in play.

    A province that is not in play is drawn as impassable.
    """
    path = folder / board["geometry"]
    found = (
        _from_degrees(path, board, bend)
        if path.suffix == ".geojson"
        else _from_lines(path, board.get("scale", 1))
    )
    turn = board.get("turn", 0) * TENTHS
    shapes = [Shape(code, _kind(code, own, provinces), _around(rings, turn)) for code, own, rings in found]
    missing = sorted(set(provinces) - {shape.code for shape in shapes})
    if missing:
        raise ValueError(f"{path}: no shape for {', '.join(missing)}")
    return shapes


def _around(rings: tuple[Ring, ...], turn: int) -> tuple[Ring, ...]:
    """The rings, and once more a turn of the globe to each side."""
    shifts = (0, -turn, turn) if turn else (0,)
    return tuple([(x + shift, y) for x, y in ring] for shift in shifts for ring in rings)


def _kind(code: str, own: str, provinces: dict[str, str]) -> str:
    return provinces.get(code) or OWN_KINDS.get(own, "impassable")


def _from_degrees(
    path: Path, board: dict[str, Any], bend: Bend | None
) -> Iterable[tuple[str, str, tuple[Ring, ...]]]:
    project = projector(board["projection"])

    def drawn(outline: Sequence[Sequence[float]]) -> Ring:
        points = [project(lon, lat) for lon, lat in outline]
        return [tenths(point) for point in ((bend.place(*at) for at in parted(points)) if bend else points)]

    for feature in json.loads(path.read_text(encoding="utf8"))["features"]:
        geometry = feature["geometry"]
        polygons = geometry["coordinates"]
        if geometry["type"] == "Polygon":
            polygons = [polygons]
        outlines = (ring for polygon in polygons for ring in polygon)
        rings = [_tidy(drawn(outline)) for outline in outlines]
        yield feature["id"], feature["properties"]["kind"], tuple(ring for ring in rings if len(ring) > 3)


def tenths(place: Sequence[float]) -> Point:
    """A place in board units as a point."""
    return round(place[0] * TENTHS), round(place[1] * TENTHS)


def _tidy(points: Ring) -> Ring:
    """Points without immediate repetition; the ring stays closed."""
    return points[:1] + [b for a, b in pairwise(points) if a != b]


def _from_lines(path: Path, scale: float) -> Iterable[tuple[str, str, tuple[Ring, ...]]]:
    """Hand-drawn lines, each smoothed once and shared by the two shapes beside it; `-name` runs backwards."""
    source = tomllib.loads(path.read_text(encoding="utf8"))

    def placed(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        return [(x * scale, y * scale) for x, y in points]

    lines = {name: _curve(placed(points)) for name, points in source["curves"].items()}
    lines |= {name: [tenths(at) for at in placed(points)] for name, points in source["straight"].items()}
    for code, names in source["shapes"].items():
        ring: Ring = []
        for name in names:
            line = lines[name.removeprefix("-")]
            ring += line[::-1] if name.startswith("-") else line
        if ring[0] != ring[-1]:
            raise ValueError(f"{path}: the outline of {code} is not closed")
        yield code, source.get("kinds", {}).get(code, ""), (_tidy(ring),)


def _curve(points: Sequence[Sequence[float]]) -> Ring:
    """A smooth line through the points (Catmull-Rom): ends stay where they are."""
    padded = [points[0], *points, points[-1]]
    out = [tenths(points[0])]
    for before, a, b, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(1, CURVE_STEPS + 1):
            t = step / CURVE_STEPS
            out.append(tenths([_between(t, before[i], a[i], b[i], after[i]) for i in (0, 1)]))
    return out


def _between(t: float, before: float, a: float, b: float, after: float) -> float:
    slope, bend = b - before, 2 * before - 5 * a + 4 * b - after
    return a + 0.5 * t * (slope + t * (bend + t * (3 * (a - b) + after - before)))
