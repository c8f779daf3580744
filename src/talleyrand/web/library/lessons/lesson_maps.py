"""The part of a map that a board needs, drawn larger and with the names written out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.library import map_crops

MARGIN = 62.0  # board units around the outermost places
SHAPE = 1.2  # six wide by five high, as the whole boards are
LETTERS = 0.027  # height of a name's letters, as a part of the frame's width
WIDE = 0.58  # width of a letter, as a part of its height
VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')
LABEL = re.compile(r'<text\b[^>]*\bdata-province="(\w+)"[^>]*>[^<]*</text>')
ATTRIBUTE = re.compile(r' (?:x|y|font-size)="[^"]*"')
CLEAR = 12.0  # board units between the middle of a unit and a name


@dataclass(frozen=True)
class LessonMapBox:
    x: float
    y: float
    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.x:.1f} {self.y:.1f} {self.width:.1f} {self.height:.1f}"


def crop_to_places(svg: str, variant: Variant, places: Iterable[str]) -> str:
    """The drawing framed around the places, each province in it under its full name."""
    found = VIEW_BOX.search(svg)
    points = [(x, y) for x, y, *_ in (variant.anchors[place]["unit"] for place in places)]
    if not points or found is None:
        return svg
    frame = _around(points, LessonMapBox(*map(float, found[1].split())))
    framed = svg.replace(found[0], f'viewBox="{frame}"', 1)
    framed = map_crops.without_insets(framed)
    return LABEL.sub(lambda label: _written_out(label, variant, frame), framed)


def _around(points: list[tuple[float, float]], whole: LessonMapBox) -> LessonMapBox:
    """The smallest frame of the usual shape, kept on the board."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    width = max(max(xs) - min(xs) + 2 * MARGIN, (max(ys) - min(ys) + 2 * MARGIN) * SHAPE)
    width = min(width, whole.width, whole.height * SHAPE)
    height = width / SHAPE
    x = min(max((min(xs) + max(xs) - width) / 2, whole.x), whole.x + whole.width - width)
    y = min(max((min(ys) + max(ys) - height) / 2, whole.y), whole.y + whole.height - height)
    return LessonMapBox(x, y, width, height)


def _written_out(label: re.Match[str], variant: Variant, frame: LessonMapBox) -> str:
    """A label with the full name; none where the frame would cut it."""
    name = variant.names(display_names.reader_language()).provinces[label[1]].name
    x, y = _beside_the_unit(variant, label[1])
    size = frame.width * LETTERS
    half = len(name) * size * WIDE / 2
    inside = frame.x + half < x < frame.x + frame.width - half
    if not inside or not frame.y + size < y < frame.y + frame.height - size / 3:
        return ""
    opening = ATTRIBUTE.sub("", label[0].partition(">")[0])
    return f'{opening} x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{escape(name)}</text>'


def _beside_the_unit(variant: Variant, place: str) -> tuple[float, float]:
    """Where a name goes: a longer one than the map foresees must not lie under the unit."""
    x, y, *_ = variant.anchors[place]["label"]
    unit = variant.anchors[place]["unit"]
    return (x, y) if abs(y - unit[1]) > CLEAR else (unit[0], unit[1] - CLEAR)
