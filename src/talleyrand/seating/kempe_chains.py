"""Powers that change hands between team mates and boards at once, where one board alone has no other way.

Two powers change places along a chain: whoever holds one of them and shares a board or a team with somebody
of the chain is in it too. So no board and no team has a power twice afterwards if none had before (Kempe).
"""

from __future__ import annotations

from .power_allocation import SeatedPowers
from .seeded_random import SeededRandom

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
            dear = [place for place in everywhere if self._price(place) > 0]
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

    def _price(self, place: int) -> int:
        return self.problem.power_cost[place][self.assignment.power[place]]

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
