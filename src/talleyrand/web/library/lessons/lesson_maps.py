"""The part of a map that a board needs, drawn larger and with the names written out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import product

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.library import map_crops

MARGIN = 62.0  # board units around the outermost places
SHAPE = 1.2  # six wide by five high, as the whole boards are
LETTERS = 0.027  # height of a name's letters, as a part of the frame's width
WIDE = 0.58  # width of a letter, as a part of its height
VIEW_BOX = re.compile(r'viewBox="([-\d. ]+)"')
LABEL = re.compile(r'<text\b[^>]*\bdata-province="(\w+)"[^>]*>[^<]*</text>')
UNIT_HALF = 13.0  # board units: half a unit's width
CENTRE_HALF = 5.0  # board units: half a supply centre's width
NameBox = tuple[float, float, float, float]  # the middle, half the width and half the height


@dataclass(frozen=True)
class LessonMapBox:
    x: float
    y: float
    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.x:.1f} {self.y:.1f} {self.width:.1f} {self.height:.1f}"


def crop_to_places(drawn: PhaseMap, places: Iterable[str]) -> str:
    """The drawing framed around the places, each province in it under its full name."""
    svg, variant = drawn.svg(caption=False), drawn.variant
    found = VIEW_BOX.search(svg)
    points = [(x, y) for x, y, *_ in (variant.anchors[place]["unit"] for place in places)]
    if not points or found is None:
        return svg
    frame = _around(points, LessonMapBox(*map(float, found[1].split())))
    framed = svg.replace(found[0], f'viewBox="{frame}"', 1)
    framed = map_crops.without_insets(framed)
    taken = [
        (anchors[what][0], anchors[what][1], half, half * high)
        for anchors in variant.anchors.values()
        for what, half, high in (("unit", UNIT_HALF, 0.8), ("centre", CENTRE_HALF, 1))
        if what in anchors
    ]
    for lying in drawn.position.dislodged:
        x, y = variant.anchors[lying.unit.location]["retreat"][:2]
        taken.append((x, y, UNIT_HALF, UNIT_HALF * 0.8))
    written: set[str] = set()

    def once(label: re.Match[str]) -> str:
        known = label[1] in written
        written.add(label[1])
        return "" if known else _written_out(label[1], variant, frame, taken)

    return LABEL.sub(once, framed)


def _around(points: list[tuple[float, float]], whole: LessonMapBox) -> LessonMapBox:
    """The smallest frame of the usual shape, kept on the board."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    width = max(max(xs) - min(xs) + 2 * MARGIN, (max(ys) - min(ys) + 2 * MARGIN) * SHAPE)
    width = min(width, whole.width, whole.height * SHAPE)
    height = width / SHAPE
    x = min(max((min(xs) + max(xs) - width) / 2, whole.x), whole.x + whole.width - width)
    y = min(max((min(ys) + max(ys) - height) / 2, whole.y), whole.y + whole.height - height)
    return LessonMapBox(x, y, width, height)


def _written_out(place: str, variant: Variant, frame: LessonMapBox, taken: list[NameBox]) -> str:
    """The full name of a province, else its abbreviation, where it covers nothing and is not cut.

    `taken` holds where units may stand and other names lie; the new one is added. "" where there is no room.
    """
    language = display_names.reader_language()
    names = variant.names(language)
    short = names.abbreviations.get(variant.naming.get(language, ""), {}).get(place, (place,))[0]
    size, kind = frame.width * LETTERS, variant.board.provinces[place].terrain.value
    for said, (x, y) in product((names.provinces[place].name, short), _spots(variant, place, size)):
        half, high = len(said) * size * WIDE / 2, size / 2
        inside = frame.x + half < x < frame.x + frame.width - half
        if not inside or not frame.y + size < y < frame.y + frame.height - size / 3:
            continue
        box = (x, y - size / 3, half, high)
        if any(
            abs(box[0] - one[0]) < half + one[2] and abs(box[1] - one[1]) < high + one[3] for one in taken
        ):
            continue
        taken.append(box)
        place_of = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}"'
        return f'<text class="label {kind}" data-province="{place}" {place_of}>{escape(said)}</text>'
    return ""


def _spots(variant: Variant, place: str, size: float) -> Iterator[tuple[float, float]]:
    """Where a name may go, the best first: at its own place, above the unit, below it or beside it."""
    x, y, *_ = variant.anchors[place]["label"]
    unit = variant.anchors[place]["unit"]
    yield x, y + size / 3
    for aside in (0, size, -size, 2 * size, -2 * size):
        yield unit[0] + aside, unit[1] - UNIT_HALF
        yield unit[0] + aside, unit[1] + UNIT_HALF + size
    for side, down in product((-1, 1), (0, size, -size)):
        yield unit[0] + side * 2.1 * UNIT_HALF, unit[1] + size / 3 + down
