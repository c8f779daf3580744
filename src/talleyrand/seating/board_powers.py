"""Who plays what on one board: the cheapest way, exactly.

Whatever is left to give out is a set of powers; the cheapest way to give it to those who still wait is
computed once for each of the 128 sets of seven. Neighbours depend on two people at once: there, that cost is
what the rest costs at least, and ways are searched one after the other, the most promising first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NEVER = 1 << 40


def least_costs_by_subset(prices: Sequence[Sequence[int]]) -> list[int]:
    """What it costs at least to give each set of powers (by its bits) to the last of those who wait."""
    count = len(prices)
    least = [NEVER] * (1 << count)
    least[0] = 0
    for some in range(1, 1 << count):
        row = prices[count - some.bit_count()]
        best = NEVER
        rest = some
        while rest:
            bit = rest & -rest
            rest ^= bit
            cost = row[bit.bit_length() - 1] + least[some ^ bit]
            best = min(best, cost)
        least[some] = best
    return least


class BoardPowerSearch:
    """The search of one board. `prices`: by person and power, NEVER where he may not; `beside`: by pairs."""

    def __init__(
        self,
        prices: Sequence[Sequence[int]],
        beside: Sequence[Sequence[int]] = (),
        near: Sequence[Sequence[bool]] = (),
    ) -> None:
        self.prices, self.beside, self.near = prices, beside, near
        self.least = least_costs_by_subset(prices)
        self.cost, self.best = NEVER, list[int]()

    def solve(self) -> tuple[int, list[int]]:
        """The least cost and the power of each person; NEVER and nothing where there is no way."""
        everything = (1 << len(self.prices)) - 1
        self._give([], everything, 0)
        return self.cost, self.best

    def _give(self, given: list[int], left: int, cost: int) -> None:
        if cost + self.least[left] >= self.cost:
            return
        if not left:
            self.cost, self.best = cost, list(given)
            return
        for total, power, now in self._ways(given, left, cost):
            if total >= self.cost:
                return
            self._give([*given, power], left ^ (1 << power), now)

    def _ways(self, given: list[int], left: int, cost: int) -> list[tuple[int, int, int]]:
        """What the next person may get: the least total, the power, the cost until then."""
        row, ways = self.prices[len(given)], []
        for power, price in enumerate(row):
            if left >> power & 1 and price < NEVER:
                now = cost + price + self._neighbours(given, power)
                ways.append((now + self.least[left ^ (1 << power)], power, now))
        return sorted(ways)

    def _neighbours(self, given: list[int], power: int) -> int:
        if not self.beside:
            return 0
        row, near = self.beside[len(given)], self.near[power]
        return sum(row[other] for other, its in enumerate(given) if near[its])


def cheapest_powers(
    people: Sequence[int],
    powers: Sequence[str],
    prices: Sequence[Mapping[str, int]],
    beside: Sequence[Sequence[int]] = (),
    near: Mapping[str, frozenset[str]] | None = None,
) -> tuple[int, dict[str, int]]:
    """The cheapest way to give powers to people, and its cost; NEVER where somebody would get none.

    `prices`: for each of them, of the powers he may get. Of equal ways the first counts: shuffle both lists.
    """
    rows = [[price.get(power, NEVER) for power in powers] for price in prices]
    maps = [[other in (near or {}).get(power, ()) for other in powers] for power in powers]
    counted = [[beside[one][other] for other in people] for one in people] if beside else ()
    if counted and not any(map(any, counted)):
        counted = ()
    cost, best = BoardPowerSearch(rows, counted, maps).solve()
    return cost, {powers[power]: person for person, power in zip(people, best, strict=False)}
