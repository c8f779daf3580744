"""Swaps between boards that help company and powers taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .board_search import BoardArrangement
from .power_allocation import SeatedPowers
from .seeded_random import SeededRandom

MOST_TRIED, PARTNERS = 500, 12  # swaps tried in all; partners for a place that are looked at


class SwapImprovement:
    """Boards and powers as they are now, and how many swaps have been tried."""

    def __init__(self, arrangement: BoardArrangement, assignment: SeatedPowers, chance: SeededRandom) -> None:
        self.arrangement, self.assignment, self.chance = arrangement, assignment, chance
        self.tried = 0

    @property
    def cost(self) -> int:
        """What company and powers cost."""
        return self.arrangement.cost + self.assignment.total

    def run(self, goal: int) -> None:
        """Swap until nothing helps, the goal is reached, or enough has been tried."""
        while self.cost > goal and self.tried < MOST_TRIED:
            if not any(self._mended(place) for place in self._troubled()):
                return

    def _troubled(self) -> Iterator[int]:
        """Places on boards whose powers cost something, and those whose company does."""
        board, company = self.arrangement.board, self.arrangement.company_costs
        for place in self.chance.shuffled(range(len(board))):
            if self.assignment.cost[board[place]] > 0 or company[board[place]][place] > 0:
                yield place

    def _mended(self, one: int) -> bool:
        """Swap a place with the first of its cheapest partners that makes it all cheaper."""
        return any(self._try(one, other) for other in self._partners(one) if self.tried < MOST_TRIED)

    def _partners(self, one: int) -> Sequence[int]:
        now, cost = self.arrangement, self.assignment.cost
        here = cost[now.board[one]]
        changes = enumerate(now.swap_costs(one))
        able = [
            (change, other)
            for other, change in changes
            if now.may_swap(one, other) and change < here + cost[now.board[other]] + (change < 0)
        ]
        return [other for _, other in sorted(able)[:PARTNERS]]

    def _try(self, one: int, other: int) -> bool:
        """Swap two places if that makes it all cheaper; tell whether it does."""
        self.tried += 1
        now, powers = self.arrangement, self.assignment
        a, b, before = now.board[one], now.board[other], self.cost
        held, cost = dict(powers.power), list(powers.cost)
        self._swap(one, other)
        if self._settle(a, b) and self.cost < before:
            return True
        self._swap(other, one)
        powers.power, powers.cost = held, cost
        return False

    def _swap(self, one: int, other: int) -> None:
        now, places = self.arrangement, self.assignment.places
        a, b = now.board[one], now.board[other]
        places[a][places[a].index(one)] = other
        places[b][places[b].index(other)] = one
        now.swap(one, other)

    def _settle(self, a: int, b: int) -> bool:
        for place in (*self.assignment.places[a], *self.assignment.places[b]):
            self.assignment.power.pop(place, None)
        return self.assignment.assign_board(a) and self.assignment.assign_board(b)
