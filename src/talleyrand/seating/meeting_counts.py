"""What the games so far amount to: who has met whom, who has played what, who was whose neighbour."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from .seating_request import Pair, PastGame, SeatingHistory, SoftRules, pair


@dataclass(frozen=True)
class MeetingCounts:
    """Counts by pair of people, and by person."""

    met: Counter[Pair]
    beside: Counter[Pair]
    played: Counter[tuple[int, str]]  # a person and a power
    spheres: Counter[tuple[int, str]]  # a person and a part of the map


def count_meetings(past: SeatingHistory, wishes: SoftRules) -> MeetingCounts:
    """Count what was before."""
    counted = MeetingCounts(Counter(past.met), Counter(), Counter(), Counter())
    for game in past.games:
        _count(game, counted, wishes)
    return counted


def _count(game: PastGame, counted: MeetingCounts, wishes: SoftRules) -> None:
    for (power, person), (other_power, other) in combinations(sorted(game.seats.items()), 2):
        counted.met[pair(person, other)] += 1
        if (power, other_power) in wishes.neighbours:
            counted.beside[pair(person, other)] += 1
    if game.counts_powers:
        counted.played.update((person, power) for power, person in game.seats.items())
        counted.spheres.update(
            (person, wishes.spheres[power]) for power, person in game.seats.items() if power in wishes.spheres
        )
