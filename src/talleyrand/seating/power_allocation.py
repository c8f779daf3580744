"""Who plays what on all boards at once, where boards depend on each other by team mates and people on two.

One board is settled exactly. Whatever is left to give out is a set of powers; the cheapest way to give it to
those who still wait is computed once for each of the 128 sets of seven. Neighbours depend on two people at
once: there, that cost is what the rest costs at least, and ways are searched one after the other, the most
promising first.

Where one board alone has no other way, powers change hands between team mates and boards at once: two powers
change places along a chain, and whoever holds one of them and shares a board or a team with somebody of the
chain is in it too. So no board and no team has a power twice afterwards if none had before (Kempe).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from .feasibility import MOST_STEPS, FeasibilitySearch, FeasibilityUndecided
from .seating_problem import SeatingProblem
from .seeded_random import SeededRandom

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


TRIES, ROUNDS = 12, 8


class SeatedPowers:
    """The power of each place, board by board; a board is always the cheapest for what the others are."""

    def __init__(self, problem: SeatingProblem, board: Sequence[int], chance: SeededRandom) -> None:
        self.problem, self.chance = problem, chance
        self.places: list[list[int]] = [[] for _ in problem.boards]
        for place in chance.shuffled(range(len(board))):  # of equal ways the first counts
            self.places[board[place]].append(place)
        self.power: dict[int, str] = {}
        self.cost = [NEVER] * len(problem.boards)
        self.orders = [chance.shuffled(powers) for powers in problem.powers]

    @property
    def total(self) -> int:
        """What all powers cost; NEVER or more where some board has no way."""
        return sum(self.cost)

    def cheapest_powers(self, board: int, places: Sequence[int]) -> tuple[int, dict[str, int]]:
        """The cheapest powers of some places on a board, others' as they are."""
        prices = [self._prices(place) for place in places]
        return cheapest_powers(
            places, self.orders[board], prices, self.problem.neighbour_cost, self.problem.neighbouring_powers
        )

    def _prices(self, place: int) -> Mapping[str, int]:
        price, may = self.problem.power_cost[place], self.problem.allowed_powers[place]
        taken = {self.power[other] for other in self.problem.must_differ[place] if other in self.power}
        return {power: price[power] for power in price if power in may and power not in taken}

    def assign_board(self, board: int) -> bool:
        """Give a board its cheapest powers; tell whether there are any."""
        for place in self.places[board]:
            self.power.pop(place, None)
        cost, given = self.cheapest_powers(board, self.places[board])
        self.cost[board] = cost
        self.power.update((place, power) for power, place in given.items())
        return cost < NEVER

    def current_cost(self, board: int) -> int:
        """What the powers of a board cost as they are."""
        held, near, beside = self.power, self.problem.neighbouring_powers, self.problem.neighbour_cost
        places = self.places[board]
        cost = sum(self.problem.power_cost[place][held[place]] for place in places)
        if beside:
            pairs = combinations(places, 2)
            cost += sum(beside[one][other] for one, other in pairs if held[other] in near[held[one]])
        return cost

    def complete_from(self, given: Mapping[int, str]) -> None:
        """Begin with powers that keep the hard rules, and complete every board around them."""
        self.power = dict(given)
        for board, places in enumerate(self.places):
            held = {self.power[place]: place for place in places if place in self.power}
            rest = [place for place in places if place not in self.power]
            free = [power for power in self.orders[board] if power not in held]
            self.power.update(zip(rest, free, strict=True))
        for board in range(len(self.places)):
            self.assign_board(board)

    def improve(self) -> None:
        """Settle boards with team mates again until nothing gets cheaper."""
        differ = self.problem.must_differ
        joined = [board for board, places in enumerate(self.places) if any(differ[one] for one in places)]
        for _ in range(ROUNDS):
            before = self.total
            for board in self.chance.shuffled(joined):
                self.assign_board(board)
            if self.total == before:
                return


def assign_powers(problem: SeatingProblem, board: Sequence[int], chance: SeededRandom) -> SeatedPowers | None:
    """The cheapest powers that are found on these boards; None where none are that keep the hard rules."""
    tries = TRIES if any(problem.must_differ) else 1
    found = [each for each in (_tried(problem, board, chance) for _ in range(tries)) if each is not None]
    return min(found, key=lambda each: each.total) if found else _by_trial(problem, board, chance)


def _tried(problem: SeatingProblem, board: Sequence[int], chance: SeededRandom) -> SeatedPowers | None:
    """Settle one board after the other; one that is stuck comes first at the next go."""
    order = chance.shuffled(range(len(problem.boards)))
    for _ in range(ROUNDS):
        assignment = SeatedPowers(problem, board, chance)
        stuck = next((which for which in order if not assignment.assign_board(which)), None)
        if stuck is None:
            assignment.improve()
            return assignment
        order.remove(stuck)
        order.insert(0, stuck)
    return None


def _by_trial(problem: SeatingProblem, board: Sequence[int], chance: SeededRandom) -> SeatedPowers | None:
    try:
        given = FeasibilitySearch(problem, chance, MOST_STEPS[0]).powers(
            {place: board[place] for place in problem.constrained_places}
        )
    except FeasibilityUndecided:
        return None
    if given is None:
        return None
    assignment = SeatedPowers(problem, board, chance)
    assignment.complete_from(given)
    assignment.improve()
    return assignment


MOST_IN_VAIN = 4000  # chains tried since the last that made powers cheaper


class KempeChains:
    """The search of one assignment, which it changes."""

    def __init__(self, assignment: SeatedPowers, chance: SeededRandom) -> None:
        self.assignment, self.problem, self.chance = assignment, assignment.problem, chance
        self.board = {place: which for which, places in enumerate(assignment.places) for place in places}

    def run(self, goal: int) -> None:
        """Turn chains that make powers cheaper, or no dearer, until they cost no more than the goal.

        Every other chain begins anywhere: it may open the way for a place that has none.
        """
        in_vain, least, everywhere = 0, self.assignment.total, list(self.board)
        while self.assignment.total > goal and in_vain < MOST_IN_VAIN:
            cost, held = self.problem.power_cost, self.assignment.power
            dear = [place for place in everywhere if cost[place][held[place]] > 0]
            if not dear:
                return
            for place in (self.chance.choice(dear), self.chance.choice(everywhere)):
                in_vain += self._try_all(place)
            if self.assignment.total < least:
                in_vain, least = 0, self.assignment.total

    def _try_all(self, place: int) -> int:
        """Try every power of its board at a place; tell how many there are."""
        powers = self.chance.shuffled(self.problem.powers[self.board[place]])
        for power in powers:
            self._try(place, power)
        return len(powers)

    def _try(self, place: int, power: str) -> None:
        """Turn the chain by which a place gets a power, if that is allowed and not dearer."""
        held = self.assignment.power
        chain = self._chain(place, held[place], power)
        turned = {one: power if held[one] == held[place] else held[place] for one in chain}
        if not all(self._may(one, new) for one, new in turned.items()):
            return
        boards = {self.board[one] for one in chain}
        before = {one: held[one] for one in chain}
        cost = sum(self.assignment.cost[board] for board in boards)
        held.update(turned)
        costs = {board: self.assignment.current_cost(board) for board in boards}
        if sum(costs.values()) > cost:
            held.update(before)
        else:
            for board, new in costs.items():
                self.assignment.cost[board] = new

    def _may(self, place: int, power: str) -> bool:
        return power in self.problem.allowed_powers[place] and power in self.problem.powers[self.board[place]]

    def _chain(self, place: int, one: str, other: str) -> set[int]:
        chain, waiting = {place}, [place]
        held = self.assignment.power
        while waiting:
            last = waiting.pop()
            near = (*self.assignment.places[self.board[last]], *self.problem.must_differ[last])
            new = [mate for mate in near if mate not in chain and held[mate] in (one, other)]
            chain.update(new)
            waiting += new
        return chain
