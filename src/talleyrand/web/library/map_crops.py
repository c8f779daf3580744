"""The part of a board that an example needs, cut out of its drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from talleyrand.engine.position import province_of
from talleyrand.variants import Variant

Box = tuple[float, float, float, float]  # left, top, width, height
MARGIN, LEAST = 75.0, 430.0
BRINK, LONGEST = 15.0, 130.0  # what lies just outside still shows: lines have a width, labels a length
WHOLE = 0.8  # of the board's width: a part that large is shown whole
_OUTLINE = re.compile(r' d="(M[Mlz0-9 .\-]+)"')
_PAIR = re.compile(r"-?[0-9.]+")
_INSETS = re.compile(r'<g id="insets">\n.*?\n</g>\n?', re.DOTALL)
_LABEL = re.compile(r'<text[^>]* x="(-?[0-9.]+)"[^>]* y="(-?[0-9.]+)"')


def crop_box(variant: Variant, locations: Iterable[str]) -> Box | None:
    """The part around some locations, in the proportions of the board; None where it is the whole."""
    left, top, wide, tall = whole_box(variant)
    spots = [_spot(variant, location) for location in locations]
    if not spots:
        return None
    across, down = [x for x, _ in spots], [y for _, y in spots]
    width = max(max(across) - min(across) + 2 * MARGIN, LEAST)
    height = max(max(down) - min(down) + 2 * MARGIN, LEAST * tall / wide)
    width, height = max(width, height * wide / tall), max(height, width * tall / wide)
    if width > WHOLE * wide:
        return None
    middle = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    return (
        round(min(max(middle[0] - width / 2, left), left + wide - width), 1),
        round(min(max(middle[1] - height / 2, top), top + tall - height), 1),
        round(width, 1),
        round(height, 1),
    )


def whole_box(variant: Variant) -> Box:
    found = re.search(r'viewBox="([^"]+)"', variant.map_svg)
    assert found is not None
    left, top, wide, tall = map(float, found[1].split())
    return left, top, wide, tall


def _spot(variant: Variant, location: str) -> tuple[float, float]:
    anchor = variant.anchors.get(location, {}).get("unit") or variant.anchors[province_of(location)]["unit"]
    return anchor[0], anchor[1]


def crop_svg(svg: str, box: Box | None) -> str:
    """The drawing, showing `box` alone, without what lies outside it."""
    if box is None:
        return svg
    svg = without_insets(svg)
    sizes = " ".join(f"{size:g}" for size in box)
    shown = re.sub(r'viewBox="[^"]*"', f'viewBox="{sizes}"', svg, count=1)
    return "\n".join(kept for line in shown.split("\n") if (kept := _line_inside(line, box)) is not None)


def without_insets(svg: str) -> str:
    """The drawing without the parts of the map that it shows once more, larger."""
    return _INSETS.sub("", svg, count=1)


def _line_inside(line: str, box: Box) -> str | None:
    outline = _OUTLINE.search(line) if line.startswith("<path") else None
    if outline is not None:
        parts = "".join(part for part in outline[1].split("M")[1:] for part in _near(part, box))
        return line.replace(outline[0], f' d="{parts}"', 1) if parts else None
    label = _LABEL.match(line)
    if label is not None and not _meets((float(label[1]), float(label[2])) * 2, box, LONGEST):
        return None
    return line


def _near(part: str, box: Box) -> Iterable[str]:
    if _meets(_bounds(part), box):
        yield f"M{part}"


def _meets(bounds: tuple[float, ...], box: Box, brink: float = BRINK) -> bool:
    """Whether two boxes nearly meet; `bounds` is left, top, right, bottom."""
    left, top, right, bottom = bounds
    return (
        right >= box[0] - brink
        and left <= box[0] + box[2] + brink
        and bottom >= box[1] - brink
        and top <= box[1] + box[3] + brink
    )


@lru_cache(maxsize=4096)
def _bounds(part: str) -> tuple[float, ...]:
    """What a part of an outline covers: a point, then steps from it."""
    steps = [float(number) for number in _PAIR.findall(part)]
    across, down = list(accumulate(steps[::2])), list(accumulate(steps[1::2]))
    return min(across), min(down), max(across), max(down)
