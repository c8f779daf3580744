"""The shapes of units and marks, around the origin, in board units at scale 1; and the units of a position.

The dislodged ones stand beside those that drove them out.
"""

from __future__ import annotations

from cmath import pi, rect
from collections.abc import Mapping
from itertools import takewhile

from talleyrand.engine.board import Board, Mobility
from talleyrand.engine.position import DislodgedUnit, Unit

from . import captions
from .geometry import Point, path_data
from .map_scene import MapScene
from .svg_markup import element, escape_text, layer_group, title_element, translate

REACH = 11.5  # from the middle of a unit to where an arrow may begin or end
BADGE = 5.2

SHAPES: Mapping[Mobility, str] = {
    Mobility.LAND: "M-9.5 -5.5Q-9.5 -8 -7 -8L7 -8Q9.5 -8 9.5 -5.5L9.5 5.5Q9.5 8 7 8L-7 8Q-9.5 8 -9.5 5.5Z",
    Mobility.SEA: "M-13 -5L-2 -5L-2 -10.5L5 -7L-2 -6L-2 -5L13 -5Q12 6 7 6.5L-7 6.5Q-12 6 -13 -5Z",
    Mobility.ANY: "M0 -11.5L10.5 -6L10.5 6L0 11.5L-10.5 6L-10.5 -6Z",
}
"""An army is a block, a fleet a hull with its flag, a unit that goes anywhere a hexagon."""

GLYPHS: Mapping[str, str] = {
    "bounces": "M-2.6 -2.6L2.6 2.6M2.6 -2.6L-2.6 2.6",
    "support_given": "M-3 0L3 0M0 -3L0 3",
    "support_cut": "M-3.2 2.4L-.2 -2.8M.2 2.8L3.2 -2.4",
    "void": "M-2.6 0A2.6 2.6 0 1 1 2.6 0A2.6 2.6 0 1 1 -2.6 0M-3.2 3.2L3.2 -3.2",
    "convoys": "M-3.4 .6Q-1.7 -2.6 0 0Q1.7 2.6 3.4 -.6",
    "convoy_disrupted": "M-3.4 .6Q-1.7 -2.6 0 0Q1.7 2.6 3.4 -.6M-2.2 3.2L2.2 -3.2",
    "illegal": "M0 -3.4L0 .8M0 2.9L0 3.1",
    "builds": "M-3 0L3 0M0 -3L0 3",
    "destroyed": "M-2.4 -2.4L2.4 2.4M2.4 -2.4L-2.4 2.4",
}
SPIKES, VALLEY, SPIKE = 12, 15.0, 20.0
BURST = (
    path_data(
        tuple(rect(SPIKE if at % 2 else VALLEY, at * pi / SPIKES) for at in range(2 * SPIKES)), closed=True
    )
    + "M13 0A13 13 0 1 0 -13 0A13 13 0 1 0 13 0Z"
)  # around a unit that is driven out, so that it is seen however small the map
SMALL_BURST = "scale(.45)"
CROSS = "M-8 -8L8 8M8 -8L-8 8"
OCTAGON = "M-8 -11L8 -11L13.5 -5.5L13.5 5.5L8 11L-8 11L-13.5 5.5L-13.5 -5.5Z"


def needs_letter(board: Board, letter: str) -> bool:
    """Whether the shape alone doesn't tell the kind: all but the first that goes on land and at sea."""
    mobility = board.kinds[letter].mobility
    before = takewhile(lambda other: other != letter, board.kinds)
    return mobility is Mobility.ANY or any(board.kinds[other].mobility is mobility for other in before)


def unit_symbol(board: Board, letter: str, colour: str, sign: str) -> str:
    """A unit: the shape of its mobility in the power's colour, the power's sign, its letter if need be."""
    known = letter in board.kinds
    shape = SHAPES[board.kinds[letter].mobility if known else Mobility.ANY]
    parts = [
        element("path", class_="body", d=shape, fill=colour),
        element(
            "text",
            escape_text(sign),
            class_="sign",
            y=3.2,
            font_size={1: 10, 2: 10, 3: 8}.get(len(sign), 6.4),
        ),
    ]
    if not known or needs_letter(board, letter):
        parts += [
            element("circle", class_="tag", cx=-9.5, cy=8, r=5),
            element("text", escape_text(letter), class_="letter", x=-9.5, y=10.6),
        ]
    return "".join(parts)


def result_badge(glyph: str) -> str:
    """A small disc with a glyph: what became of an order."""
    if glyph in ("dislodged", "destroyed"):
        return element("g", burst_symbol(glyph), transform=SMALL_BURST)
    return element("circle", class_="badge", r=BADGE) + element("path", class_="glyph", d=GLYPHS[glyph])


def burst_symbol(glyph: str = "dislodged") -> str:
    """A ring of spikes around a unit that is driven out, with a cross if it has nowhere to go."""
    return element("path", class_="burst", d=BURST) + (cross_symbol() if glyph == "destroyed" else "")


def cross_symbol() -> str:
    """A large cross through something that leaves the board."""
    return element("path", class_="halo", d=CROSS) + element("path", class_="cross", d=CROSS)


def units_group(scene: MapScene) -> str:
    """Every unit once: dislodged ones at the place for retreats, standing ones at theirs, over the spikes."""
    ordered = sorted(scene.position.units, key=_place)
    standing = [draw_unit(scene, unit) for unit in ordered]
    again = [  # at the other edge of the map
        _symbol(scene, unit, spot, "unit repeat", describe_unit(scene, unit))
        for unit in ordered
        for spot in scene.spots_of_location(unit.location)[1:]
    ]
    fallen = sorted(scene.position.dislodged, key=lambda entry: _place(entry.unit))
    lying = [_dislodged(scene, entry) for entry in fallen]
    return layer_group("units", *lying, *standing, *again)


def _place(unit: Unit) -> tuple[str, str]:
    return (unit.location, unit.kind)


def draw_unit(scene: MapScene, unit: Unit, class_: str = "unit") -> str:
    """A standing unit."""
    return _symbol(scene, unit, scene.home(unit), class_, describe_unit(scene, unit))


def _dislodged(scene: MapScene, entry: DislodgedUnit) -> str:
    spot = scene.retreat_spot(entry.unit.name) or scene.home(entry.unit)
    told = captions.translate(
        scene.language,
        "{unit}: dislodged (attack from {by})",
        unit=describe_unit(scene, entry.unit),
        by=captions.place_caption(scene.variant, scene.language, entry.by),
    )
    return _symbol(scene, entry.unit, spot, "unit dislodged", told)


def describe_unit(scene: MapScene, unit: Unit) -> str:
    """A unit in words, with its power."""
    named = captions.unit_caption(scene.variant, scene.language, unit.name)
    return f"{named} ({captions.power_caption(scene.variant, scene.language, unit.power)})"


def _symbol(scene: MapScene, unit: Unit, spot: Point, class_: str, told: str) -> str:
    return element(
        "g",
        title_element(told),
        burst_symbol() if "dislodged" in class_ else "",
        unit_symbol(scene.variant.board, unit.kind, scene.unit_colour(unit), scene.sign(unit.power)),
        class_=class_,
        data_unit=str(unit),
        data_province=unit.province,
        data_power=unit.power,
        transform=place_transform(spot, scene.scale),
    )


def place_transform(spot: Point, scale: float) -> str:
    """A transform that moves and sizes."""
    return f"{translate(spot)} scale({round(scale, 3):g})"
