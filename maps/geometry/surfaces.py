"""Small operations on surfaces, and on partitions: a dictionary from owner to surface, without overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import shapely
from shapely import Geometry, MultiPolygon, Polygon, STRtree

Partition = dict[str, MultiPolygon]
GRID = 0.01  # board units between the points that may be used
CRUMB = 0.03  # square units: what is smaller is a slip of arithmetic


def polygons(geometry: Geometry) -> MultiPolygon:
    """The polygons of any geometry, as one surface."""
    return MultiPolygon(list(_parts(geometry)))


def _parts(geometry: Geometry) -> Iterable[Polygon]:
    for part in shapely.get_parts(geometry):
        if part.geom_type == "Polygon" and not part.is_empty:
            yield part
        elif hasattr(part, "geoms"):
            yield from _parts(part)


def union(geometries: Iterable[Geometry]) -> MultiPolygon:
    """All of them as one surface."""
    return polygons(shapely.union_all(list(geometries)))


def tidy(surface: Geometry) -> MultiPolygon:
    """The surface with its points on the grid."""
    return polygons(shapely.set_precision(surface, GRID))


def partition(claims: Mapping[str, Geometry]) -> Partition:
    """What each owner gets: where claims overlap, the first wins."""
    names, surfaces = list(claims), [tidy(claim) for claim in claims.values()]
    tree, out = STRtree(surfaces), {}
    for number, name in enumerate(names):
        near = tree.query(surfaces[number], predicate="intersects")
        earlier = [surfaces[other] for other in sorted(near) if other < number]
        over = [other for other in earlier if shapely.relate_pattern(surfaces[number], other, "T********")]
        rest = shapely.difference(surfaces[number], shapely.union_all(over), grid_size=GRID)
        out[name] = polygons(rest) if over else surfaces[number]
    return out


def close_cracks(land: Partition, reach: float) -> Partition:
    """Fill the cracks between owners that are narrower than twice `reach`, and share them out."""
    whole = union(land.values())
    filled = whole.buffer(reach, join_style="mitre").buffer(-reach, join_style="mitre")
    return share(land, polygons(filled.difference(whole)))


def share(land: Partition, extra: MultiPolygon) -> Partition:
    """Give each piece to the owner it touches most."""
    names = list(land)
    tree = STRtree([land[name] for name in names])
    gifts: dict[str, list[Polygon]] = {}
    for piece in (piece for piece in extra.geoms if piece.area >= CRUMB):
        rim = piece.buffer(0.06, quad_segs=1)
        near = [names[number] for number in sorted(tree.query(rim, predicate="intersects"))]
        if near:
            heir = max(near, key=lambda name: shapely.clip_by_rect(land[name], *rim.bounds).area)
            gifts.setdefault(heir, []).append(piece)
    grown = {name: _joined([land[name], *pieces]) for name, pieces in gifts.items()}
    return partition({name: land[name] for name in names if name not in grown} | grown)


def _joined(pieces: Iterable[Geometry]) -> MultiPolygon:
    """Pieces that all but touch, as one."""
    return tidy(union(piece.buffer(0.02, join_style="mitre") for piece in pieces))


def sorted_out(surface: MultiPolygon, goes: Callable[[Polygon], bool]) -> tuple[MultiPolygon, MultiPolygon]:
    """The parts that stay, and those that go."""
    parts = [(part, goes(part)) for part in surface.geoms]
    staying, going = ([part for part, gone in parts if gone == wanted] for wanted in (False, True))
    return MultiPolygon(staying), MultiPolygon(going)
