"""How a hundred points are shared at the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

WHOLE = 100
Points = dict[str, Fraction]


def draw_size(centres: Mapping[str, int], winners: Collection[str]) -> Points:
    """All to the winner of a solo, or the same to each of those who share the victory.

    `centres`: at the end, by power; `winners`: those who share, at least one. Source: /rules/ II, the
    players with pieces on the board share equally.
    """
    each = Fraction(WHOLE, len(winners))
    return {power: each if power in winners else Fraction(0) for power in centres}


def sum_of_squares(centres: Mapping[str, int], winners: Collection[str]) -> Points:
    """All to the winner of a solo, otherwise by the square of one’s centres."""
    if len(winners) == 1:
        return draw_size(centres, winners)
    total = sum(held * held for held in centres.values())
    if not total:
        return draw_size(centres, winners)
    return {power: Fraction(WHOLE * held * held, total) for power, held in centres.items()}


SYSTEMS: Mapping[str, Callable[[Mapping[str, int], Collection[str]], Points]] = {
    "draw_size": draw_size,
    "squares": sum_of_squares,
}


def points(system: str, centres: Mapping[str, int], winners: Collection[str]) -> Points:
    """The points of each power by a system of SYSTEMS; raises KeyError for one that is unknown."""
    return SYSTEMS[system](centres, winners)
