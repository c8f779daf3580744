"""Print the borders that a board's surfaces have, as the `[adjacency]` of `variant.toml`.

python maps/list_borders.py NAME

A first draft, to be compared with the sketch line by line: what touches for less than `SEEN` board units is
told apart, and a province with coasts of its own is written `CODE/?`. Needs Python alone, and no anchors.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations, pairwise

from borders import Segment, clip_line
from compile_map import shapes_of
from shapes import TENTHS, Point, Shape

SEEN = 4.0  # board units: check-variant calls a shorter border too short to see
Pair = tuple[str, str]


def main(name: str) -> None:
    """Print the borders of a board."""
    shapes, provinces, extent, _ = shapes_of(name)
    shared = _shared([shape for shape in shapes if shape.code in provinces], extent)
    long = {pair: lines for pair, lines in shared.items() if _length(lines) >= SEEN}
    waters = {code for code, facts in provinces.items() if facts["kind"] == "sea"}
    at_sea = {code: _points(lines for pair, lines in shared.items() if code in pair) for code in waters}
    land = [pair for pair in long if not waters & set(pair)]
    sea = [
        pair
        for pair, lines in long.items()
        if waters & set(pair) or any(_points([lines]) & points for points in at_sea.values())
    ]
    place = {code: f"{code}/?" if facts.get("coasts") else code for code, facts in provinces.items()}
    print("[adjacency]")
    _print("land", land, {code: code for code in provinces})
    _print("sea", sea, place)
    for pair in sorted(set(shared) - set(long)):
        print(f"# {' and '.join(pair)} touch for {_length(shared[pair]):.1f} units: longer, or apart?")


def _shared(shapes: Iterable[Shape], extent: Point) -> dict[Pair, set[Segment]]:
    """The segments that two surfaces share inside the frame."""
    frame = (extent[0] * TENTHS, extent[1] * TENTHS)
    owners: dict[Segment, set[str]] = defaultdict(set)
    for shape in shapes:
        for ring in shape.rings:
            for line in clip_line(ring, frame):
                for a, b in pairwise(line):
                    owners[min(a, b), max(a, b)].add(shape.code)
    found: dict[Pair, set[Segment]] = defaultdict(set)
    for segment, codes in owners.items():
        for pair in combinations(sorted(codes), 2):
            found[pair].add(segment)
    return found


def _length(lines: Iterable[Segment]) -> float:
    return sum(math.dist(a, b) for a, b in lines) / TENTHS


def _points(groups: Iterable[Iterable[Segment]]) -> set[Point]:
    return {point for lines in groups for segment in lines for point in segment}


def _print(title: str, pairs: Iterable[Pair], place: dict[str, str]) -> None:
    rows: dict[str, list[str]] = defaultdict(list)
    for a, b in sorted(pairs):
        rows[a].append(f'["{place[a]}", "{place[b]}"],')
    print(f"{title} = [", *(f"    {' '.join(rows[a])}" for a in rows), "]", sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
