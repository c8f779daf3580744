"""Degrees to the plane in which a board is made, and back.

The plane is the board's own projection: lengths are board units there, y downwards. Swells then give more
room to a crowded place; the way back leaves them out, so that a geometry in degrees is drawn with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

EARTH_KM = 6371.0
Numbers = npt.NDArray[np.float64]
Both = tuple[Numbers, Numbers]
Step = Callable[[Numbers, Numbers], Both]


@dataclass(frozen=True)
class Plane:
    """`place` goes to the plane, `degrees` back without the swells; `width` is a whole turn, or 0."""

    place: Step
    degrees: Step
    width: float = 0.0

    def points(self, places: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """The points of the plane for a list of [lon, lat]."""
        lon, lat = np.array(places, float).T
        x, y = self.place(lon, lat)
        return list(zip(x.tolist(), y.tolist(), strict=True))


def plane(settings: dict[str, Any], swells: Sequence[dict[str, Any]] = ()) -> Plane:
    """Take a `[plane]` table and its `[[swells]]`; give the plane."""
    base = {"conic": _conic, "miller": _miller}[settings["kind"]](settings)
    steps = [_swell(base, swell) for swell in swells]

    def place(lon: Numbers, lat: Numbers) -> Both:
        x, y = base.place(np.asarray(lon, float), np.asarray(lat, float))
        for step in steps:
            x, y = step(x, y)
        return x, y

    return Plane(place, base.degrees, base.width)


def _swell(base: Plane, swell: dict[str, Any]) -> Step:
    """Push points from a middle, less and less up to a rim that stays: nothing folds while gain < 1.25."""
    (at,) = base.points([swell["at"]])
    (radius_x, radius_y), gain = swell["radii"], swell["gain"]

    def push(x: Numbers, y: Numbers) -> Both:
        dx, dy = x - at[0], y - at[1]
        inside = np.clip(1 - (dx / radius_x) ** 2 - (dy / radius_y) ** 2, 0, None)
        scale = gain * inside**2
        return x + dx * scale, y + dy * scale

    return push


def _miller(settings: dict[str, Any]) -> Plane:
    """A Miller cylinder: `unit` board units a degree along the equator, the west and north edges at 0."""
    unit, west, north = settings["unit"], settings["west"], settings["north"]

    def height(lat: Numbers | np.float64) -> Numbers:
        return np.degrees(1.25 * np.log(np.tan(np.pi / 4 + 0.4 * np.radians(lat))))

    top = height(np.float64(north))

    def place(lon: Numbers, lat: Numbers) -> Both:
        return (lon - west) * unit, (top - height(lat)) * unit

    def degrees(x: Numbers, y: Numbers) -> Both:
        level = np.radians((top - np.asarray(y) / unit) / 1.25)
        return np.asarray(x) / unit + west, np.degrees((np.arctan(np.exp(level)) - np.pi / 4) / 0.4)

    return Plane(place, degrees, 360 * unit)


def _conic(settings: dict[str, Any]) -> Plane:
    """A spherical Lambert conformal conic, then a lens that enlarges the middle."""
    south, north = np.radians(settings["parallels"])
    power = np.log(np.cos(south) / np.cos(north)) / np.log(_stretch(north) / _stretch(south))
    radius = EARTH_KM * np.cos(south) * _stretch(south) ** power / power
    level = radius / _stretch(np.radians(settings["latitude"])) ** power
    grow, shrink = _lens(settings)

    def place(lon: Numbers, lat: Numbers) -> Both:
        rho = radius / _stretch(np.radians(lat)) ** power
        theta = power * np.radians(lon - settings["meridian"])
        return grow(rho * np.sin(theta), rho * np.cos(theta) - level)

    def degrees(x: Numbers, y: Numbers) -> Both:
        across, down = shrink(np.asarray(x), np.asarray(y))
        down = down + level
        lon = settings["meridian"] + np.degrees(np.arctan2(across, down)) / power
        lat = 2 * np.degrees(np.arctan((radius / np.hypot(across, down)) ** (1 / power))) - 90
        return lon, lat

    return Plane(place, degrees)


def _stretch(latitude: Numbers) -> Numbers:
    return np.tan(np.pi / 4 + latitude / 2)


def _lens(settings: dict[str, Any]) -> tuple[Step, Step]:
    """Kilometres on the cone to board units, and back."""
    (from_x, from_y), (at_x, at_y) = settings["lens_km"], settings["lens_at"]
    (half_x, half_y), magnify, unit = settings["lens_axes"], settings["magnify"], settings["km_per_unit"]

    def grow(x_km: Numbers, y_km: Numbers) -> Both:
        x, y = (x_km - from_x) / unit, (y_km - from_y) / unit
        scale = (1 + magnify) / (1 + magnify * np.hypot(x / half_x, y / half_y))
        return x * scale + at_x, y * scale + at_y

    def shrink(x_unit: Numbers, y_unit: Numbers) -> Both:
        x, y = x_unit - at_x, y_unit - at_y
        scale = unit / (1 + magnify - magnify * np.hypot(x / half_x, y / half_y))
        return x * scale + from_x, y * scale + from_y

    return grow, shrink
