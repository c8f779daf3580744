"""Surfaces as GeoJSON in degrees: the same bytes for the same surfaces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import shapely
from plane import Plane
from shapely import Geometry, LinearRing

RANKS = {"sea": 0, "coastal": 1, "inland": 1, "impassable": 2, "water": 3, "overlay": 4}


def geojson(
    shapes: Mapping[str, Geometry],
    kinds: Mapping[str, str],
    names: Mapping[str, str],
    definitions: Mapping[str, Any],
    flat: Plane,
) -> str:
    """The text of a geometry: one feature a line, after a blank for the stamp."""
    features: list[dict[str, Any]] = [
        {
            "type": "Feature",
            "id": owner,
            "properties": _properties(owner, kinds, names, definitions),
            "geometry": _geometry(shape, flat, definitions["measures"]["digits"]),
        }
        for owner, shape in shapes.items()
        if not shape.is_empty
    ]
    features.sort(key=lambda feature: (RANKS[feature["properties"]["kind"]], feature["id"]))
    lines = ",\n".join(json.dumps(feature, separators=(",", ":"), ensure_ascii=False) for feature in features)
    return f'{{"type":"FeatureCollection","stamp":"","features":[\n{lines}\n]}}\n'


def _properties(
    owner: str, kinds: Mapping[str, str], names: Mapping[str, str], definitions: Mapping[str, Any]
) -> dict[str, Any]:
    properties: dict[str, Any] = {"kind": _kind(owner, kinds, definitions)}
    properties["name"] = names.get(owner) or owner.strip("_").replace("_", " ").capitalize()
    place = definitions.get("cities", {}).get(owner) or definitions["seas"].get(owner, [None])[0]
    return properties | ({"place": place} if place and owner in kinds else {})


def _kind(owner: str, kinds: Mapping[str, str], definitions: Mapping[str, Any]) -> str:
    if owner in kinds:
        return kinds[owner]
    if owner == "_lakes" or owner in definitions.get("overlays", {}):
        return "overlay"
    return "water" if owner in definitions["seas"] else "impassable"


def _geometry(shape: Geometry, flat: Plane, digits: int) -> dict[str, Any]:
    """Largest part first, rings turned as RFC 7946 wants."""
    parts = sorted(shapely.get_parts(shape).tolist(), key=lambda part: (-part.area, part.bounds))
    found = [
        [_ring(part.exterior.coords, flat, digits, ccw=True), *_holes(part.interiors, flat, digits)]
        for part in parts
    ]
    kept = [rings for rings in found if rings[0]]
    if len(kept) == 1:
        return {"type": "Polygon", "coordinates": kept[0]}
    return {"type": "MultiPolygon", "coordinates": kept}


def _holes(rings: Iterable[LinearRing], flat: Plane, digits: int) -> list[list[list[float]]]:
    return [hole for hole in (_ring(ring.coords, flat, digits, ccw=False) for ring in rings) if hole]


def _ring(points: Any, flat: Plane, digits: int, *, ccw: bool) -> list[list[float]]:
    """Degrees without repeated points, from a fixed start; empty where nothing is left."""
    lon, lat = flat.degrees(*np.asarray(points)[:, :2].T)
    places = np.column_stack([lon, lat]).round(digits).tolist()
    body = [place for place, before in zip(places, [None, *places], strict=False) if place != before][:-1]
    if len(body) < 3:
        return []
    start = body.index(min(body))
    ring = [*body[start:], *body[: start + 1]]
    return ring if LinearRing(ring).is_ccw == ccw else ring[::-1]
