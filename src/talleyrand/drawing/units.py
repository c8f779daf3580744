"""The units of a position, the dislodged ones beside those that drove them out."""

from __future__ import annotations

from talleyrand.engine.position import DislodgedUnit, Unit

from . import captions
from .geometry import Point
from .map_scene import MapScene
from .svg_markup import (
    element,
    layer_group,
    title_element,
    translate,
)
from .unit_symbols import result_badge, unit_symbol

DISLODGED_SCALE = 0.85  # the size of a dislodged unit beside a standing one


def units_group(scene: MapScene) -> str:
    """Every unit once: standing ones at their place, dislodged ones at the place for retreats."""
    ordered = sorted(scene.position.units, key=_place)
    standing = [draw_unit(scene, unit) for unit in ordered]
    again = [
        _again(scene, unit, spot) for unit in ordered for spot in scene.spots_of_location(unit.location)[1:]
    ]
    fallen = sorted(scene.position.dislodged, key=lambda entry: _place(entry.unit))
    lying = [_dislodged(scene, entry) for entry in fallen]
    return layer_group("units", *standing, *again, *lying)


def _place(unit: Unit) -> tuple[str, str]:
    return (unit.location, unit.kind)


def draw_unit(scene: MapScene, unit: Unit, class_: str = "unit") -> str:
    """A standing unit."""
    return _symbol(scene, unit, scene.home(unit), class_, scene.scale, describe_unit(scene, unit))


def _again(scene: MapScene, unit: Unit, spot: Point) -> str:
    """The same unit at the other edge of the map."""
    return _symbol(scene, unit, spot, "unit repeat", scene.scale, describe_unit(scene, unit))


def _dislodged(scene: MapScene, entry: DislodgedUnit) -> str:
    spot = scene.retreat_spot(entry.unit.name) or scene.home(entry.unit)
    told = captions.translate(
        scene.language,
        "{unit}: dislodged (attack from {by})",
        unit=describe_unit(scene, entry.unit),
        by=captions.place_caption(scene.variant, scene.language, entry.by),
    )
    return _symbol(scene, entry.unit, spot, "unit dislodged", scene.scale * DISLODGED_SCALE, told)


def describe_unit(scene: MapScene, unit: Unit) -> str:
    """A unit in words, with its power."""
    named = captions.unit_caption(scene.variant, scene.language, unit.name)
    return f"{named} ({captions.power_caption(scene.variant, scene.language, unit.power)})"


def _symbol(scene: MapScene, unit: Unit, spot: Point, class_: str, scale: float, told: str) -> str:
    lying = "dislodged" in class_
    return element(
        "g",
        title_element(told),
        unit_symbol(scene.variant.board, unit.kind, scene.unit_colour(unit), scene.sign(unit.power)),
        element("g", result_badge("dislodged"), transform="translate(10 -8) scale(.8)") if lying else "",
        class_=class_,
        data_unit=str(unit),
        data_province=unit.province,
        data_power=unit.power,
        transform=place_transform(spot, scale),
    )


def place_transform(spot: Point, scale: float) -> str:
    """A transform that moves and sizes."""
    return f"{translate(spot)} scale({round(scale, 3):g})"
