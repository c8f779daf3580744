"""The units of a position, the dislodged ones beside those that drove them out."""

from __future__ import annotations

from talleyrand.engine.position import Dislodged, Unit

from . import words
from .geometry import Point
from .markup import at, element, layer, title
from .scene import Scene
from .symbols import badge, token

LYING = 0.85  # the size of a dislodged unit beside a standing one


def unit_layer(scene: Scene) -> str:
    """Every unit once: standing ones at their place, dislodged ones at the place for retreats."""
    ordered = sorted(scene.position.units, key=_place)
    standing = [drawn(scene, unit) for unit in ordered]
    again = [_again(scene, unit, spot) for unit in ordered for spot in scene.images(unit.location)[1:]]
    fallen = sorted(scene.position.dislodged, key=lambda entry: _place(entry.unit))
    lying = [_dislodged(scene, entry) for entry in fallen]
    return layer("units", *standing, *again, *lying)


def _place(unit: Unit) -> tuple[str, str]:
    return (unit.location, unit.kind)


def drawn(scene: Scene, unit: Unit, class_: str = "unit") -> str:
    """A standing unit."""
    return _symbol(scene, unit, scene.home(unit), class_, scene.scale, said(scene, unit))


def _again(scene: Scene, unit: Unit, spot: Point) -> str:
    """The same unit at the other edge of the map."""
    return _symbol(scene, unit, spot, "unit repeat", scene.scale, said(scene, unit))


def _dislodged(scene: Scene, entry: Dislodged) -> str:
    spot = scene.refuge(entry.unit.name) or scene.home(entry.unit)
    told = words.say(
        scene.language,
        "{unit}: dislodged from {by}",
        unit=said(scene, entry.unit),
        by=words.place(scene.variant, scene.language, entry.by),
    )
    return _symbol(scene, entry.unit, spot, "unit dislodged", scene.scale * LYING, told)


def said(scene: Scene, unit: Unit) -> str:
    """A unit in words, with its power."""
    named = words.unit(scene.variant, scene.language, unit.name)
    return f"{named} ({words.power(scene.variant, scene.language, unit.power)})"


def _symbol(scene: Scene, unit: Unit, spot: Point, class_: str, scale: float, told: str) -> str:
    lying = "dislodged" in class_
    return element(
        "g",
        title(told),
        token(scene.variant.board, unit.kind, scene.worn(unit), scene.sign(unit.power)),
        element("g", badge("dislodged"), transform="translate(10 -8) scale(.8)") if lying else "",
        class_=class_,
        data_unit=str(unit),
        data_province=unit.province,
        data_power=unit.power,
        transform=placed(spot, scale),
    )


def placed(spot: Point, scale: float) -> str:
    """A transform that moves and sizes."""
    return f"{at(spot)} scale({round(scale, 3):g})"
