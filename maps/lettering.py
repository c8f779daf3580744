"""Names as type that follows the sea or the land: one `<text>` a line, letter by letter where it is bent."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from typeface import advances

MIDDLE, CAPITALS = 0.23, 0.32  # from the middle of a line to its foot, in font sizes: small letters, capitals
LEADING = 1.0


@dataclass(frozen=True)
class Lettering:
    """Where a name stands: the middle of its line or lines, its size, and how it runs.

    `turn` is in degrees, `bend` the height of the bow in lengths of the line (a positive one arches upwards),
    `spread` the space added between letters, in font sizes.
    """

    lines: tuple[str, ...]
    at: tuple[float, float]
    size: float
    turn: float = 0.0
    bend: float = 0.0
    spread: float = 0.0


def read(table: dict[str, Any]) -> Lettering:
    """A row of `lettering.toml`; `|` in its text parts two lines."""
    x, y = table["at"]
    extra = {name: table[name] for name in ("turn", "bend", "spread") if name in table}
    return Lettering(tuple(table["text"].split("|")), (x, y), table["size"], **extra)


def width(text: str, kind: str, spread: float) -> float:
    """The length of a line in font sizes."""
    return sum(advances(text, kind)) + spread * (len(text) - 1)


def foot(text: str) -> float:
    """From the middle of a line to its foot, in font sizes."""
    return CAPITALS if text.isupper() else MIDDLE


def written(code: str, kind: str, name: Lettering) -> Iterable[str]:
    """The elements of a name."""
    count = len(name.lines)
    for number, line in enumerate(name.lines):
        down = (number - (count - 1) / 2) * LEADING + foot(line)
        yield _bent(code, kind, name, line, down) if name.bend else _straight(code, kind, name, line, down)


def _straight(code: str, kind: str, name: Lettering, line: str, down: float) -> str:
    x, y = name.at
    turn = f' transform="rotate({name.turn:g} {x:g} {y:g})"' if name.turn else ""
    spread = f' letter-spacing="{_number(name.spread * name.size)}"' if name.spread else ""
    left = _number(x + name.spread * name.size / 2)  # the space after the last letter counts
    return _text(code, kind, name, line, f'x="{left}" y="{_number(y + down * name.size)}"{spread}{turn}')


def _bent(code: str, kind: str, name: Lettering, line: str, down: float) -> str:
    """Each letter on an arc; `x` and `y` are the left of its foot."""
    spots = list(arc(name, line, kind, down))
    xs = " ".join(_number(x) for x, _, _ in spots)
    ys = " ".join(_number(y) for _, y, _ in spots)
    turns = " ".join(f"{round(turn)}" for _, _, turn in spots)
    return _text(code, f"bent {kind}", name, line, f'x="{xs}" y="{ys}" rotate="{turns}"')


def arc(name: Lettering, line: str, kind: str, down: float) -> Iterable[tuple[float, float, float]]:
    """The foot of each letter's left edge, and its turn in degrees."""
    widths = [each * name.size for each in advances(line, kind)]
    whole = width(line, kind, name.spread) * name.size
    radius = bow(whole, name.bend)
    walked = -whole / 2
    for each in widths:
        angle = (walked + each / 2) / radius
        yield _placed(name, radius, angle, -each / 2, down * name.size)
        walked += each + name.spread * name.size


def bow(length: float, bend: float) -> float:
    """The radius of the arc over a line whose bow is `bend` lengths high."""
    return length * (0.125 / bend + bend / 2)


def _placed(
    name: Lettering, radius: float, angle: float, along: float, down: float
) -> tuple[float, float, float]:
    """A point of a letter: `along` and `down` from the middle of the line where the letter stands."""
    on_arc = complex(radius * math.sin(angle), radius * (1 - math.cos(angle)))
    point = turned(on_arc + turned(complex(along, down), math.degrees(angle)), name.turn)
    return name.at[0] + point.real, name.at[1] + point.imag, name.turn + math.degrees(angle)


def turned(point: complex, degrees: float) -> complex:
    """A point turned around the origin, clockwise as seen on the board."""
    return point * cmath.rect(1, math.radians(degrees))


def _text(code: str, kind: str, name: Lettering, line: str, place: str) -> str:
    size = f'font-size="{name.size:g}"'
    return f'<text class="name {kind}" data-province="{code}" {place} {size}>{escape(line)}</text>'


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"
