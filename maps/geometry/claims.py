"""Which land each owner claims, by the definitions alone: countries and their units, before any hand work.

A piece is written `Country`, or `code: Unit; Unit` (units of the country with that code), or `code: *` (all
its units that nobody else names). ` @ zone` behind it takes what lies in a zone, or
between four sides: `west south east north`. What is claimed first is had first: a later line has the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import shapely
from plane import Plane
from shapely import Geometry, MultiPolygon, Polygon
from sources import Source
from surfaces import Partition, close_cracks, partition, polygons, union

REACHES = (0.3, 1.0, 3.0)  # board units: how far a claim goes to take the slivers between two sources
CRACK = 0.25


@dataclass
class Claims:
    """The land there is, and what was claimed of whole countries and of those that are split."""

    countries: Mapping[str, MultiPolygon]
    units: Mapping[str, Mapping[str, MultiPolygon]]
    whole: dict[str, list[Geometry]] = field(default_factory=lambda: defaultdict(list))
    split: dict[str, dict[str, list[Geometry]]] = field(default_factory=lambda: defaultdict(dict))
    rest: dict[str, str] = field(default_factory=dict)
    taken: dict[str, dict[str, Geometry]] = field(default_factory=lambda: defaultdict(dict))


@dataclass(frozen=True)
class Piece:
    """One line of a definition, read."""

    country: str
    code: str = ""
    units: tuple[str, ...] = ()
    zone: str = ""


def read_piece(text: str, codes: Mapping[str, str]) -> Piece:
    """Take a definition's line and the names of the codes; raises ValueError for a code nobody defined."""
    land, _, zone = text.partition(" @ ")
    code, colon, units = land.partition(": ")
    if not colon:
        return Piece(land, zone=zone)
    if code not in codes:
        raise ValueError(f"{text!r}: no country has the code {code!r}")
    return Piece(codes[code], code, tuple(units.split("; ")), zone)


def claimed(definitions: Mapping[str, Any], source: Source, detail: float) -> Partition:
    """The land of each owner, thinned to `detail`; what nobody claims goes to `leftover`, if named."""
    units = {code: source.units(code) for code in definitions["countries"]}
    claims = Claims(source.countries(), units)
    _read(claims, definitions, source.plane)
    for country, wanted in claims.split.items():
        for owner, surface in _dealt(claims.countries[country], wanted, definitions).items():
            claims.whole[owner].append(surface)
    land = partition({owner: union(parts) for owner, parts in claims.whole.items()})
    land = _with_leftover(land, claims.countries, definitions)
    thin = shapely.coverage_simplify(list(land.values()), detail)
    return close_cracks(dict(zip(land, map(polygons, thin), strict=True)), CRACK)


def _read(claims: Claims, definitions: Mapping[str, Any], plane: Plane) -> None:
    codes = definitions["countries"]
    for owner, lines in (definitions["land"] | definitions.get("out_of_play", {})).items():
        for line in lines:
            _claim(claims, owner, read_piece(line, codes), definitions, plane)
    for code, owner in claims.rest.items():
        for unit, surface in claims.units[code].items():
            if unit not in claims.taken[code]:
                claims.split[codes[code]].setdefault(owner, []).append(surface)
    _refuse_forgotten(claims, codes)


def _claim(claims: Claims, owner: str, piece: Piece, definitions: Mapping[str, Any], plane: Plane) -> None:
    if not piece.code:
        if piece.country not in claims.countries:
            raise ValueError(f"{owner}: no country is called {piece.country!r}")
        whole = claims.countries[piece.country]
        claims.whole[owner].append(_within(whole, piece.zone, definitions, plane))
    elif piece.units == ("*",):
        claims.rest[piece.code] = owner
    else:
        shapes = claims.split[piece.country].setdefault(owner, [])
        shapes += _taken(claims, owner, piece, definitions, plane)


def _taken(
    claims: Claims, owner: str, piece: Piece, definitions: Mapping[str, Any], plane: Plane
) -> Iterable[Geometry]:
    known, taken = claims.units[piece.code], claims.taken[piece.code]
    for unit in piece.units:
        if unit not in known:
            raise ValueError(f"{owner}: no unit of {piece.country} is called {unit!r}")
        part = _within(known[unit], piece.zone, definitions, plane)
        if unit in taken and polygons(part.difference(taken[unit])).is_empty:
            raise ValueError(f"{owner}: {unit!r} of {piece.country} is claimed twice")
        taken[unit] = union([taken[unit], part]) if unit in taken else part
        yield part


def _within(surface: MultiPolygon, zone: str, definitions: Mapping[str, Any], plane: Plane) -> MultiPolygon:
    if not zone:
        return surface
    return polygons(surface.intersection(zone_of(zone, definitions, plane)))


def zone_of(zone: str, definitions: Mapping[str, Any], plane: Plane) -> Geometry:
    """A zone by its name, or from its four sides; its sides are straight on the board."""
    named = definitions.get("zones", {}).get(zone)
    if named is None:
        west, south, east, north = map(float, zone.split())
        named = [[west, south], [east, south], [east, north], [west, north]]
    return straight(named, plane)


def straight(places: Iterable[Iterable[float]], plane: Plane) -> Geometry:
    """A polygon given in degrees whose sides are straight on the board."""
    return shapely.make_valid(Polygon(plane.points([list(place) for place in places])))


def _refuse_forgotten(claims: Claims, codes: Mapping[str, str]) -> None:
    """Every unit that is drawn belongs to somebody: a misspelt list is found so."""
    for code, units in claims.units.items():
        forgotten = sorted(set(units) - set(claims.taken[code]))
        if forgotten and code not in claims.rest:
            raise ValueError(f"{codes[code]}: nobody claims {', '.join(forgotten)}")


def _dealt(
    whole: MultiPolygon, wanted: Mapping[str, list[Geometry]], definitions: Mapping[str, Any]
) -> dict[str, MultiPolygon]:
    """A country cut into what is wanted of it, first come first served; slivers go to the closest owner."""
    got: dict[str, list[MultiPolygon]] = {}
    left = whole
    for owner, shapes in wanted.items():
        claim = union(shapes)
        got[owner] = [polygons(left.intersection(claim))]
        left = polygons(left.difference(claim))
    for reach in REACHES:
        for parts in got.values():
            zone = union(parts).buffer(reach, quad_segs=2)
            parts.append(polygons(left.intersection(zone)))
            left = polygons(left.difference(zone))
    largest = definitions["measures"].get("largest_sliver", float("inf"))
    for piece in left.geoms:
        if piece.area <= largest:
            got[min(got, key=lambda owner: got[owner][0].distance(piece))].append(MultiPolygon([piece]))
    return {owner: union(parts) for owner, parts in got.items()}


def _with_leftover(
    land: Partition, countries: Mapping[str, MultiPolygon], definitions: Mapping[str, Any]
) -> Partition:
    if "leftover" not in definitions:
        return land
    whole = union(land.values()).buffer(CRACK, quad_segs=1)
    return land | {definitions["leftover"]: polygons(union(countries.values()).difference(whole))}
