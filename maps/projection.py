"""Degrees to board units, for the kinds of board: a conic with a lens, or a cylinder of the whole world."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

EARTH_KM = 6371.0
Place = tuple[float, float]
Projection = Callable[[float, float], Place]


def projector(settings: dict[str, Any]) -> Projection:
    """Take the `[projection]` table of a board and give the function from (lon, lat) to (x, y), y down."""
    return _miller(settings) if settings.get("kind") == "miller" else _conic(settings)


def _miller(settings: dict[str, Any]) -> Projection:
    """Miller's cylinder: `unit` board units a degree along the equator, the west and north edges at 0."""
    unit, west, north = settings["unit"], settings["west"], settings["north"]

    def height(lat: float) -> float:
        return math.degrees(1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(lat))))

    top = height(north)
    return lambda lon, lat: ((lon - west) * unit, (top - height(lat)) * unit)


def _stretch(latitude: float) -> float:
    return math.tan(math.pi / 4 + math.radians(latitude) / 2)


def _conic(settings: dict[str, Any]) -> Projection:
    """Lambert's conformal cone on a sphere, then a lens that enlarges the middle."""
    south, north = settings["parallels"]
    power = math.log(math.cos(math.radians(south)) / math.cos(math.radians(north)))
    power /= math.log(_stretch(north) / _stretch(south))
    radius = EARTH_KM * math.cos(math.radians(south)) * _stretch(south) ** power / power
    level = radius / _stretch(settings["latitude"]) ** power

    def cone(lon: float, lat: float) -> Place:
        rho = radius / _stretch(lat) ** power
        theta = power * math.radians(lon - settings["meridian"])
        return rho * math.sin(theta), rho * math.cos(theta) - level

    lens = _lens(settings)
    return lambda lon, lat: lens(*cone(lon, lat))


def _lens(settings: dict[str, Any]) -> Projection:
    (from_x, from_y), (at_x, at_y) = settings["lens_km"], settings["lens_at"]
    (half_x, half_y), magnify, unit = settings["lens_axes"], settings["magnify"], settings["km_per_unit"]

    def enlarge(x_km: float, y_km: float) -> Place:
        x, y = (x_km - from_x) / unit, (y_km - from_y) / unit
        scale = (1 + magnify) / (1 + magnify * math.hypot(x / half_x, y / half_y))
        return x * scale + at_x, y * scale + at_y

    return enlarge


def lines_of(rows: list[dict[str, Any]], settings: dict[str, Any]) -> Iterator[list[Place]]:
    """On the board, lines given in degrees: one `line`, or a net of meridians and parallels."""
    place = projector(settings)
    for row in rows:
        for line in _degrees(row):
            yield [place(lon, lat) for lon, lat in line]


def _degrees(row: dict[str, Any]) -> Iterator[list[Place]]:
    if "line" in row:
        yield [(lon, lat) for lon, lat in row["line"]]
        return
    west, east, south, north = row["within"]
    step, fine = row["every"], row["fine"]
    for lon in range(west, east + 1, step):
        yield [(lon, lat) for lat in range(south, north + 1, fine)]
    for lat in range(south, north + 1, step):
        yield [(lon, lat) for lon in range(west, east + 1, fine)]
