"""Pictures of one part of a board, side by side on a page, over one ground that the page holds once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from django.utils.safestring import SafeString, mark_safe

from talleyrand import drawing
from talleyrand.variants import Variant

MARGIN, LEAST = 80.0, 0.4  # around the places, and of the board's width: nearer, a province looks lost
_ID = re.compile(r' id="(?!board-)[^"]*"')  # all but those that the drawing itself refers to

MapPoint = tuple[float, float]
ExcerptBox = tuple[float, float, float, float]  # left, top, width, height


def unit_points(variant: Variant, places: Iterable[str]) -> Iterator[MapPoint]:
    """Where the units of these places stand on the board."""
    for place in places:
        anchor = variant.anchors.get(place, {}).get("unit")
        if anchor:
            yield anchor[0], anchor[1]


def excerpt_box(points: Sequence[MapPoint], box: tuple[float, ...]) -> ExcerptBox:
    """The part of the board that holds these points, in the board's proportions; without any, all of it."""
    left, top, wide, high = box
    if not points:
        return left, top, wide, high
    xs, ys = zip(*points, strict=True)
    ratio = wide / high
    width = max(max(xs) - min(xs) + 2 * MARGIN, ratio * (max(ys) - min(ys) + 2 * MARGIN), LEAST * wide)
    width = min(width, wide)
    height = width / ratio
    x = _clamped((min(xs) + max(xs) - width) / 2, left, left + wide - width)
    y = _clamped((min(ys) + max(ys) - height) / 2, top, top + high - height)
    return round(x, 1), round(y, 1), round(width, 1), round(height, 1)


def _clamped(value: float, least: float, greatest: float) -> float:
    return max(least, min(value, greatest))


def shared_ground(series: drawing.DrawingSeries, nonce: str) -> SafeString:
    """What the pictures of a series share; it goes into the page once, before them."""
    # Drawn by `drawing`, which escapes every word; nothing else of the visitor's is in it.
    return mark_safe(  # noqa: S308
        f'<svg aria-hidden="true" width="0" height="0" class="ground">'
        f'<style nonce="{nonce}">{series.style}</style>'
        f'<defs><g class="board" id="ground-under">{_ID.sub("", series.under)}</g>'
        f'<g class="board" id="ground-over">{_ID.sub("", series.over)}</g></defs></svg>'
    )


def excerpt_svg(part: ExcerptBox, drawn: drawing.MapLayers, lit: Iterable[str] = ()) -> SafeString:
    """One picture over the ground; `lit` are outlines to bring out.

    Its layers are found by nobody: identifiers would stand in the page several times.
    """
    outlines = "".join(f'<path class="lit" d="{outline}"/>' for outline in lit)
    inside = f'<use href="#ground-under"/>{outlines}{drawn.orders}<use href="#ground-over"/>{drawn.marks}'
    sizes = " ".join(f"{size:g}" for size in part)
    return mark_safe(  # noqa: S308 as above
        f'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" class="board" viewBox="{sizes}">'
        f"{_ID.sub('', inside)}</svg>"
    )
