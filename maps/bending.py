"""A board bent smoothly: where each of its points lies on another sheet.

A bend is a net of points over a board, each with its place on the sheet; between them a Catmull-Rom
surface runs. `find_bend.py` finds the nets and writes them into the folder of the sheet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

Place = tuple[float, float]
LONGEST = 5.0  # board units: a longer line between two points is bent in parts


@dataclass(frozen=True)
class Bend:
    """`board` and `sheet` are widths and heights; `net` the places on the sheet, row by row from the top.

    `left` is where the net begins on the board; one that is `around` the globe goes on at its other edge.
    """

    board: Place
    sheet: Place
    net: Sequence[Sequence[Place]]
    left: float = 0.0
    around: bool = False

    def place(self, x: float, y: float) -> Place:
        """The place on the sheet of a point of the board; what lies beyond the board keeps its distance."""
        inside_x = (x - self.left) % self.board[0]
        if not self.around:
            inside_x = min(max(x - self.left, 0.0), self.board[0])
        inside_y = min(max(y, 0.0), self.board[1])
        columns, rows = len(self.net[0]) - 1, len(self.net) - 1
        column, across = _cell(inside_x / self.board[0] * columns, columns)
        row, down = _cell(inside_y / self.board[1] * rows, rows)
        found_x = found_y = 0.0
        for j, high in enumerate(_weights(down)):
            for i, wide in enumerate(_weights(across)):
                at_x, at_y = self._edged[row + j][column + i]
                found_x += at_x * wide * high
                found_y += at_y * wide * high
        beyond_x = (x - self.left - inside_x) * self.sheet[0] / self.board[0]
        beyond_y = (y - inside_y) * self.sheet[1] / self.board[1]
        return found_x + beyond_x, found_y + beyond_y

    @cached_property
    def _edged(self) -> list[list[Place]]:
        """The net with one more row and column on each side, where it would go on."""
        wide = self.sheet[0]
        rows = [
            [(row[-2][0] - wide, row[-2][1]), *row, (row[1][0] + wide, row[1][1])]
            if self.around
            else [_mirrored(row[1], row[0]), *row, _mirrored(row[-2], row[-1])]
            for row in self.net
        ]
        first = [_mirrored(b, a) for a, b in zip(rows[0], rows[1], strict=True)]
        last = [_mirrored(b, a) for a, b in zip(rows[-1], rows[-2], strict=True)]
        return [first, *rows, last]


def read_bend(path: Path, board: Place, sheet: Place, left: float, around: bool) -> Bend:
    """The bend of a file of `find_bend.py`: rows of x and y in turn, in hundredths of a unit of the sheet."""
    rows = json.loads(path.read_text("utf-8"))
    net = [[(x / 100, y / 100) for x, y in zip(row[::2], row[1::2], strict=True)] for row in rows]
    return Bend(board, sheet, net, left, around)


def parted(line: Sequence[Place]) -> Iterator[Place]:
    """The points of a line, and between far ones more: the same whichever way it is followed."""
    for a, b in pairwise(line):
        yield a
        (ax, ay), (bx, by) = min(a, b), max(a, b)
        parts = int(max(abs(bx - ax), abs(by - ay)) / LONGEST) + 1
        between = [(ax + (bx - ax) * n / parts, ay + (by - ay) * n / parts) for n in range(1, parts)]
        yield from between if a <= b else between[::-1]
    yield line[-1]


def _cell(along: float, cells: int) -> tuple[int, float]:
    cell = min(int(along), cells - 1)
    return cell, along - cell


def _weights(t: float) -> Place | tuple[float, ...]:
    """What the four points around a place count on a Catmull-Rom curve."""
    return (
        ((-t + 2) * t - 1) * t / 2,
        ((3 * t - 5) * t * t + 2) / 2,
        ((-3 * t + 4) * t + 1) * t / 2,
        (t - 1) * t * t / 2,
    )


def _mirrored(inner: Place, edge: Place) -> Place:
    return 2 * edge[0] - inner[0], 2 * edge[1] - inner[1]
