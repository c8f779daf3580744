"""The drawing of a board: one path a province, then borders, centres and labels, always in one order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from borders import LAND, STYLES, borders, clip_ring
from shapes import TENTHS, Point, Ring, Shape

CAPITALS = 0.36  # from the middle of a capital letter to its foot, in font sizes
STYLE = """\
.board .province { stroke: none; }
.board .sea { fill: #d3e4ee; }
.board .coastal, .board .inland { fill: #f6efdf; }
.board .impassable { fill: #cfc8ba; stroke: #cfc8ba; stroke-width: 0.6; }
.board .water, .board .lake { fill: #b9cfdc; }
.board .border { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.board .sea-line { stroke: #7fa6bd; stroke-width: 0.9; }
.board .frontier { stroke: #8d7f68; stroke-width: 0.9; }
.board .coast { stroke: #56707f; stroke-width: 1; }
.board .centre { fill: #ffffff; stroke: #3a342b; stroke-width: 0.9; }
.board .centre .dot { fill: #3a342b; stroke: none; }
.board .label { fill: #4a4236; font-family: "DejaVu Sans", Verdana, Arial, sans-serif; text-anchor: middle; }
.board .label.sea { fill: #3f6580; font-style: italic; }
"""


def drawing(shapes: Sequence[Shape], kinds: dict[str, str], places: dict[str, Any], frame: Point) -> str:
    """Take surfaces, the kind of each province, the anchors and the frame; give the text of the SVG."""
    size = (frame[0] * TENTHS, frame[1] * TENTHS)
    groups = [
        _group("seas", _paths(shapes, {"sea"}, size)),
        _group("water", _paths(shapes, {"water"}, size)),
        _group("impassable", _paths(shapes, {"impassable"}, size)),
        _group("lands", _paths(shapes, LAND - {"impassable"}, size)),
        _group("lakes", _paths(shapes, {"lake"}, size)),
        _group("borders", _borders(shapes, size)),
        _group("centres", _centres(places)),
        _group("labels", _labels(places, kinds)),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {frame[0]} {frame[1]}">\n'
    return head + f"<style>\n{STYLE}</style>\n" + "".join(groups) + "</svg>\n"


def _group(name: str, parts: Iterable[str]) -> str:
    return f'<g id="{name}">\n' + "".join(f"{part}\n" for part in parts) + "</g>\n"


def _paths(shapes: Iterable[Shape], kinds: Iterable[str], frame: Point) -> Iterable[str]:
    for shape in sorted((s for s in shapes if s.kind in kinds), key=lambda s: s.code):
        outline = "".join(_line(clip_ring(ring, frame)) for ring in shape.rings)
        if outline:
            yield _path(shape, outline)


def _path(shape: Shape, outline: str) -> str:
    if shape.kind in {"impassable", "water", "lake"}:
        return f'<path class="{shape.kind}" fill-rule="evenodd" d="{outline}"/>'
    return f'<path id="p-{shape.code}" class="province {shape.kind}" fill-rule="evenodd" d="{outline}"/>'


def _borders(shapes: Sequence[Shape], frame: Point) -> Iterable[str]:
    found = borders(shapes, frame)
    for style in STYLES:
        yield f'<path class="border {style}" d="{"".join(_line(line) for line in found[style])}"/>'


def _line(points: Ring) -> str:
    """Relative path data, closed if the points are."""
    if not points:
        return ""
    closed = points[0] == points[-1]
    x, y = points[0]
    out = [f"M{_number(x)} {_number(y)}l"]
    for next_x, next_y in points[1:-1] if closed else points[1:]:
        out.append(f"{_number(next_x - x)} {_number(next_y - y)} ")
        x, y = next_x, next_y
    return "".join(out).rstrip() + ("z" if closed else "")


def _number(tenths: int) -> str:
    """Whole tenths as a short decimal: 12 -> 1.2, -3 -> -.3, 20 -> 2."""
    whole, rest = divmod(abs(tenths), TENTHS)
    text = f"{whole or (0 if not rest else '')}" + (f".{rest}" if rest else "")
    return "-" + text if tenths < 0 else text


def _centres(places: dict[str, Any]) -> Iterable[str]:
    for code, place in sorted(places.items()):
        if "centre" in place:
            x, y = place["centre"]
            yield (
                f'<g id="c-{code}" class="centre" transform="translate({x:g} {y:g})">'
                '<circle r="3.8"/><circle class="dot" r="1.7"/></g>'
            )


def _labels(places: dict[str, Any], kinds: dict[str, str]) -> Iterable[str]:
    for code, place in sorted(places.items()):
        if "label" in place:
            x, y, size = place["label"]
            foot = round(y + size * CAPITALS, 1)
            yield (
                f'<text id="l-{code}" class="label {kinds[code]}" x="{x:g}" y="{foot:g}" '
                f'font-size="{size:g}">{code}</text>'
            )
