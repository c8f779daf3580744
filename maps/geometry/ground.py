"""The hand work on the land: islands and patches change owner, then the coast is softened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import shapely
from claims import straight
from plane import Plane
from shapely import Geometry, MultiPolygon, Point, STRtree
from surfaces import Partition, partition, polygons, share, sorted_out, tidy, union

SEA = "sea"  # the owner of what is nobody's land
CRUST = 25.0  # square units: a part below this that touches another owner joins him


def shaped(land: Partition, definitions: Mapping[str, Any], plane: Plane) -> Partition:
    """The land of each owner as the board shows it. Raises ValueError for a rule that does nothing."""
    crumb = definitions["measures"]["islet"] / 4
    land = {owner: _large(surface, crumb) for owner, surface in land.items()}
    for rule in definitions.get("islands", ()):
        _move_islands(land, rule, plane)
    for rule in definitions.get("patches", ()):
        _patch(land, rule, plane)
    open_water = union(straight(rule["polygon"], plane) for rule in definitions.get("straits", ()))
    return _softened(partition(land), open_water, definitions["measures"])


def _move_islands(land: Partition, rule: Mapping[str, Any], plane: Plane) -> None:
    """Whole parts change owner: those inside a polygon, or those that hold one of some points."""
    for owner in rule["from"].split():
        land[owner], moved = sorted_out(land[owner], _chosen(rule, plane))
        if rule["to"] != SEA:
            land[rule["to"]] = union([land.get(rule["to"], MultiPolygon()), moved])


def _chosen(rule: Mapping[str, Any], plane: Plane) -> Callable[[Geometry], bool]:
    if "points" in rule:
        points = [Point(place) for place in plane.points(rule["points"])]
        return lambda part: any(part.contains(point) for point in points)
    inside: Callable[[Geometry], bool] = straight(rule["polygon"], plane).contains
    return inside


def _patch(land: Partition, rule: Mapping[str, Any], plane: Plane) -> None:
    """What lies in a polygon goes from some owners, or from the sea, to another."""
    zone, moved = straight(rule["polygon"], plane), []
    for owner in rule["from"].split():
        if owner == SEA:
            near = [surface for surface in land.values() if surface.intersects(zone)]
            moved.append(polygons(zone.difference(union(near))))
            continue
        moved.append(polygons(land[owner].intersection(zone)))
        land[owner] = polygons(land[owner].difference(zone))
    if not union(moved).area:
        raise ValueError(f"a patch moves nothing: {rule['why']}")
    if rule["to"] != SEA:
        land[rule["to"]] = tidy(union([land.get(rule["to"], MultiPolygon()), *moved]))


def _softened(land: Partition, open_water: Geometry, measures: Mapping[str, float]) -> Partition:
    """Without narrow inlets, narrow spits and islets."""
    whole, reach = union(land.values()), measures["soften"]
    smooth = whole.buffer(reach, quad_segs=4).buffer(-2 * reach, quad_segs=4).buffer(reach, quad_segs=4)
    smooth = polygons(smooth.difference(open_water))
    land = {name: tidy(surface.intersection(_around(smooth, surface))) for name, surface in land.items()}
    land = share(land, polygons(smooth.difference(union(land.values()))))
    return _without_crust({name: _large(surface, measures["islet"]) for name, surface in land.items()})


def _around(whole: Geometry, surface: Geometry) -> Geometry:
    """The part of a large surface that may meet a small one: quicker to cut than the whole."""
    return shapely.make_valid(shapely.clip_by_rect(whole, *surface.buffer(1.0, quad_segs=1).bounds))


def _large(surface: MultiPolygon, smallest: float) -> MultiPolygon:
    biggest = max((part.area for part in surface.geoms), default=0)
    return MultiPolygon([part for part in surface.geoms if part.area >= min(smallest, biggest)])


def _without_crust(land: Partition) -> Partition:
    """Small parts that lie against another owner join that owner."""
    names, loose = list(land), []
    tree = STRtree([land[name] for name in names])
    for number, name in enumerate(names):
        biggest = max(land[name].geoms, key=lambda part: part.area, default=None)

        def goes(part: Geometry, number: int = number, biggest: Geometry | None = biggest) -> bool:
            near = tree.query(part, predicate="dwithin", distance=0.05)
            return part is not biggest and part.area < CRUST and any(other != number for other in near)

        land[name], gone = sorted_out(land[name], goes)
        loose += gone.geoms
    return share(land, MultiPolygon(loose)) if loose else land


def on_sheet(land: Partition, sheet: Geometry) -> Partition:
    """The land that the sheet shows."""
    return {
        name: tidy(shapely.intersection(surface, sheet))
        for name, surface in land.items()
        if surface.intersects(sheet)
    }
