"""Large lakes, drawn on top of the land."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import shapely
from arcs import Arc, drawn
from shapely import Geometry, MultiPolygon, Polygon

TOLERANCE = 0.35
SHARE = 0.05  # a lake that would fill more of its province is left out
SHORE = 1.5  # board units: it keeps this far from every border


def lakes(
    found: Iterable[Polygon], shapes: Mapping[str, Geometry], measures: Mapping[str, float]
) -> MultiPolygon:
    """The lakes that fit into one owner's land, smoothed."""
    kept = []
    for lake in found:
        if lake.area < measures["lake"]:
            continue
        shore = Arc(("_lakes", "_land"), tuple(lake.exterior.coords))
        outline = drawn(shore, TOLERANCE, measures["thin"], meander=False)
        smooth = Polygon(outline.points)
        home = next((shape for shape in shapes.values() if shape.contains(smooth.buffer(SHORE))), None)
        if home is not None and smooth.area < SHARE * home.area:
            kept.append(smooth)
    return MultiPolygon(kept)


def filled(shape: Geometry) -> Geometry:
    """A surface without its holes."""
    return shapely.union_all([Polygon(part.exterior) for part in shapely.get_parts(shape)])
