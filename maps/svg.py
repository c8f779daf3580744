"""The drawing of a board: a path a province, then coasts, borders, centres, letters, always in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from borders import borders, clip_ring
from lettering import read, written
from shapes import TENTHS, Point, Ring, Shape

CAPITALS = 0.32  # from the middle of a capital letter to its foot, in font sizes
BANDS = ("far", "middle", "near", "coast")  # strokes of the lands, of which the outer half shows
STYLE = """\
.board .sea { fill: var(--board-sea); }
.board .coastal, .board .inland { fill: var(--board-land); }
.board .impassable { fill: var(--board-impassable); }
.board .water, .board .lake { fill: var(--board-water); }
.board .grid { fill: none; stroke: var(--board-grid); stroke-width: .6; }
.board .shore, .board .border, .board .canal { stroke-linejoin: round; stroke-linecap: round; }
.board .border, .board .canal { fill: none; }
.board .shore, .board .border, .board .canal, .board .grid, .board .frame { pointer-events: none; }
.board .shore { stroke: var(--board-shore); stroke-opacity: var(--board-shore-strength); }
.board .far { stroke-width: 17; }
.board .middle { stroke-width: 10; }
.board .near { stroke-width: 4.4; }
.board .coast { stroke: var(--board-coast); stroke-width: 2.3; stroke-opacity: 1; }
.board .frontier { stroke: var(--board-frontier); stroke-width: .9; }
.board .sea-line { stroke: var(--board-sea-line); stroke-width: .9; stroke-dasharray: 5 2.6; }
.board .banks { stroke: var(--board-coast); stroke-width: 4.6; }
.board .channel { stroke: var(--board-water); stroke-width: 2.8; }
.board .centre { fill: var(--board-centre); stroke: var(--board-centre-ink); stroke-width: .9; }
.board .centre .dot { fill: var(--board-centre-ink); stroke: none; }
.board .frame { fill: none; stroke: var(--board-frame); }
"""


@dataclass(frozen=True)
class Sheet:
    """All that is drawn: `frame` in board units, lines in tenths."""

    shapes: Sequence[Shape]
    kinds: Mapping[str, str]
    places: Mapping[str, Any]
    frame: Point
    grid: Sequence[Ring] = ()
    canals: Sequence[Ring] = ()
    lettering: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def drawing(sheet: Sheet) -> str:
    """The text of the SVG."""
    size = (sheet.frame[0] * TENTHS, sheet.frame[1] * TENTHS)
    found = borders(sheet.shapes, size)
    groups = [
        _group("seas", _paths(sheet.shapes, {"sea"}, size)),
        _group("grid", (_drawn("grid", sheet.grid),) if sheet.grid else ()),
        _group("water", _paths(sheet.shapes, {"water"}, size)),
        _group("shores", (f'<use href="#board-shore" class="shore {band}"/>' for band in BANDS)),
        _group("board-shore", _paths(sheet.shapes, {"impassable", "coastal"}, size)),
        _group("lands", _paths(sheet.shapes, {"inland"}, size)),
        _group("lakes", _paths(sheet.shapes, {"lake"}, size)),
        _group("borders", _borders(sheet, found)),
        _group("centres", _centres(sheet.places)),
        _group("labels", _codes(sheet.places, sheet.kinds)),
        *(_group(f"names-{language}", _names(sheet, language)) for language in sheet.lettering),
    ]
    width, height = sheet.frame
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}">\n'
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


def _drawn(style: str, lines: Iterable[Ring]) -> str:
    return f'<path class="{style}" d="{"".join(map(_line, lines))}"/>'


def _borders(sheet: Sheet, found: Mapping[str, Sequence[Ring]]) -> Iterable[str]:
    yield _drawn("border sea-line", found["sea-line"])
    yield _drawn("border frontier", found["frontier"])
    if sheet.canals:
        yield _drawn("canal banks", sheet.canals)
        yield _drawn("canal channel", sheet.canals)
    yield from _frame(sheet.frame)


def _frame(frame: Point) -> Iterable[str]:
    """The double line around a printed board."""
    for inset, width in ((0.9, 1.8), (5, 0.7)):
        across, down = frame[0] - 2 * inset, frame[1] - 2 * inset
        yield (
            f'<rect class="frame" x="{inset:g}" y="{inset:g}" width="{across:g}" height="{down:g}" '
            f'stroke-width="{width:g}"/>'
        )


def _line(points: Ring) -> str:
    """Relative path data, closed if the points are."""
    if not points:
        return ""
    closed = points[0] == points[-1]
    x, y = points[0]
    out = [f"M{_number(x)} {_number(y)}l"]
    for next_x, next_y in points[1:-1] if closed else points[1:]:
        out += [_number(next_x - x), _number(next_y - y)]
        x, y = next_x, next_y
    return (out[0] + " ".join(out[1:]).replace(" -", "-")) + ("z" if closed else "")


def _number(tenths: int) -> str:
    """Whole tenths as a short decimal: 12 -> 1.2, -3 -> -.3, 20 -> 2."""
    whole, rest = divmod(abs(tenths), TENTHS)
    text = f"{whole or (0 if not rest else '')}" + (f".{rest}" if rest else "")
    return "-" + text if tenths < 0 else text


def _centres(places: Mapping[str, Any]) -> Iterable[str]:
    for code, place in sorted(places.items()):
        if "centre" in place:
            x, y = place["centre"]
            yield (
                f'<g id="c-{code}" class="centre" transform="translate({x:g} {y:g})">'
                '<circle r="3.8"/><circle class="dot" r="1.7"/></g>'
            )


def _codes(places: Mapping[str, Any], kinds: Mapping[str, str]) -> Iterable[str]:
    for code, place in sorted(places.items()):
        if "label" in place:
            x, y, size = place["label"]
            foot = round(y + size * CAPITALS, 1)
            yield (
                f'<text id="l-{code}" class="label {kinds[code]}" x="{x:g}" y="{foot:g}" '
                f'font-size="{size:g}">{code}</text>'
            )


def _names(sheet: Sheet, language: str) -> Iterable[str]:
    for code, row in sheet.lettering[language].items():
        yield from written(code.partition("/")[0], sheet.kinds.get(code, "strand"), read(row))
