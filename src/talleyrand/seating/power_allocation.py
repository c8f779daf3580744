"""Who plays what on all boards at once, where boards depend on each other by team mates and people on two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from .board_powers import NEVER, cheapest_powers
from .feasibility import MOST_STEPS, FeasibilitySearch, FeasibilityUndecided
from .seating_problem import SeatingProblem
from .seeded_random import SeededRandom

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
        joined = [board for board, places in enumerate(self.places) if self._joined(places)]
        for _ in range(ROUNDS):
            before = self.total
            for board in self.chance.shuffled(joined):
                self.assign_board(board)
            if self.total == before:
                return

    def _joined(self, places: Iterable[int]) -> bool:
        return any(self.problem.must_differ[place] for place in places)


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
