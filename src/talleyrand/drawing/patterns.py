"""A hatching for each power, for eyes and printers that do not tell colours apart."""

from __future__ import annotations

from collections.abc import Iterator

from .svg_markup import element

TILE_SIDE = 9
HATCHES = (
    "M-1 10L10 -1M-1 1L1 -1M8 10L10 8",  # rising
    "M-1 -1L10 10M8 -1L10 1M-1 8L1 10",  # falling
    "M0 4.5L9 4.5",  # level
    "M4.5 0L4.5 9",  # upright
    "M0 4.5L9 4.5M4.5 0L4.5 9",  # square net
    "M-1 10L10 -1M-1 -1L10 10",  # slanting net
    "M4 4.5A.8 .8 0 1 1 4 4.6Z",  # dots
    "M0 6Q2.25 1 4.5 6T9 6",  # waves
    "M0 7L4.5 2L9 7",  # roofs
    "M2 4.5L7 4.5M4.5 2L4.5 7",  # crosses
)
NEXT_SET_SCALE = 1.2  # for the next ten, where a board has as many powers


def hatch_patterns(powers: int) -> Iterator[str]:
    """The definitions of the hatchings of so many powers."""
    for rank in range(1, powers + 1):
        side = round(TILE_SIDE * NEXT_SET_SCALE ** ((rank - 1) // len(HATCHES)), 1)
        line = element("path", class_="thread", d=HATCHES[(rank - 1) % len(HATCHES)])
        facts = {"viewBox": f"0 0 {TILE_SIDE} {TILE_SIDE}", "patternUnits": "userSpaceOnUse"}
        yield element("pattern", line, id=f"board-hatch-{rank}", width=side, height=side, **facts)


def hatch_fill(rank: int) -> str:
    """The fill that hatches for the power of a rank."""
    return f"url(#board-hatch-{rank})"
