"""The water cut by hand-drawn lines, and the whole sheet as faces with names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely
from arcs import round_corners
from plane import Plane
from shapely import Geometry, LineString, Point, Polygon, STRtree
from surfaces import GRID, Partition, union

FAR = 12.0  # board units: a loose end is carried on to land that is nearer than this
GRASP = 0.4  # how far it goes into that land
NAMELESS = 300.0  # square units: a larger face that no seed names is a fault

Places = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Faces:
    """The faces of the sheet, each with the name of its owner."""

    surfaces: tuple[Polygon, ...]
    names: tuple[str, ...]


def faces(land: Partition, definitions: Mapping[str, Any], plane: Plane, sheet: Polygon) -> Faces:
    """Cut the sheet along coasts, frontiers and sea lines, and name every face."""
    ground = union(land.values())
    lines = _sea_lines(definitions, plane, sheet, ground)
    sea = sheet.difference(ground).buffer(0.05, quad_segs=1)
    wet = [line.intersection(sea) for line in lines]
    drawn = [surface.boundary for surface in land.values()] + wet + [sheet.boundary]
    work = shapely.union_all(drawn, grid_size=GRID)
    found = tuple(shapely.get_parts(shapely.polygonize(shapely.get_parts(work))).tolist())
    names = _land_names(found, land)
    _name_seas(found, names, definitions["seas"], plane)
    return Faces(found, _spread(found, names, set(definitions["seas"])))


def _sea_lines(
    definitions: Mapping[str, Any], plane: Plane, sheet: Polygon, ground: Geometry
) -> list[Geometry]:
    """The lines on the board, rounded between their meetings, once for each turn of the globe."""
    rules = [[tuple(place) for place in rule["line"]] for rule in definitions["sea_lines"]]
    meetings = Counter(_spot(place) for line in rules for place in line)
    joints = {place for line in rules for place in line if meetings[_spot(place)] > 1}
    lines = []
    for piece in (piece for line in rules for piece in _split(line, joints)):
        points = _moored(piece, plane.points(piece), joints, ground, sheet)
        turned = (LineString([(x + turn, y) for x, y in points]) for turn in _turns(plane))
        lines += [line.intersection(sheet) for line in turned]
    return [shapely.set_precision(line, GRID) for line in lines if not line.is_empty]


def _turns(plane: Plane) -> tuple[float, ...]:
    """How far a thing may lie from where it was written: a turn of the globe either way."""
    return (-plane.width, 0.0, plane.width) if plane.width else (0.0,)


def _spot(place: Sequence[float]) -> tuple[float, float]:
    """The same for a place however often one has gone round the globe."""
    return round(place[0] % 360, 6), place[1]


def _split(line: Sequence[tuple[float, ...]], joints: set[tuple[float, ...]]) -> Iterable[list[Any]]:
    start = 0
    for at in range(1, len(line)):
        if line[at] in joints or at == len(line) - 1:
            yield list(line[start : at + 1])
            start = at


def _moored(
    line: Places, points: list[tuple[float, float]], joints: set[Any], ground: Geometry, sheet: Polygon
) -> list[tuple[float, float]]:
    """The points of a line whose loose ends are carried on to the nearest land."""
    for at, put in ((0, 0), (-1, len(points) + 1)):
        end = Point(points[at])
        if line[at] in joints or ground.contains(end) or not sheet.buffer(-1).contains(end):
            continue
        (x0, y0), (x1, y1) = shapely.shortest_line(end, ground).coords
        length = max(Point(x0, y0).distance(Point(x1, y1)), 0.1)
        if length > FAR:
            raise ValueError(f"a sea line ends {length:.0f} units from land, at {line[at]}")
        points.insert(put, (x0 + (x1 - x0) * (1 + GRASP / length), y0 + (y1 - y0) * (1 + GRASP / length)))
    return round_corners(points)


def _land_names(surfaces: Sequence[Polygon], land: Partition) -> list[str]:
    owners = list(land)
    tree = STRtree([land[owner] for owner in owners])
    inside = [tree.query(face.representative_point(), predicate="intersects") for face in surfaces]
    return [owners[min(hits)] if len(hits) else "" for hits in inside]


def _name_seas(
    surfaces: Sequence[Polygon], names: list[str], seeds: Mapping[str, Places], plane: Plane
) -> None:
    """A seed names the face it lies on. Raises ValueError for those on land, or on another's water."""
    tree, faults = STRtree(surfaces), []
    for name, place, point in _seeds(seeds, plane):
        hits = {number for turn in _turns(plane) for number in _at(tree, point, turn)}
        taken = sorted({names[number] for number in hits} - {"", name})
        if taken or not hits:
            faults.append(f"the seed of {name} at {place} lies on {', '.join(taken) or 'nothing'}")
        for number in hits:
            names[number] = names[number] or name
    if faults:
        raise ValueError("; ".join(faults))


def _seeds(seeds: Mapping[str, Places], plane: Plane) -> Iterable[tuple[str, Sequence[float], Any]]:
    for name, places in seeds.items():
        yield from ((name, place, point) for place, point in zip(places, plane.points(places), strict=True))


def _at(tree: STRtree, point: tuple[float, float], turn: float) -> list[int]:
    hits: list[int] = tree.query(Point(point[0] + turn, point[1]), predicate="intersects").tolist()
    return hits


def _spread(surfaces: Sequence[Polygon], names: list[str], seas: set[str]) -> tuple[str, ...]:
    """A face without a name joins the water it touches most, or else the land."""
    tree = STRtree(surfaces)
    while "" in names:
        before = names.count("")
        for number in [number for number, name in enumerate(names) if not name]:
            touching: dict[str, float] = defaultdict(float)
            for other in sorted(tree.query(surfaces[number], predicate="intersects")):
                if names[other]:
                    shared = surfaces[number].boundary.intersection(surfaces[other].boundary).length
                    touching[names[other]] += shared * (100 if names[other] in seas else 0.01)
            if any(touching.values()) and surfaces[number].area < NAMELESS:
                names[number] = max(touching, key=lambda name: touching[name])
        if names.count("") == before:
            lost = next(face for face, name in zip(surfaces, names, strict=True) if not name)
            raise ValueError(f"no seed names the water around {lost.representative_point()}, {lost.area:.0f}")
    return tuple(names)
