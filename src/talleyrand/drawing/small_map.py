"""A map so small that it tells only who owns what: no names, units or borders, in two or three kilobytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from talleyrand.engine.board import Terrain
from talleyrand.engine.position import Position
from talleyrand.variants import Variant

from .base_map import centre_owners, load_base_map
from .map_style import css_variable
from .svg_markup import element

STEPS = 320  # in which the width of a board is told
NEAR = 2  # steps: a point of a coast that is nearer to the one before is left out
_TOKEN = re.compile(r"[MLlZz]|-?(?:\d+\.?\d*|\.\d+)")


def draw_small_map(variant: Variant, position: Position) -> str:
    """The board as SVG, each centre in its owner's colour; colours are variables, as in every drawing."""
    owners = centre_owners(position)
    _, _, wide, high = load_base_map(variant).box
    tall = round(high * STEPS / wide)
    ranks = {power: rank for rank, power in enumerate(variant.board.powers, 1)}
    areas: dict[str, list[str]] = {}
    for code, outline in _coarse_outlines(variant).items():
        power, province = owners.get(code, ""), variant.board.provinces[code]
        ground = css_variable("sea" if province.terrain == Terrain.SEA else "land")
        owned = css_variable(f"power-{ranks[power]}", variant.colours[power]) if power in ranks else ground
        areas.setdefault(owned, []).append(outline)
    paths = [element("path", fill=colour, stroke=colour, d="".join(some)) for colour, some in areas.items()]
    rest = element("rect", width=STEPS, height=tall, fill=css_variable("impassable"))
    facts = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {STEPS} {tall}"}
    return element("svg", rest, *paths, **facts)


@lru_cache(maxsize=16)
def _coarse_outlines(variant: Variant) -> dict[str, str]:
    """The outline of each province in whole steps."""
    drawn = load_base_map(variant)
    left, top, wide, _ = drawn.box
    scale = STEPS / wide
    return {
        code: "".join(_coarse(points, complex(left, top), scale) for points in _rings(outline))
        for code, outline in drawn.outlines.items()
        if code in variant.board.provinces
    }


def _rings(outline: str) -> Iterator[list[complex]]:
    """The points of each closed line of a path, which is written with M, L, l and z."""
    tokens = iter(_TOKEN.findall(outline))
    ring: list[complex] = []
    command = "M"
    for part in tokens:
        if part in "Zz":
            yield ring
            ring = []
        elif part.isalpha():
            command = part
        else:
            point = complex(float(part), float(next(tokens)))
            ring.append(point + ring[-1] if command == "l" and ring else point)


def _coarse(ring: list[complex], corner: complex, scale: float) -> str:
    kept: list[complex] = []
    for point in ring:
        at = (point - corner) * scale
        step = complex(round(at.real), round(at.imag))
        if not kept or abs(step - kept[-1]) >= NEAR:
            kept.append(step)
    if len(kept) < len("xyz"):  # an islet that nobody would see
        return ""
    ways = [f"M{kept[0].real:g} {kept[0].imag:g}l"]
    ways += [f"{(b - a).real:g} {(b - a).imag:g}" for a, b in pairwise(kept)]
    return " ".join(ways).replace("l ", "l").replace(" -", "-") + "z"
