"""Find places for units, codes and centres: writes `maps/<name>/anchors.toml`, to be edited by hand.

python maps/place_anchors.py NAME

For boards of many small provinces. Rows with `fixed = true` are kept when it is written again.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from compile_map import MAPS, VARIANTS, shapes_of, variant_of
from numpy.typing import NDArray
from place_names import Mask, filled
from projection import projector
from shapes import TENTHS, Shape

Numbers = NDArray[np.float64]
FAR = 60  # board units: deeper inland than this makes no difference
SCALE = 0.65
UNIT, CENTRE, BESIDE = 13.0 * SCALE, 4.0 * SCALE, 17.0 * SCALE
SIZES = (7.5, 6.9, 6.3, 5.7, 5.1, 4.6, 4.1, 3.6)
LETTERS = (1.05, 0.45)  # half the width and height of a code, in font sizes


def main(name: str) -> None:
    """Place everything on a board."""
    folder = MAPS / name
    shapes, provinces, extent, board = shapes_of(name)
    path, places = folder / board["anchors"], _places(name, board)
    kept = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    outlines, seas = {shape.code: shape for shape in shapes}, _waters(name)
    rows = {code: row for code, row in kept.items() if row.get("fixed")}
    for shape in sorted((s for s in shapes if s.code in provinces), key=lambda s: s.code):
        facts = provinces[shape.code]
        if shape.code not in rows:
            place, centre = places.get(shape.code), bool(facts.get("centre"))
            rows[shape.code] = _anchors(shape, extent, place, centre) | _repeat(
                shape, extent, board.get("turn")
            )
        for coast in facts.get("coasts", []):
            waters = [outlines[code] for code in seas[f"{shape.code}/{coast}"]]
            rows.setdefault(f"{shape.code}/{coast}", _coast(shape, extent, waters))
    for code in sorted(set(rows) - set(kept)):
        print(f"{code}: new", file=sys.stderr)
    lines = [f"{_key(code)} = {{ {_cells(row)} }}" for code, row in sorted(rows.items())]
    path.write_text("\n".join([HEAD, *lines]) + "\n", "utf-8")


HEAD = """\
# Places in board units, found by maps/place_anchors.py and mended by hand; `fixed = true` keeps a row.
# `repeat`: where the unit is drawn once more, at the other edge of the map."""


def _places(name: str, board: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Where the geometry says that a province has its middle, on the board."""
    place = projector(board["projection"])
    features = json.loads((MAPS / name / board["geometry"]).read_text("utf-8"))["features"]
    found = {feature["id"]: feature["properties"].get("place") for feature in features}
    return {code: place(*at) for code, at in found.items() if at}


def _anchors(
    shape: Shape, extent: tuple[int, int], place: tuple[float, float] | None, centre: bool
) -> dict[str, Any]:
    left, top, mask = _cells_of(shape, extent)
    deep = depth(mask)
    rows, columns = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
    away = np.hypot(columns + left - place[0], rows + top - place[1]) if place else 0 * deep
    unit = _peak(np.minimum(deep, UNIT + 4) * 3 - np.minimum(away, 400) * 0.02)
    out = {"unit": unit}
    apart = np.hypot(columns - unit[0], (rows - unit[1]) * 1.2)
    size, label = _code(mask, deep, apart, unit)
    out["label"] = [*label, size]
    if centre:
        clear = _clear(columns, rows, out["label"])
        fit = (
            np.minimum(deep, CENTRE) * 4
            + np.minimum(apart, UNIT + CENTRE) * 3
            + np.minimum(clear, 2)
            - away * 0.05
        )
        out["centre"] = _peak(np.where(mask & (apart > UNIT + CENTRE), fit, -1e9))
    beside = np.minimum(deep, 6) - np.abs(apart - BESIDE) * 2
    if centre:
        beside += np.minimum(np.hypot(columns - out["centre"][0], rows - out["centre"][1]), 8) * 0.5
    out["retreat"] = _peak(np.where(mask, beside, -1e9))
    return {mark: [at[0] + left, at[1] + top, *at[2:]] for mark, at in out.items()}


def _repeat(shape: Shape, extent: tuple[int, int], turn: int | None) -> dict[str, Any]:
    """Where the unit stands once more, if the other edge of the map shows enough of the province."""
    left, top, mask = _cells_of(shape, extent)
    if not turn or mask.shape[1] < turn:
        return {}
    deep = depth(mask)
    rim = (extent[0] - turn) + UNIT
    columns = np.broadcast_to(np.arange(mask.shape[1]) + left, mask.shape)
    rims = (np.where(columns < rim, deep, 0), np.where(columns > extent[0] - rim, deep, 0))
    less = min(rims, key=lambda cells: float(cells.sum()))
    if less.max() < UNIT:
        return {}
    x, y = _peak(less)
    return {"repeat": [x + left, y + top]}


def _code(mask: Mask, deep: Numbers, apart: Numbers, unit: list[float]) -> tuple[float, list[float]]:
    """The largest size at which the code finds room, near the unit; else right under it."""
    rows, columns = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
    for size in SIZES:
        wide, high = LETTERS[0] * size, LETTERS[1] * size
        free = mask & ~((np.abs(columns - unit[0]) < wide + 8) & (np.abs(rows - unit[1]) < high + 6.5))
        for across in np.linspace(-wide, wide, 7):
            for down in (-high, 0, high):
                free &= _shifted(mask, round(float(across)), round(float(down)))
        if free.any():
            return size, _peak(np.where(free, np.minimum(deep, 8) - apart * 0.5, -1e9))
    return SIZES[-1], [unit[0], min(unit[1] + 9.5, mask.shape[0] - 1)]


def _clear(columns: NDArray[np.int64], rows: NDArray[np.int64], label: list[float]) -> Numbers:
    """The distance to a code."""
    x, y, size = label
    across = np.clip(np.abs(columns - x) - LETTERS[0] * size - CENTRE, 0, None)
    down = np.clip(np.abs(rows - y) - LETTERS[1] * size - CENTRE, 0, None)
    return np.asarray(np.hypot(across, down))


def _waters(name: str) -> dict[str, list[str]]:
    """The seas that each coast of its own touches."""
    table = tomllib.loads((VARIANTS / variant_of(name) / "variant.toml").read_text("utf-8"))
    found: dict[str, list[str]] = defaultdict(list)
    for pair in table["adjacency"]["sea"]:
        for place, other in (pair, pair[::-1]):
            if table["provinces"].get(other, {}).get("kind") == "sea":
                found[place].append(other)
    return found


def _coast(shape: Shape, extent: tuple[int, int], waters: Sequence[Shape]) -> dict[str, Any]:
    """The place of a fleet on a coast of its own: as near to its waters as it has room."""
    left, top, mask = _cells_of(shape, extent)
    deep = depth(mask)
    near = np.full(mask.shape, 1e9)
    rows, columns = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
    for x, y in (point for water in waters for ring in water.rings for point in ring):
        across, down = x / TENTHS - left, y / TENTHS - top
        if -1 < across < mask.shape[1] and -1 < down < mask.shape[0]:
            near = np.minimum(near, np.hypot(columns - across, rows - down))
    unit = _peak(np.where(mask, np.minimum(deep, UNIT * 0.6) * 4 - near, -1e9))
    apart = np.hypot(columns - unit[0], rows - unit[1])
    beside = _peak(np.where(mask, np.minimum(deep, 4) - np.abs(apart - BESIDE) * 2, -1e9))
    return {"unit": [unit[0] + left, unit[1] + top], "retreat": [beside[0] + left, beside[1] + top]}


def _cells_of(shape: Shape, extent: tuple[int, int]) -> tuple[int, int, Mask]:
    xs = [min(max(x // TENTHS, 0), extent[0]) for ring in shape.rings for x, _ in ring]
    ys = [min(max(y // TENTHS, 0), extent[1]) for ring in shape.rings for _, y in ring]
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    return left, top, filled(shape.rings, left, top, (high, wide))


def depth(mask: Mask) -> Numbers:
    """How far each cell is from the edge, by peeling rims off in turns of four and eight neighbours."""
    found, left = np.zeros(mask.shape), np.pad(mask, 1)[1:-1, 1:-1]
    for ring in range(FAR):
        if not left.any():
            break
        found += left
        steps = [(0, 1), (0, -1), (1, 0), (-1, 0)] + (
            [(1, 1), (1, -1), (-1, 1), (-1, -1)] if ring % 2 else []
        )
        for across, down in steps:
            left = left & _shifted(left, across, down)
    return found


def _shifted(mask: Mask, across: int, down: int) -> Mask:
    """The mask as seen from cells that far away; false beyond its edge."""
    reach = max(abs(across), abs(down))
    padded = np.pad(mask, reach)
    return np.asarray(
        padded[reach + down : reach + down + mask.shape[0], reach + across : reach + across + mask.shape[1]]
    )


def _peak(worth: Numbers) -> list[float]:
    y, x = np.unravel_index(int(np.argmax(worth)), worth.shape)
    return [float(x), float(y)]


def _key(code: str) -> str:
    return f'"{code}"' if "/" in code else code


def _cells(row: dict[str, Any]) -> str:
    cells = {mark: f"[{', '.join(f'{n:g}' for n in at)}]" for mark, at in row.items() if mark != "fixed"}
    cells |= {"fixed": "true"} if row.get("fixed") else {}
    return ", ".join(f"{mark} = {cell}" for mark, cell in cells.items())


if __name__ == "__main__":
    main(*sys.argv[1:])
