"""Invented events: who comes, who leaves, who walks in; and what a draw is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb
from random import Random

from talleyrand.seating import (
    EventPlan,
    HardRule,
    PastGame,
    RoundDraw,
    SeatingHistory,
    SeatingRequest,
    Seats,
    draw,
)

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def boards(*sizes: int) -> dict[int, tuple[str, ...]]:
    """Boards from 1 on; a board of six has no Turkey."""
    return {number: POWERS[:size] for number, size in enumerate(sizes, 1)}


def request(people: int, *rules: HardRule, sizes: tuple[int, ...] = (), seed: str = "") -> SeatingRequest:
    """A first round of so many people, on boards of seven if nothing else is said."""
    asked = boards(*(sizes or (7,) * (people // 7)))
    return SeatingRequest(asked, tuple(range(1, people + 1)), seed, hard_rules=rules)


def past(*drawn: RoundDraw) -> SeatingHistory:
    """What was drawn before."""
    return SeatingHistory(tuple(PastGame(given) for one in drawn for given in one.seats.values()))


def repeats(rounds: Iterator[Seats] | tuple[Seats, ...]) -> Counter[tuple[int, int]]:
    """How often each pair meets, counted anew."""
    tables = [sorted(given.values()) for one in rounds for given in one.values()]
    return Counter(two for people in tables for two in combinations(people, 2))


def whole(plan: EventPlan, people: int, sizes: Mapping[int, int]) -> bool:
    """Whether each round seats everybody once who does not rest, on boards of these sizes."""
    everybody = set(range(1, people + 1))
    return all(
        sorted(person for given in one.values() for person in given.values()) == sorted(everybody - set(rest))
        and {board: len(given) for board, given in one.items()} == sizes
        for one, rest in zip(plan.rounds, plan.resting, strict=True)
    )


def weekend(seed: int) -> Iterator[RoundDraw]:
    """Three or four rounds: some stay away now and then, some walk in; who is too many stands down."""
    chance = Random(seed)
    registered = chance.choice((17, 24, 31, 45, 60, 80, 110))
    people, drawn = list(range(registered)), list[RoundDraw]()
    for number in range(chance.choice((3, 4))):
        people += range(len(people), len(people) + chance.randrange(3))
        present = [person for person in people if chance.random() < 0.9]
        playing = present[: len(present) // 7 * 7]
        asked = SeatingRequest(
            boards(*[7] * (len(playing) // 7)), tuple(playing), f"{seed} {number}", past(*drawn)
        )
        drawn.append(draw(asked))
        yield drawn[-1]


def quality(rounds: tuple[Seats, ...]) -> tuple[int, int]:
    """Repeats of pairs, and how often the pair meets that meets most."""
    met = repeats(rounds)
    return sum(comb(times, 2) for times in met.values()), max(met.values())
