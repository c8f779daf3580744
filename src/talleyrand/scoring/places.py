"""Who comes where, with everybody who shares a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby


@dataclass(frozen=True)
class Place:
    """A place from 1 on, and how many share it and those that follow."""

    first: int
    shared: int


def places(ranks: Mapping[str, tuple[int, ...]]) -> dict[str, Place]:
    """The place of each power; the greatest rank comes first, equal ones share."""
    found: dict[str, Place] = {}
    ordered = sorted(ranks, key=lambda power: ranks[power], reverse=True)
    for _, group in groupby(ordered, key=lambda power: ranks[power]):
        tied = list(group)
        found |= dict.fromkeys(tied, Place(len(found) + 1, len(tied)))
    return found


def split(points: Sequence[Fraction], place: Place) -> Fraction:
    """The mean of the points of all shared places."""
    return _sum(points, place) / place.shared


def lower(points: Sequence[Fraction], place: Place) -> Fraction:
    """The points of the last of the shared places."""
    return _at(points, place.first + place.shared - 1)


TIES: Mapping[str, Callable[[Sequence[Fraction], Place], Fraction]] = {"split": split, "lower": lower}


def _sum(points: Sequence[Fraction], place: Place) -> Fraction:
    return sum((_at(points, at) for at in _span(place)), Fraction(0))


def _span(place: Place) -> Iterable[int]:
    return range(place.first, place.first + place.shared)


def _at(points: Sequence[Fraction], place: int) -> Fraction:
    return points[place - 1] if place <= len(points) else Fraction(0)
