"""Between two seasons of a league: who goes up a division, who goes down, who fills a place left free."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Generic, TypeVar

from talleyrand.engine import random_draws

from .standings import Standings

Who = TypeVar("Who")
LOT = "promotion"


def final_order(held: Standings, people: Sequence[int], seed: str) -> list[int]:
    """Those of a division, best first: by their place; people who share one, by a lot that anybody can draw
    again; whoever has played no game last.
    """
    places = {line.person: line.place for line in held.lines}
    shared: dict[int, list[int]] = {}
    for who in people:
        shared.setdefault(places.get(who, len(places) + 1), []).append(who)
    return [who for place in sorted(shared) for who in _by_lot(shared[place], place, seed)]


def _by_lot(people: Sequence[int], place: int, seed: str) -> list[int]:
    left, drawn = list(map(str, people)), list[str]()
    while left:
        drawn.append(random_draws.draw_one(seed, f"{LOT} {place} {len(drawn) + 1}", left))
        left.remove(drawn[-1])
    return list(map(int, drawn))


class _Division(Generic[Who]):
    """The next season of a division while it is made: those who stay, who came up, who came down."""

    def __init__(self, people: Sequence[Who]) -> None:
        self.stay, self.up, self.down = list(people), list[Who](), list[Who]()

    @property
    def count(self) -> int:
        return len(self.stay) + len(self.up) + len(self.down)

    def next_to_rise(self) -> Who | None:
        """The best of those who stay; without any, the best of those who would come down."""
        return next(iter([*self.stay, *self.down]), None)


def next_divisions(
    divisions: Sequence[Sequence[Who]], moving: int, sizes: Sequence[int] | None = None
) -> list[list[Who]]:
    """The divisions of the next season, the highest first, as those before ended, best first.

    The last `moving` of each go down and the first `moving` of the next come up, but no more than half of
    the smaller one. Where a division then has fewer than `sizes` says, the next ones below rise too, the best
    first; only where nobody else is left below do those rise again who came down.
    """
    found = [_Division(people) for people in divisions]
    for (upper, lower), (above, below) in zip(pairwise(found), pairwise(divisions), strict=True):
        count = min(moving, len(above) // 2, len(below) // 2)
        if count:
            lower.down, upper.stay = upper.stay[-count:], upper.stay[:-count]
            upper.up, lower.stay = lower.stay[:count], lower.stay[count:]
    for at, size in enumerate(sizes or ()):
        for lower in found[at + 1 :]:
            while found[at].count < size and (who := lower.next_to_rise()) is not None:
                (lower.stay if who in lower.stay else lower.down).remove(who)
                found[at].up.append(who)
    return [[*one.down, *one.stay, *one.up] for one in found]
