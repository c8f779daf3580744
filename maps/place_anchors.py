"""Find places for units, codes and centres: writes `maps/<name>/anchors.toml`, to be edited by hand.

python maps/place_anchors.py NAME

A unit, a code and a centre are placed together, so that each lies in the province and none on another.
`[marks]` of the board tells the size of symbols (`scale`) and of codes, the largest first (`codes`).
On a sheet that bends a board, things stand near where they stand on that board. Rows with `fixed = true` are
kept when it is written again.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from compile_map import MAPS, VARIANTS, bend_of, board_of, shapes_of, toml_key, variant_of
from numpy.typing import NDArray
from place_names import Mask, filled, rim
from projection import projector
from shapes import TENTHS, Ring, Shape

Numbers = NDArray[np.float64]
Spot = tuple[float, float]
Extent = tuple[int, int]
FAR = 60  # board units: deeper inland than this makes no difference
UNIT, BESIDE = 13.0, 17.0  # the reach of a unit and the way to one that is dislodged, at scale 1
LEAST_BESIDE = 11.0
UNIT_BOX = (13.5, 9.5)  # half the width and height of a unit, at scale 1
CENTRE = 4.6
LETTERS = (1.15, 0.48)  # half the width and height of a code, in font sizes
CLEAR = 1.2  # board units between two things, at scale 1
MOST_SPOTS, MOST_PAIRS = 500, 400


@dataclass(frozen=True)
class Marks:
    """How large things are on a board."""

    scale: float
    codes: Sequence[float]


@dataclass(frozen=True)
class Ground:
    """A province as cells of a board unit; `left` and `top` is its corner on the board."""

    left: int
    top: int
    mask: Mask

    @cached_property
    def deep(self) -> Numbers:
        """How far each cell is from the edge."""
        rows, columns = self.mask.shape
        down = np.where(rim(self.mask), 0.0, FAR)
        for row in range(1, rows):
            down[row] = np.minimum(down[row], down[row - 1] + 1)
        for row in range(rows - 2, -1, -1):
            down[row] = np.minimum(down[row], down[row + 1] + 1)
        squares = np.pad(down**2, ((0, 0), (FAR, FAR)), constant_values=FAR**2)
        found = np.full(self.mask.shape, float(FAR**2))
        for across in range(2 * FAR + 1):
            found = np.minimum(found, squares[:, across : across + columns] + (across - FAR) ** 2)
        return np.where(self.mask, np.sqrt(found), 0.0)

    @cached_property
    def _sums(self) -> NDArray[np.int64]:
        return np.pad(self.mask.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def share(self, spots: Numbers, wide: float, high: float) -> Numbers:
        """How much of a box around each spot lies in the province."""
        rows, columns = self.mask.shape

        def at(y: Numbers, x: Numbers) -> Numbers:
            return np.asarray(self._sums[np.clip(y, 0, rows).astype(int), np.clip(x, 0, columns).astype(int)])

        right, left = np.round(spots[:, 0] + wide + 0.5), np.round(spots[:, 0] - wide + 0.5)
        below, above = np.round(spots[:, 1] + high + 0.5), np.round(spots[:, 1] - high + 0.5)
        found = at(below, right) - at(above, right) - at(below, left) + at(above, left)
        return np.asarray(found / np.maximum((right - left) * (below - above), 1))

    def depth_at(self, spots: Numbers) -> Numbers:
        """How far each spot is from the edge."""
        return np.asarray(self.deep[spots[:, 1].astype(int), spots[:, 0].astype(int)])

    def spots(self, least: float = 0.0) -> Numbers:
        """So many cells, evenly spread, as x and y."""
        rows, columns = np.nonzero(self.mask & (self.deep >= min(least, float(self.deep.max()))))
        step = max(1, round((len(rows) / MOST_SPOTS) ** 0.5))
        kept = (rows % step == 0) & (columns % step == 0)
        kept = kept if kept.sum() > 8 else np.ones(len(rows), dtype=bool)
        return np.stack([columns[kept], rows[kept]], 1).astype(float)


def main(name: str) -> None:
    """Place everything on a board."""
    folder = MAPS / name
    shapes, provinces, extent, board = shapes_of(name)
    marks = Marks(board["marks"]["scale"], board["marks"]["codes"])
    path, places = folder / board["anchors"], _places(name, board)
    kept = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    outlines, seas = {shape.code: shape for shape in shapes}, _waters(name)
    lakes = [ring for shape in shapes if shape.kind == "lake" for ring in shape.rings]
    rows = {code: row for code, row in kept.items() if row.get("fixed")}
    for shape in sorted((s for s in shapes if s.code in provinces), key=lambda s: s.code):
        facts, ground = provinces[shape.code], _ground(shape, lakes, extent)
        coasts = {f"{shape.code}/{coast}" for coast in facts.get("coasts", [])}
        for coast in sorted(coasts - set(rows)):
            rows[coast] = _coast(
                ground, marks, [outlines[code] for code in seas[coast]], places.get(coast, {})
            )
        if shape.code not in rows:
            taken = [rows[coast]["unit"] for coast in sorted(coasts)]
            rows[shape.code] = _anchors(
                ground, marks, places.get(shape.code, {}), taken, bool(facts.get("centre"))
            )
            rows[shape.code] |= _repeat(ground, extent, board.get("turn"), marks)
    for code in sorted(set(rows) - set(kept)):
        print(f"{code}: new", file=sys.stderr)
    lines = [f"{toml_key(code)} = {{ {_cells(row)} }}" for code, row in sorted(rows.items())]
    path.write_text("\n".join([HEAD, *lines]) + "\n", "utf-8")


HEAD = """\
# Places in board units, found by maps/place_anchors.py and mended by hand; `fixed = true` keeps a row.
# `repeat`: where the unit is drawn once more, at the other edge of the map."""


def _places(name: str, board: dict[str, Any]) -> dict[str, dict[str, Spot]]:
    """Where things would best stand: as on the board that is bent, else in the middle that is told."""
    bend = bend_of(name)
    if bend:
        folder, base = board_of(board["bends"])
        table = tomllib.loads((folder / base["anchors"]).read_text("utf-8"))
        return {
            code: {mark: bend.place(*at[:2]) for mark, at in row.items() if mark in ("unit", "centre")}
            for code, row in table.items()
        }
    if "projection" not in board:
        return {}
    place = projector(board["projection"])
    features = json.loads((MAPS / name / board["geometry"]).read_text("utf-8"))["features"]
    found = {feature["id"]: feature["properties"].get("place") for feature in features}
    return {code: dict.fromkeys(("unit", "centre"), place(*at)) for code, at in found.items() if at}


def _anchors(
    ground: Ground, marks: Marks, liked: dict[str, Spot], taken: Sequence[Sequence[float]], centre: bool
) -> dict[str, Any]:
    """The best places of a unit, a code and a centre together; then that of a dislodged unit."""
    others = np.array([[x - ground.left, y - ground.top] for x, y in taken]).reshape(-1, 2)
    best: tuple[float, dict[str, Any]] = (-1e9, {})
    for size in marks.codes:
        for worth, unit, code in _pairs(ground, marks, size, liked.get("unit"), others):
            out, more = {"unit": unit, "label": [*code, size]}, 0.0
            if centre:
                more, out["centre"] = _centre(ground, marks, out, others, liked.get("centre"))
            if worth + more > best[0]:
                best = worth + more, out
        if best[0] > GOOD:
            break
    out = best[1] | {"retreat": _beside(ground, marks, best[1])}
    return {mark: [at[0] + ground.left, at[1] + ground.top, *at[2:]] for mark, at in out.items()}


GOOD = 7.9  # a unit and a code wholly in the province: smaller letters would not help


def _pairs(
    ground: Ground, marks: Marks, size: float, liked: Spot | None, others: Numbers
) -> Iterator[tuple[float, list[float], list[float]]]:
    """Places for a unit and a code, the best first, each with what it is worth."""
    wide, high = UNIT_BOX[0] * marks.scale, UNIT_BOX[1] * marks.scale
    across, down = LETTERS[0] * size, LETTERS[1] * size
    units, codes = ground.spots(6 * marks.scale), ground.spots()
    unit_worth = (
        4 * ground.share(units, wide, high)
        + 0.8 * np.minimum(ground.depth_at(units), UNIT * marks.scale) / UNIT
    )
    unit_worth -= 3 * (ground.depth_at(units) < 8.4 * marks.scale)
    if liked:
        away = np.hypot(units[:, 0] - liked[0] + ground.left, units[:, 1] - liked[1] + ground.top)
        unit_worth -= 0.004 * np.minimum(away, 60)
    code_worth = 4 * ground.share(codes, across, down) + 0.3 * np.minimum(ground.depth_at(codes), size) / size
    for other in others:
        code_worth -= 4 * _over(codes - other, wide + across, high + down)
    clear = CLEAR * marks.scale
    apart = codes[None] - units[:, None]
    hit = _over(apart, wide + across + clear, high + down + clear)
    worth = unit_worth[:, None] + code_worth[None] - 6 * hit - 0.006 * np.hypot(apart[..., 0], apart[..., 1])
    for at in np.argsort(worth, axis=None)[::-1][:MOST_PAIRS]:
        i, j = np.unravel_index(int(at), worth.shape)
        yield float(worth[i, j]), units[i].tolist(), codes[j].tolist()


def _over(apart: Numbers, wide: float, high: float) -> Mask:
    """Whether boxes so far apart lie on one another."""
    return np.asarray((np.abs(apart[..., 0]) < wide) & (np.abs(apart[..., 1]) < high))


def _centre(
    ground: Ground, marks: Marks, out: dict[str, Any], others: Numbers, liked: Spot | None
) -> tuple[float, list[float]]:
    """The best place of a centre beside a unit and a code, and what it is worth."""
    reach, spots = CENTRE * marks.scale, ground.spots()
    clear = reach + 0.3 * marks.scale
    deep = ground.depth_at(spots)
    worth = 1.5 * np.minimum(deep, reach) / reach - 4 * (deep < reach)
    worth -= 4 * _over(
        spots - out["unit"], UNIT_BOX[0] * marks.scale + clear, UNIT_BOX[1] * marks.scale + clear
    )
    for unit in (out["unit"], *others):
        worth -= 4 * (np.hypot(spots[:, 0] - unit[0], spots[:, 1] - unit[1]) < UNIT * marks.scale)
    x, y, size = out["label"]
    worth -= 4 * _over(spots - (x, y), LETTERS[0] * size + clear, LETTERS[1] * size + clear)
    if liked:
        away = np.hypot(spots[:, 0] - liked[0] + ground.left, spots[:, 1] - liked[1] + ground.top)
        worth -= 0.012 * np.minimum(away, 60)
    best = int(np.argmax(worth))
    return float(worth[best]), spots[best].tolist()


def _beside(ground: Ground, marks: Marks, out: dict[str, Any]) -> list[float]:
    """The place of a dislodged unit: beside the other, over the code if need be."""
    spots, way = ground.spots(), BESIDE * marks.scale
    apart = np.hypot(spots[:, 0] - out["unit"][0], (spots[:, 1] - out["unit"][1]) * 1.2)
    deep = ground.depth_at(spots)
    worth = np.minimum(deep, 6 * marks.scale) - np.abs(apart - way) * 2 - 40 * (deep < 5 * marks.scale)
    worth -= 60 * (np.hypot(*(spots - out["unit"]).T) < LEAST_BESIDE * marks.scale)
    if "centre" in out:
        gap = np.hypot(spots[:, 0] - out["centre"][0], spots[:, 1] - out["centre"][1])
        worth += np.minimum(gap, UNIT * marks.scale) * 0.5
    return [float(n) for n in spots[int(np.argmax(worth))]]


def _repeat(ground: Ground, extent: Extent, turn: int | None, marks: Marks) -> dict[str, Any]:
    """Where the unit stands once more, if the other edge of the map shows enough of the province."""
    if not turn or ground.mask.shape[1] < turn:
        return {}
    rim = (extent[0] - turn) + UNIT * marks.scale
    columns = np.broadcast_to(np.arange(ground.mask.shape[1]) + ground.left, ground.mask.shape)
    rims = (np.where(columns < rim, ground.deep, 0), np.where(columns > extent[0] - rim, ground.deep, 0))
    less = min(rims, key=lambda cells: float(cells.sum()))
    if less.max() < UNIT * marks.scale:
        return {}
    y, x = np.unravel_index(int(np.argmax(less)), less.shape)
    return {"repeat": [float(x) + ground.left, float(y) + ground.top]}


def _waters(name: str) -> dict[str, list[str]]:
    """The seas that each coast of its own touches."""
    table = tomllib.loads((VARIANTS / variant_of(name) / "variant.toml").read_text("utf-8"))
    found: dict[str, list[str]] = defaultdict(list)
    for pair in table["adjacency"]["sea"]:
        for place, other in (pair, pair[::-1]):
            if table["provinces"].get(other, {}).get("kind") == "sea":
                found[place].append(other)
    places = {
        f"{code}/{coast}" for code, row in table["provinces"].items() for coast in row.get("coasts", ())
    }
    dry = sorted(places - set(found))
    if dry:
        raise SystemExit(
            f"{name}: no sea borders on {', '.join(dry)}: write adjacency.sea in variant.toml first"
        )
    return found


def _coast(ground: Ground, marks: Marks, waters: Sequence[Shape], liked: dict[str, Spot]) -> dict[str, Any]:
    """The place of a fleet on a coast of its own: near to its waters and to where it is liked."""
    spots = ground.spots()
    shore = np.array([point for water in waters for ring in water.rings for point in ring]) / TENTHS
    shore -= (ground.left, ground.top)
    high, wide = ground.mask.shape
    shore = shore[(shore > (-2, -2)).all(1) & (shore < (wide + 2, high + 2)).all(1)]
    near = np.hypot(spots[:, None, 0] - shore[None, :, 0], spots[:, None, 1] - shore[None, :, 1]).min(1)
    deep = ground.depth_at(spots)
    worth = np.minimum(deep, UNIT * marks.scale * 0.7) * 4 - near - 60 * (deep < 8.5 * marks.scale)
    if "unit" in liked:
        x, y = liked["unit"]
        worth -= np.hypot(spots[:, 0] - x + ground.left, spots[:, 1] - y + ground.top)
    unit = spots[int(np.argmax(worth))].tolist()
    beside = _beside(ground, marks, {"unit": unit})
    return {
        "unit": [unit[0] + ground.left, unit[1] + ground.top],
        "retreat": [beside[0] + ground.left, beside[1] + ground.top],
    }


def _ground(shape: Shape, lakes: Sequence[Ring], extent: Extent) -> Ground:
    seen = [ring for ring in shape.rings if any(0 < x < extent[0] * TENTHS for x, _ in ring)]
    xs = [min(max(x // TENTHS, 0), extent[0]) for ring in seen for x, _ in ring]
    ys = [min(max(y // TENTHS, 0), extent[1]) for ring in seen for _, y in ring]
    left, top = min(xs), min(ys)
    size = (max(ys) - top + 1, max(xs) - left + 1)
    return Ground(left, top, filled(shape.rings, left, top, size) & ~filled(lakes, left, top, size))


def _cells(row: dict[str, Any]) -> str:
    cells = {mark: f"[{', '.join(f'{n:g}' for n in at)}]" for mark, at in row.items() if mark != "fixed"}
    cells |= {"fixed": "true"} if row.get("fixed") else {}
    return ", ".join(f"{mark} = {cell}" for mark, cell in cells.items())


if __name__ == "__main__":
    main(*sys.argv[1:])
