"""Find room for the names of a board: writes `maps/<name>/lettering.toml`, to be edited by hand afterwards.

python maps/place_names.py NAME

A name takes the largest size at which its line, straight, turned or bent, lies inside its province, clear
of units, centres and lakes. One without room is left out: its code is drawn. `[marks]` of the board may say
how small a name may be (`names`). `fixed = true` keeps a row.
"""

from __future__ import annotations

import math
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from compile_map import MAPS, VARIANTS, board_of, sheet_of, toml_key, variant_of
from lettering import LEADING, Lettering, bow, foot, turned, width
from numpy.typing import NDArray
from shapes import TENTHS, Point, Ring, Shape

Mask = NDArray[np.bool_]
SMALLEST = {"sea": 7.4, "coastal": 6.4, "inland": 6.4}
LARGEST = {"sea": (6.5, 0.045, 21.0), "land": (7.0, 0.045, 15.0)}  # base, for each unit of breadth, at most
CAPITALS_FROM = 9.2  # a land's name smaller than this is in small letters
TURNS = (0, -8, 8, -16, 16, -25, 25, -35, 35, -48, 48, -62, 62, -76, 76)
BENDS = (0.0, 0.06, -0.06, 0.12, -0.12)
SPREADS = {"sea": (0.3, 0.2, 0.12, 0.05), "land": (0.22, 0.14, 0.08, 0.03)}
MARGINS = (9, 6, 4, 2.5, 1.5)  # board units free around a name, the more the better
STEP = 3  # board units between the places tried
KEEP_OFF = {"unit": 12.5, "centre": 6.0}
LANGUAGES = ("fr", "en")


@dataclass(frozen=True)
class Room:
    """Where letters may lie in a province, at each margin; `left` and `top` is its corner on the board."""

    kind: str
    left: int
    top: int
    free: dict[float, Mask]
    large: float
    least: float
    middle: tuple[float, float]


def main(name: str) -> None:
    """Place the names of a board in both languages."""
    folder, rooms = MAPS / name, dict(_rooms(name))
    path = folder / "lettering.toml"
    kept = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    lines = [HEAD]
    for language in LANGUAGES:
        lines.append(f"\n[{language}]")
        said = _names(name, language)
        for code, room in sorted(rooms.items()):
            row = kept.get(language, {}).get(code)
            if row and row.get("fixed"):
                lines.append(_row(code, row))
            elif found := _best(room, said[code]):
                lines.append(_row(code, _facts(found)))
            else:
                print(f"{language} {code}: no room for {said[code]}", file=sys.stderr)
        lines += [_row(code, row) for code, row in kept.get(language, {}).items() if "/" in code]
    path.write_text("\n".join(lines) + "\n", "utf-8")


HEAD = """\
# Where the names stand, in board units: written by maps/place_names.py, to be edited by hand. `fixed = true`
# keeps a row when it is written again; `|` parts lines; the rest is told in maps/lettering.py."""


def _names(name: str, language: str) -> dict[str, str]:
    """How a map writes the names: without what stands in brackets."""
    table = tomllib.loads((VARIANTS / variant_of(name) / f"names.{language}.toml").read_text("utf-8"))[
        "provinces"
    ]
    said = {code: facts["name"].partition(" (")[0] for code, facts in table.items()}
    return {code: words[:1].upper() + words[1:] for code, words in said.items()}


def _rooms(name: str) -> Iterator[tuple[str, Room]]:
    shapes, kinds, anchors, frame = sheet_of(name)
    least = board_of(name)[1].get("marks", {}).get("names")
    lakes = [ring for shape in shapes if shape.kind == "lake" for ring in shape.rings]
    for shape in shapes:
        if shape.code in kinds:
            spots = [anchors[place] for place in anchors if place.split("/")[0] == shape.code]
            yield shape.code, _room(shape, lakes, spots, frame, least or SMALLEST[shape.kind])


def _room(
    shape: Shape, lakes: Sequence[Ring], spots: Sequence[dict[str, Any]], frame: Point, least: float
) -> Room:
    xs = [min(max(x // TENTHS, 0), frame[0]) for ring in shape.rings for x, _ in ring]
    ys = [min(max(y // TENTHS, 0), frame[1]) for ring in shape.rings for _, y in ring]
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    inside = filled(shape.rings, left, top, (high, wide)) & ~filled(lakes, left, top, (high, wide))
    rows, columns = np.mgrid[top : top + high, left : left + wide]
    for mark, radius in KEEP_OFF.items():
        for spot in spots:
            if mark in spot:
                inside &= np.hypot(columns - spot[mark][0], (rows - spot[mark][1]) * 1.15) > radius
    free = {margin: _shrunk(inside, margin) for margin in MARGINS}
    at = np.argwhere(free[MARGINS[-1]])
    middle = at.mean(axis=0) if len(at) else np.array([high / 2, wide / 2])
    base, growth, most = LARGEST["sea" if shape.kind == "sea" else "land"]
    large = max(least, min(most, base + growth * math.sqrt(int(inside.sum()))))
    return Room(shape.kind, left, top, free, large, least, (float(middle[1]), float(middle[0])))


def filled(rings: Iterable[Ring], left: int, top: int, size: tuple[int, int]) -> Mask:
    """The cells whose middle lies inside the rings, by the even-odd rule."""
    high, wide = size[0], size[1] + 1
    ends = [ends for ring in rings for ends in pairwise(ring)]
    a, b = np.array(ends or [((0, 0), (0, 0))], dtype=float).transpose(1, 2, 0)
    (ax, ay), (bx, by) = np.where(a[1] < b[1], (a, b), (b, a))
    first, last = (np.clip(np.ceil(y / TENTHS - top - 0.5), 0, high).astype(int) for y in (ay, by))
    counts = last - first
    line = np.repeat(np.arange(len(counts)), counts)
    rows = first[line] + np.arange(len(line)) - (np.cumsum(counts) - counts)[line]
    across = ax[line] + (bx - ax)[line] * ((rows + 0.5 + top) * TENTHS - ay[line]) / (by - ay)[line]
    columns = np.clip(np.ceil(across / TENTHS - left - 0.5), 0, size[1]).astype(int)
    crossed = np.bincount(rows * wide + columns, minlength=high * wide)
    return np.asarray(crossed.reshape(high, wide).cumsum(axis=1)[:, :-1] % 2 == 1)


def rim(mask: Mask) -> Mask:
    """The cells of the mask beside one that is not in it; those at the edge of the array among them."""
    inside = np.pad(mask, 1)
    return np.asarray(mask & ~(inside[:-2, 1:-1] & inside[2:, 1:-1] & inside[1:-1, :-2] & inside[1:-1, 2:]))


def _shrunk(mask: Mask, margin: float) -> Mask:
    """The cells whose surroundings are all in the mask."""
    reach = math.ceil(margin)
    padded = np.pad(mask, reach)
    out = mask.copy()
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            if math.hypot(down, across) <= margin:
                out &= padded[reach + down :, reach + across :][: mask.shape[0], : mask.shape[1]]
    return out


def _best(room: Room, said: str) -> Lettering | None:
    """The best way to write a name into a room."""
    large, least = room.large, room.least
    found = None
    if room.kind != "sea":
        found = _fitted(room, list(_broken(said.upper())), large, max(CAPITALS_FROM, least))
    return found or _fitted(room, list(_broken(said)), large, least)


def _broken(said: str) -> Iterator[tuple[str, ...]]:
    """A name on one line, then on two."""
    yield (said,)
    for at, letter in enumerate(said):
        if letter in " -" and 2 < at < len(said) - 3:
            yield said[: at + (letter == "-")], said[at + 1 :]


def _fitted(room: Room, ways: Sequence[tuple[str, ...]], large: float, least: float) -> Lettering | None:
    best: tuple[float, Lettering] | None = None
    for lines in ways:
        for turn in TURNS:
            for bend in BENDS if len(lines) == 1 else (0.0,):
                at_sea = room.kind == "sea"
                liking = 1 - abs(turn) / 130 - 0.06 * (len(lines) > 1) + 0.04 * (bend > 0 and at_sea)
                floor = max(least, best[0] / liking if best else 0)
                spread = SPREADS["sea" if room.kind == "sea" else "land"][-1]
                found = _largest(room, Lettering(lines, (0, 0), large, turn, bend, spread), floor)
                if found and (best is None or found.size * liking > best[0]):
                    best = found.size * liking, found
    return _loosened(room, best[1]) if best else None


def _largest(room: Room, name: Lettering, least: float) -> Lettering | None:
    size = name.size
    while size >= least:
        tried = replace(name, size=round(size, 1))
        if len(_spots(room, tried, MARGINS[-1])):
            return tried
        size *= 0.94
    return None


def _loosened(room: Room, name: Lettering) -> Lettering:
    """The same name with all the air and space between letters that there is room for."""
    for spread in SPREADS["sea" if room.kind == "sea" else "land"]:
        for margin in MARGINS[: -2 if spread > name.spread else None]:
            tried = replace(name, spread=spread)
            spots = _spots(room, tried, margin)
            if len(spots):
                away = np.hypot(spots[:, 0] - room.middle[0], spots[:, 1] - room.middle[1])
                x, y = spots[int(np.argmin(away))]
                return replace(tried, at=(float(x + room.left), float(y + room.top)))
    raise AssertionError(name)


def _spots(room: Room, name: Lettering, margin: float) -> NDArray[np.int64]:
    """The places, in cells, where the middle of a name may lie."""
    free = room.free[margin]
    rows, columns = np.nonzero(free[::STEP, ::STEP])
    xs, ys = columns * STEP, rows * STEP
    for point in _outline(name, room.kind):
        at_x, at_y = xs + round(point.real), ys + round(point.imag)
        inside = (at_x >= 0) & (at_y >= 0) & (at_x < free.shape[1]) & (at_y < free.shape[0])
        inside[inside] = free[at_y[inside], at_x[inside]]
        xs, ys = xs[inside], ys[inside]
        if not len(xs):
            break
    return np.stack([xs, ys], axis=1)


def _outline(name: Lettering, kind: str) -> list[complex]:
    """Points of the room that the letters take, around the middle; the far ones first."""
    points: list[complex] = []
    for number, line in enumerate(name.lines):
        whole = width(line, kind, name.spread) * name.size
        base = (number - (len(name.lines) - 1) / 2) * LEADING + foot(line)
        above, below = (0.64, 0.0) if line.isupper() else (0.72, 0.2)
        count = max(3, math.ceil(whole / 3))
        for step in range(count + 1):
            along = (step / count - 0.5) * whole
            heights = (high * name.size for high in (base - above, base - 0.3, base + below))
            points += [turned(_point(along, high, whole, name.bend), name.turn) for high in heights]
    return sorted(points, key=abs, reverse=True)


def _point(along: float, down: float, whole: float, bend: float) -> complex:
    if not bend:
        return complex(along, down)
    radius = bow(whole, bend)
    angle = along / radius
    return complex((radius - down) * math.sin(angle), radius - (radius - down) * math.cos(angle))


def _facts(name: Lettering) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "text": "|".join(name.lines),
        "at": [round(n) for n in name.at],
        "size": name.size,
    }
    return facts | {key: value for key in ("turn", "bend", "spread") if (value := getattr(name, key))}


def _row(code: str, facts: dict[str, Any]) -> str:
    cells = ", ".join(f"{key} = {_cell(value)}" for key, value in facts.items())
    return f"{toml_key(code)} = {{ {cells} }}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else f"{value}"


if __name__ == "__main__":
    main(*sys.argv[1:])
