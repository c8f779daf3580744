"""From the definitions of a board to its surfaces, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ground
import waters
from arcs import OUTSIDE, Arc, arcs, crossings, drawn, rebuilt, sewn
from claims import claimed
from lakes import filled, lakes
from plane import Plane, plane
from shapely import Geometry, Polygon, box
from sources import Source

DEAD = "_"  # names that begin so are out of play


def made(definitions: Mapping[str, Any], packages: Path) -> tuple[Plane, dict[str, Geometry]]:
    """The surfaces of a board in its plane; all but the overlays form one coverage of the sheet.

    Raises ValueError where the definitions contradict themselves or the sources.
    """
    flat = plane(definitions["plane"], definitions.get("swells", ()))
    measures = definitions["measures"]
    source = Source(packages, tuple(definitions["window"]), flat, measures["grain"])
    sheet = sheet_of(definitions, flat)
    land = ground.shaped(claimed(definitions, source, measures["detail"]), definitions, flat)
    faces = waters.faces(ground.on_sheet(land, sheet), definitions, flat, sheet)
    lines = [_drawn(arc, definitions) for arc in arcs(faces.surfaces, faces.names)]
    lines = sewn(lines, flat.width) if flat.width else lines
    faults = crossings(lines)
    if faults:
        raise ValueError("; ".join(faults))
    shapes = rebuilt(lines, faces.surfaces, faces.names)
    return flat, shapes | _overlays(definitions, source, shapes)


def sheet_of(definitions: Mapping[str, Any], flat: Plane) -> Polygon:
    """What is made: the frame and its bleed, or a whole turn of the globe."""
    if not flat.width:
        (width, height), bleed = definitions["frame"], definitions["bleed"]
        return box(-bleed, -bleed, width + bleed, height + bleed)
    west, south, east, north = definitions["window"]
    (left, top), (right, foot) = flat.points([[west, north], [east, south]])
    return box(left, top, right, foot)


def _drawn(arc: Arc, definitions: Mapping[str, Any]) -> Arc:
    seas, measures = definitions["seas"], definitions["measures"]
    wet = any(side in seas for side in arc.sides)
    dead = any(side.startswith(DEAD) or side == OUTSIDE for side in arc.sides)
    tolerance = measures["coast" if wet else "frontier"]
    return drawn(arc, tolerance, measures["thin"], meander=not wet and not dead)


def _overlays(
    definitions: Mapping[str, Any], source: Source, shapes: dict[str, Geometry]
) -> dict[str, Geometry]:
    """Lakes; and the provinces that keep the ground below the waters drawn over them."""
    found = lakes(source.lakes(definitions["lakes"]), shapes, definitions["measures"])
    homes = definitions.get("overlays", {}).values()
    return {"_lakes": found} | {home: filled(shapes[home]) for home in homes}
