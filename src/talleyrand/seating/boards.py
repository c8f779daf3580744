"""Who sits with whom: places swap boards until no swap helps, and a little against that (a tabu search).

`company[board][place]` is what it costs the place to sit with those of the board; so a swap is priced by a
few look-ups, and what follows from it is a row of additions. Hard rules about pairs are costs too, so high
that the cheapest arrangement breaks none where one is found that breaks none.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from .chance import Chance
from .problem import Problem

HARD, NONE = 1 << 32, 1 << 62
TURNS, STARTS = 12_000, 4
SHORTEST, LONGEST = 1, 3  # turns for which a place does not go back, from the first to before the last


class Arrangement:
    """Places on boards, and what their company costs."""

    def __init__(self, problem: Problem, board: Sequence[int]) -> None:
        self.problem, self.board = problem, list(board)
        self.weight = [
            [cost + HARD * (other in apart) for other, cost in enumerate(row)]
            for row, apart in zip(problem.weight, problem.elsewhere, strict=True)
        ]
        self.doubled = [[2 * cost for cost in row] for row in self.weight]
        self.company = [self._company(which) for which in range(len(problem.boards))]
        self.cost = sum(self.company[which][place] for place, which in enumerate(self.board)) // 2

    def _company(self, which: int) -> list[int]:
        here = [place for place, on in enumerate(self.board) if on == which]
        return [sum(row[other] for other in here) for row in self.weight]

    def change(self, one: int, other: int) -> int:
        """What a swap of two places on different boards costs."""
        here, there = self.company[self.board[one]], self.company[self.board[other]]
        return there[one] - here[one] + here[other] - there[other] - 2 * self.weight[one][other]

    def changes(self, one: int) -> list[int]:
        """What a swap with each place costs; nothing that makes sense for those of the same board."""
        here = self.company[self.board[one]]
        there = [row[one] - here[one] for row in self.company]
        own = [self.company[which][place] for place, which in enumerate(self.board)]
        leaving = map(add, here, map(there.__getitem__, self.board))
        return list(map(sub, leaving, map(add, own, self.doubled[one])))

    def swap(self, one: int, other: int) -> None:
        """Swap two places."""
        self.cost += self.change(one, other)
        a, b = self.board[one], self.board[other]
        moved = list(map(sub, self.weight[other], self.weight[one]))
        self.company[a] = list(map(add, self.company[a], moved))
        self.company[b] = list(map(sub, self.company[b], moved))
        self.board[one], self.board[other] = b, a

    def may_swap(self, one: int, other: int) -> bool:
        """Whether two places are on two boards that are open to both."""
        a, b = self.board[one], self.board[other]
        return a != b and b in self.problem.allowed[one] and a in self.problem.allowed[other]


class Search:
    """One start of the search, until the goal is reached or the turns are over."""

    def __init__(self, start: Arrangement, chance: Chance, goal: int) -> None:
        self.now, self.chance, self.goal = start, chance, goal
        self.best, self.cost = list(start.board), start.cost
        self.back = [[0] * len(start.board) for _ in start.problem.boards]
        self.free = [place for place, open_ in enumerate(start.problem.allowed) if len(open_) > 1]
        self.drawn_to = {place for place in self.free if min(start.weight[place]) < 0}

    def run(self, turns: int) -> None:
        """Take so many turns at most; `best` and `cost` are what was found."""
        for turn in range(1, turns + 1):
            if self.cost <= self.goal or not self._turn(turn):
                return

    def _turn(self, turn: int) -> bool:
        """Move somebody whose company costs something to where it costs least; tell whether there is one."""
        now = self.now
        troubled = [
            place for place in self.free if now.company[now.board[place]][place] > 0 or place in self.drawn_to
        ]
        if not troubled:
            return False
        one = self.chance.one(troubled)
        other = self._partner(one, turn)
        if other is not None:
            self._swap(one, other, turn)
        return True

    def _partner(self, one: int, turn: int) -> int | None:
        """With whom a swap costs least, of those who have not been there just now, chance among equals."""
        now, board, back, allowed = self.now, self.now.board, self.back, self.now.problem.allowed
        least, equal, saving = NONE, list[int](), self.cost - now.cost
        a, open_ = board[one], allowed[one]
        leaving = back[a]
        for other, change in enumerate(now.changes(one)):
            if change > least:
                continue
            b = board[other]
            if b == a or b not in open_ or a not in allowed[other]:
                continue
            if change >= saving and (leaving[other] > turn or back[b][one] > turn):
                continue
            if change < least:
                least, equal = change, []
            equal.append(other)
        return self.chance.one(equal) if equal else None

    def _swap(self, one: int, other: int, turn: int) -> None:
        until = turn + SHORTEST + self.chance.below(LONGEST - SHORTEST)
        self.back[self.now.board[one]][one] = self.back[self.now.board[other]][other] = until
        self.now.swap(one, other)
        if self.now.cost < self.cost:
            self.best, self.cost = list(self.now.board), self.now.cost


def arranged(problem: Problem, start: Sequence[int], goal: int, chance: Chance) -> list[int]:
    """The board of each place: the best that several starts find, the first from `start`."""
    best, cost = list(start), Arrangement(problem, start).cost
    for attempt in range(STARTS):
        if cost <= goal:
            break
        board = list(start) if attempt == 0 else mixed(problem, best, chance)
        search = Search(Arrangement(problem, board), chance, goal)
        search.run(TURNS)
        if search.cost < cost:
            best, cost = search.best, search.cost
    return best


def mixed(problem: Problem, board: Sequence[int], chance: Chance) -> list[int]:
    """Another arrangement to begin from: those whom no rule binds change places."""
    bound_up = set(problem.bound_up)
    free = [place for place in range(len(board)) if place not in bound_up]
    other = list(board)
    for place, was in zip(free, chance.shuffled(free), strict=True):
        other[place] = board[was]
    return other
