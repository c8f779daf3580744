"""Find the bend of a sheet: writes `maps/<name>/bend.json` (needs NumPy).

python maps/find_bend.py NAME

Every province gets room for a disc (`[bend] room`, `sea_room`, in units of the sheet) and a surface
(`surface`), in turns. The lands and seas flow until each has the surface it is asked for (Gastner, Seguy and
More, "Fast flow-based algorithm for creating density-equalizing map projections", PNAS 115, 2018); then every
small piece takes the nearest place that it has after turning and growing alone (Sorkine and Alexa,
"As-rigid-as-possible surface modeling", 2007). Where a step would fold the sheet, it is shortened.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from compile_map import MAPS, bent_sizes, board_of, shapes_of
from numpy.typing import NDArray
from place_names import Mask, filled, rim
from shapes import TENTHS, Ring
from thinning import thinned

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
NET = (75, 62)  # columns and rows of the net, unless `[bend] net` says other ones
FLOW_STEPS, TURNS = 24, 24
COARSE = 8.0  # tenths of a unit: what the outlines may be simplified by while rooms are measured
FLATTEST = 0.03  # the least surface of a piece, as a share of the median one
LEAST = 0.1  # and the one that it is given back when shapes are mended
MOST_TRIES = 60  # to move points without a fold
NEARER = 12  # steps towards the nearest net, each along a conjugate gradient


@dataclass(frozen=True)
class Pace:
    """How a sheet is bent, unless `[bend.pace]` says otherwise.

    `soft`: cells over which the flow is evened out in the first turn, in each fewer by `firmer`, to `firm`.
    """

    cell: float = 1.1  # units of the sheet
    soft: float = 9.0
    firmer: float = 1.0
    firm: float = 2.5
    thinnest: float = 0.35  # how little and how much one turn may ask of a place
    densest: float = 3.0
    growth: float = 1.5  # of the width of a province, at most, in a turn
    land: float = 0.9  # what is left of that of a land with room to spare, and of a sea
    sea: float = 0.9
    dead: float = 0.5  # what is out of play keeps so much of the surface that it had at the start
    rest: float = 0.3  # how much the shape of what is no land counts, that of land being 1
    rigid_steps: int = 4


@dataclass
class Turn:
    """How the sheet is: whose each cell is; of each surface its room and its size, in cells."""

    owner: Indices
    room: Numbers
    size: Numbers


class Sheet:
    """A board on its way to a sheet; `net` are the points of the net on the sheet, in cells."""

    def __init__(self, name: str) -> None:
        self.settings = board_of(name)[1]
        base = shapes_of(self.settings["bends"])
        self.board, frame = bent_sizes(name)
        coarse = COARSE * self.board[0] / frame[0]
        self.surfaces = thinned([shape for shape in base[0] if shape.kind != "lake"], coarse)
        self.kinds = np.array([shape.kind for shape in self.surfaces])
        self.pace = Pace(**self.settings["bend"].get("pace", {}))
        self.cell = self.pace.cell
        self.size = (round(frame[0] / self.cell), round(frame[1] / self.cell))
        columns, rows = self.settings["bend"].get("net", NET)
        self.rows, self.columns = (
            np.linspace(0, self.board[1], rows + 1),
            np.linspace(0, self.board[0], columns + 1),
        )
        self.left, self.around = self.settings["bend"].get("left", 0), "turn" in self.settings
        across = _stretched(self.columns, self.settings["bend"].get("across", []), self.size[0])
        down = _stretched(self.rows, self.settings["bend"].get("down", []), self.size[1])
        self.net: Numbers = np.stack(np.meshgrid(across, down), 2)

    @cached_property
    def pieces(self) -> Pieces:
        """The triangles of the net; their system is solved once."""
        return Pieces(self)

    def look(self) -> Turn:
        """Measure every surface where it is now."""
        owner = np.zeros(self.size[::-1], dtype=np.int64)
        room, size = np.zeros(len(self.surfaces)), np.zeros(len(self.surfaces))
        for number, shape in enumerate(self.surfaces):
            rings = [self._bent(ring) for ring in shape.rings]
            mask = filled(rings, 0, 0, self.size[::-1])
            owner[mask], size[number] = number, mask.sum()
            room[number] = _room(mask) if mask.any() else 0.0
        return Turn(owner, room, size)

    def _bent(self, ring: Ring) -> Ring:
        """A ring of the board where the net takes it, in tenths of a cell."""
        across, down = (np.array(ring) / TENTHS - (self.left, 0)).T
        turns = np.floor(across / self.board[0]) if self.around else np.zeros(len(across))
        across = across / self.board[0] - turns
        rows, columns, _ = self.net.shape
        at = np.stack([across * (columns - 1), down / self.board[1] * (rows - 1)], 1) + 0.5
        found = np.stack([_at(self.net[..., 0], at) + turns * self.size[0], _at(self.net[..., 1], at)], 1)
        return [(x, y) for x, y in (found * TENTHS).round().astype(int).tolist()]

    def step_towards(self, wanted: Numbers) -> None:
        """Move each point of the net as far to where it is wanted as nothing folds there."""
        if self.around:
            wanted[:, [0, -1], 1] = wanted[:, [0, -1], 1].mean(1, keepdims=True)
        share = np.ones(len(self.net.reshape(-1, 2)))
        for _ in range(MOST_TRIES):
            tried = self.net + (wanted - self.net) * share.reshape(*self.net.shape[:2], 1)
            folded = self.pieces.corners[self.pieces.surfaces_of(tried) < FLATTEST]
            if not len(folded):
                self.net = tried
                return
            share[folded.ravel()] *= 0.6
            if self.around:
                edges = share.reshape(self.net.shape[:2])[:, [0, -1]]
                share.reshape(self.net.shape[:2])[:, [0, -1]] = edges.min(1, keepdims=True)


class Pieces:
    """The triangles between the points of the net, and what keeps their shapes."""

    def __init__(self, sheet: Sheet) -> None:
        self.number: Indices = np.arange(sheet.net[..., 0].size).reshape(sheet.net.shape[:2])
        a, b, c, d = (
            part.ravel()
            for part in (
                self.number[:-1, :-1],
                self.number[:-1, 1:],
                self.number[1:, :-1],
                self.number[1:, 1:],
            )
        )
        self.corners = np.concatenate(
            [np.stack(corners, 1) for corners in ((a, b, c), (b, d, c), (a, b, d), (a, d, c))]
        )
        at = np.stack(np.meshgrid(sheet.columns, sheet.rows), 2).reshape(-1, 2)
        sides = np.stack(
            [
                at[self.corners[:, 1]] - at[self.corners[:, 0]],
                at[self.corners[:, 2]] - at[self.corners[:, 0]],
            ],
            2,
        )
        inner = np.linalg.inv(sides)
        self.slopes = np.stack([-inner.sum(1), inner[:, 0], inner[:, 1]], 1)
        self.weights = _shape_weights(sheet, at[self.corners].mean(1))
        self.cell = (sheet.columns[1], sheet.rows[1])
        step = sheet.net.shape[1]
        self.system = {down * step + right: np.zeros(len(at)) for down in (-1, 0, 1) for right in (-1, 0, 1)}
        for i, j in product(range(3), repeat=2):
            parts = (self.slopes[:, i] * self.slopes[:, j]).sum(1) * self.weights
            for away in self.system:
                here = self.corners[:, j] - self.corners[:, i] == away
                self.system[away] += np.bincount(self.corners[here, i], parts[here], len(at))

    def slopes_of(self, net: Numbers) -> Numbers:
        """How each piece is stretched and turned: a matrix each."""
        return np.asarray(np.einsum("tia,tid->tad", net.reshape(-1, 2)[self.corners], self.slopes))

    def surfaces_of(self, net: Numbers) -> Numbers:
        """The surface of each piece as a share of the median one; negative where the sheet folds."""
        found = np.linalg.det(self.slopes_of(net))
        return np.asarray(found / np.median(found))

    def rigid(self, net: Numbers, scales: Numbers) -> Numbers:
        """The net that is nearest to pieces turned and grown alone, each by its scale."""
        found = self.slopes_of(net)
        turn = np.stack([found[:, 0, 0] + found[:, 1, 1], found[:, 1, 0] - found[:, 0, 1]], 1)
        turn *= (scales / np.maximum(np.hypot(turn[:, 0], turn[:, 1]), 1e-9))[:, None]
        wanted = np.stack([turn[:, 0], -turn[:, 1], turn[:, 1], turn[:, 0]], 1).reshape(-1, 2, 2)
        edges = ((self.number[:, 0], self.number[:, -1]), (self.number[0], self.number[-1]))
        out = [
            self._nearest(net[..., axis].ravel(), wanted[:, axis], np.concatenate(edges[axis]), axis)
            for axis in (0, 1)
        ]
        return np.stack(out, 1).reshape(net.shape)

    def _eased(self, pulls: Numbers, axis: int) -> Numbers:
        """Places that would pull so, were all pieces equally stiff; held at the edges that the axis meets."""
        field: Numbers = pulls.reshape(self.number.shape).copy()
        first, last = (field[0], field[-1]) if axis == 0 else (field[:, 0], field[:, -1])
        first *= 2  # half as many pieces meet there
        last *= 2
        across, down = (-1, 1) if axis == 0 else (1, -1)
        field = np.concatenate([field, across * field[:, -2:0:-1]], 1)
        field = np.concatenate([field, down * field[-2:0:-1]], 0)
        waves: list[Numbers] = [2 - 2 * np.cos(2 * np.pi * np.fft.fftfreq(size)) for size in field.shape]
        stiff = np.add.outer(waves[0] / self.cell[1] ** 2, waves[1] / self.cell[0] ** 2)
        stiff[0, 0] = 1.0
        found: Numbers = np.real(np.fft.ifft2(np.fft.fft2(field) / stiff / 4))
        return np.asarray(found[: self.number.shape[0], : self.number.shape[1]]).ravel()

    def _pulled(self, places: Numbers) -> Numbers:
        """How places along one axis pull at each point of the net."""
        return sum((pulls * np.roll(places, -away) for away, pulls in self.system.items()), np.zeros(1))

    def _nearest(self, places: Numbers, wanted: Numbers, held: Indices, axis: int) -> Numbers:
        """The places along one axis whose slopes are nearest to those wanted; those held stay."""
        places, way, last = places.copy(), np.zeros(len(places)), np.inf
        pulls = (self.slopes * wanted[:, None]).sum(2) * self.weights[:, None]
        goal = np.bincount(self.corners.ravel(), pulls.ravel(), len(places))
        for _ in range(NEARER):
            rest = goal - self._pulled(places)
            rest[held] = 0.0
            eased = self._eased(rest, axis)
            now = float(rest @ eased)
            if now < 1e-9:
                break
            way = eased + (now / last) * way
            places += now / float(way @ self._pulled(way)) * way
            last = now
        return places


def find(name: str) -> None:
    """Find the bend of a sheet and write it."""
    sheet = Sheet(name)
    turn, pace = sheet.look(), sheet.pace
    dead = np.where(_in_play(sheet), 0.0, turn.size * pace.dead)
    for number in range(TURNS):
        density = _asked(sheet, turn, dead)[turn.owner] / np.maximum(turn.size, 1)[turn.owner]
        density = np.clip(density / density.mean(), pace.thinnest, pace.densest)
        soft = max(pace.firm, pace.soft - pace.firmer * number)
        sheet.step_towards(_flowed(sheet.net, density, soft))
        found = np.linalg.det(sheet.pieces.slopes_of(sheet.net))
        scales = np.sqrt(np.maximum(found, np.median(found) * LEAST))
        for _ in range(pace.rigid_steps):
            sheet.step_towards(sheet.pieces.rigid(sheet.net, scales))
        turn = sheet.look()
        lack = _lack(sheet, turn)
        worst = sheet.surfaces[int(lack.argmax())].code
        print(f"{number}: {(lack > 1).sum()} lack room, {worst} most: {lack.max():.2f}", file=sys.stderr)
        if number > 3 and lack.max() <= 1:
            break
    rows = (sheet.net * sheet.cell * 100).round().astype(int).reshape(len(sheet.net), -1)
    text = "[\n" + ",\n".join(json.dumps(row.tolist(), separators=(",", ":")) for row in rows) + "\n]\n"
    (MAPS / name / "bend.json").write_text(text, "utf-8")


def _in_play(sheet: Sheet) -> Mask:
    return np.isin(sheet.kinds, ["sea", "coastal", "inland"])


def _lack(sheet: Sheet, turn: Turn) -> Numbers:
    """How many times more room each province needs than it has; 0 for what is out of play."""
    asked = sheet.settings["bend"]
    room = np.where(sheet.kinds == "sea", asked["sea_room"], asked["room"]) / sheet.cell
    lack = np.maximum(
        room / np.maximum(turn.room, 2), np.sqrt(asked["surface"] / np.maximum(turn.size * sheet.cell**2, 20))
    )
    return np.where(_in_play(sheet), lack, 0.0)


def _asked(sheet: Sheet, turn: Turn, dead: Numbers) -> Numbers:
    """The surface that each shape is asked to have next."""
    lack = _lack(sheet, turn)
    least = np.where(sheet.kinds == "sea", sheet.pace.sea, sheet.pace.land)
    live = turn.size * np.clip(lack * 1.04, least, sheet.pace.growth) ** 1.5
    return np.where(lack > 0, live, np.clip(dead, turn.size * 0.7, turn.size * 1.2))


def _stretched(knots: Numbers, marks: Sequence[Sequence[float]], size: float) -> Numbers:
    """Knots of the board on the sheet, evenly or through marks: places of the board with shares of it."""
    ends = [(0.0, 0.0), *((at, share * size) for at, share in marks), (float(knots[-1]), size)]
    fine = np.linspace(knots[0], knots[-1], 1001)
    xs, ys = np.array(ends).T
    slopes = np.interp(fine, xs[:-1] + np.diff(xs) / 2, np.diff(ys) / np.diff(xs))
    run = np.concatenate([[0.0], np.cumsum((slopes[1:] + slopes[:-1]) / 2)])
    return np.asarray(np.interp(knots, fine, run / run[-1] * size))


def _room(mask: Mask) -> float:
    """The radius, in cells, of the largest disc inside."""
    rows, columns = np.nonzero(mask)
    inside = mask[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    edge = rim(inside)
    cells, rims = np.argwhere(inside & ~edge).astype(np.float32), np.argwhere(edge).astype(np.float32)
    cells, rims = cells[:: 1 + len(cells) // 3000], rims[:: 1 + len(rims) // 300]
    if not len(cells):
        return 1.0
    away = ((cells[:, None] - rims[None]) ** 2).sum(-1).min(1)
    return float(np.sqrt(away.max()))


def _shape_weights(sheet: Sheet, middles: Numbers) -> Numbers:
    """How much the shape of each piece counts: that of land more."""
    owner = np.full((sheet.board[1], sheet.board[0]), sheet.pace.rest)
    for shape in sheet.surfaces:
        if shape.kind in ("coastal", "inland"):
            owner[filled(shape.rings, sheet.left, 0, owner.shape)] = 1.0
    spots = middles[:, None] + np.random.default_rng(1).normal(0, 9, (16, 2))
    rows = np.clip(spots[..., 1].astype(int), 0, owner.shape[0] - 1)
    columns = np.clip(spots[..., 0].astype(int), 0, owner.shape[1] - 1)
    return np.asarray(owner[rows, columns].mean(1))


def _flowed(net: Numbers, density: Numbers, soft: float) -> Numbers:
    """The net after its points have flown from where it is dense to where it is thin, until all is even."""
    across, down, dense = _flux(density, soft)
    high, wide = density.shape
    mean = density.mean()
    dense = np.maximum(dense, 0.15 * mean)

    def speed(points: Numbers, time: float) -> Numbers:
        here = (1 - time) * _at(dense, points) + time * mean
        return np.stack([_at(across, points) / here, _at(down, points) / here], -1)

    for step in range(FLOW_STEPS):
        time = (step + 0.5) / FLOW_STEPS
        half = net + speed(net, time) / FLOW_STEPS / 2
        net = net + speed(half, time) / FLOW_STEPS
        net[:, 0, 0], net[:, -1, 0], net[0, :, 1], net[-1, :, 1] = 0, wide, 0, high
        net = np.clip(net, 0, (wide, high))
    return net


def _flux(density: Numbers, soft: float) -> tuple[Numbers, Numbers, Numbers]:
    """What flows across and down at each cell, nothing through the edges, and the density evened out."""
    high, wide = density.shape
    mean = density.mean()
    rest = density - mean
    waves = np.fft.rfft2(np.block([[rest, rest[:, ::-1]], [rest[::-1], rest[::-1, ::-1]]]))
    across = 2 * np.pi * np.fft.rfftfreq(2 * wide)[None, :]
    down = 2 * np.pi * np.fft.fftfreq(2 * high)[:, None]
    square = across**2 + down**2
    waves *= np.exp(-square * soft**2 / 2)
    square[0, 0] = 1

    def back(found: NDArray[np.complex128]) -> Numbers:
        return np.asarray(np.fft.irfft2(found, s=(2 * high, 2 * wide))[:high, :wide])

    return back(-1j * across * waves / square), back(-1j * down * waves / square), back(waves) + mean


def _at(field: Numbers, points: Numbers) -> Numbers:
    """A field of cells at points between them."""
    high, wide = field.shape
    x, y = np.clip(points[..., 0] - 0.5, 0, wide - 1.001), np.clip(points[..., 1] - 0.5, 0, high - 1.001)
    i, j = x.astype(int), y.astype(int)
    across, down = x - i, y - j
    above = field[j, i] * (1 - across) + field[j, i + 1] * across
    below = field[j + 1, i] * (1 - across) + field[j + 1, i + 1] * across
    return np.asarray(above * (1 - down) + below * down)


if __name__ == "__main__":
    find(*sys.argv[1:])
