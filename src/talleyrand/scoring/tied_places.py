"""Who comes where, with everybody who shares a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby


@dataclass(frozen=True)
class TiedPlace:
    """A place from 1 on, and how many share it and those that follow."""

    first: int
    shared: int


def rank_with_ties(ranks: Mapping[str, tuple[int, ...]]) -> dict[str, TiedPlace]:
    """The place of each power; the greatest rank comes first, equal ones share."""
    found: dict[str, TiedPlace] = {}
    ordered = sorted(ranks, key=lambda power: ranks[power], reverse=True)
    for _, group in groupby(ordered, key=lambda power: ranks[power]):
        tied = list(group)
        found |= dict.fromkeys(tied, TiedPlace(len(found) + 1, len(tied)))
    return found


def split_points(points: Sequence[Fraction], place: TiedPlace) -> Fraction:
    """The mean of the points of all shared places."""
    return sum((_points_at(points, at) for at in _span(place)), Fraction(0)) / place.shared


def lowest_points(points: Sequence[Fraction], place: TiedPlace) -> Fraction:
    """The points of the last of the shared places."""
    return _points_at(points, place.first + place.shared - 1)


TIE_RULES: Mapping[str, Callable[[Sequence[Fraction], TiedPlace], Fraction]] = {
    "split": split_points,
    "lower": lowest_points,
}


def _span(place: TiedPlace) -> Iterable[int]:
    return range(place.first, place.first + place.shared)


def _points_at(points: Sequence[Fraction], place: int) -> Fraction:
    return points[place - 1] if place <= len(points) else Fraction(0)
