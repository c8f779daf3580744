"""The drawing of a board: a path a province, then coasts, borders, centres, letters, always in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from borders import borders, clip_line, clip_ring
from lettering import read, written
from shapes import TENTHS, Point, Ring, Shape

CAPITALS = 0.32  # from the middle of a capital letter to its foot, in font sizes
USUAL_CODE, SMALL_CODE = (
    11.5,
    9.0,
)  # sizes of codes: that for which symbols are made; the greatest of a small map
BANDS = {
    "far": 17,
    "middle": 10,
    "near": 4.4,
    "coast": 2.3,
}  # strokes of the lands, of which the outer half shows
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
.board .frame, .board .leader { fill: none; stroke: var(--board-frame); }
"""


Box = tuple[float, float, float, float]  # left, top, width, height in board units


@dataclass(frozen=True)
class Inset:
    """A crowded part of the map (`shown`) once more, larger (`at`); whoever draws fills it."""

    title: Mapping[str, str]
    shown: Box
    at: Box


@dataclass(frozen=True)
class Sheet:
    """All that is drawn: `frame` and `extent`, that of the map itself, in board units; lines in tenths."""

    shapes: Sequence[Shape]
    kinds: Mapping[str, str]
    places: Mapping[str, Any]
    frame: Point
    extent: Point
    around: bool = False
    grid: Sequence[Ring] = ()
    canals: Sequence[Ring] = ()
    insets: Sequence[Inset] = ()
    lettering: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """The size of symbols: smaller where codes are small."""
        sizes = [place["label"][2] for place in self.places.values() if "label" in place]
        usual = median(sizes)
        return round(usual / USUAL_CODE, 2) if usual < SMALL_CODE else 1.0


def drawing(sheet: Sheet) -> str:
    """The text of the SVG."""
    size = (sheet.extent[0] * TENTHS, sheet.extent[1] * TENTHS)
    found = borders(sheet.shapes, size)
    groups = [
        _group("seas", [*_beyond(sheet), *_paths(sheet.shapes, {"sea"}, size)]),
        _group("grid", (_drawn("grid", _within(sheet.grid, size)),) if sheet.grid else ()),
        _group("water", _paths(sheet.shapes, {"water"}, size)),
        _group("shores", (f'<use href="#board-shore" class="shore {band}"/>' for band in BANDS)),
        _group("board-shore", _paths(sheet.shapes, {"impassable", "coastal"}, size)),
        _group("lands", _paths(sheet.shapes, {"inland"}, size)),
        _group("lakes", _paths(sheet.shapes, {"lake"}, size)),
        _group("borders", _borders(sheet, found)),
        _group("insets", _insets(sheet.insets)),
        _group("centres", _centres(sheet)),
        _group("labels", _codes(sheet.places, sheet.kinds)),
        *(_group(f"names-{language}", _names(sheet, language)) for language in sheet.lettering),
    ]
    width, height = sheet.frame
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}">\n'
    return head + f"<style>\n{STYLE}{_bands(sheet.scale)}</style>\n" + "".join(groups) + "</svg>\n"


def _bands(scale: float) -> str:
    """Narrower shores for a map of small symbols."""
    widths = {band: round(width * scale, 1) for band, width in BANDS.items() if scale < 1}
    return "".join(f".board .{band} {{ stroke-width: {width:g}; }}\n" for band, width in widths.items())


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


def _within(lines: Iterable[Ring], frame: Point) -> list[Ring]:
    return [part for line in lines for part in clip_line(line, frame)]


def _drawn(style: str, lines: Iterable[Ring]) -> str:
    return f'<path class="{style}" d="{"".join(map(_line, lines))}"/>'


def _beyond(sheet: Sheet) -> Iterable[str]:
    """On a map of the whole world, what lies beyond the seas in play."""
    if sheet.around:
        yield f'<rect class="water" width="{sheet.extent[0]}" height="{sheet.extent[1]}"/>'


def _borders(sheet: Sheet, found: Mapping[str, Sequence[Ring]]) -> Iterable[str]:
    size = (sheet.extent[0] * TENTHS, sheet.extent[1] * TENTHS)
    for style in ("sea-line", "frontier"):
        yield _drawn(f"border {style}", _within(found[style], size))
    for style in ("banks", "channel"):
        yield from (_drawn(f"canal {style}", [line]) for line in sheet.canals)
    yield _frame((0.9, 0.9, sheet.extent[0] - 1.8, sheet.extent[1] - 1.8), 1.8)
    yield _frame((5, 5, sheet.extent[0] - 10, sheet.extent[1] - 10), 0.7)


def _frame(box: Box, thick: float) -> str:
    """One of the two lines around a printed board."""
    left, top, width, height = (f"{round(side, 1):g}" for side in box)
    place = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    return f'<rect class="frame" {place} stroke-width="{thick:g}"/>'


def _insets(insets: Iterable[Inset]) -> Iterable[str]:
    """What a drawing needs to fill the insets."""
    for inset in insets:
        shown, at = (" ".join(f"{round(side, 1):g}" for side in box) for box in (inset.shown, inset.at))
        titles = " ".join(f'data-title-{language}="{said}"' for language, said in inset.title.items())
        yield f'<g class="inset" data-shown="{shown}" data-at="{at}" {titles}/>'


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


def _centres(sheet: Sheet) -> Iterable[str]:
    scale = "" if sheet.scale == 1 else f" scale({sheet.scale:g})"
    for code, place in sorted(sheet.places.items()):
        if "centre" in place:
            x, y = place["centre"]
            yield (
                f'<g id="c-{code}" class="centre" transform="translate({x:g} {y:g}){scale}">'
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
