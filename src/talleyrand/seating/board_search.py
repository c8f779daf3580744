"""Who sits with whom: places swap boards until no swap helps, and a little against that (a tabu search, and
annealing where that does not reach the bound).

`company[board][place]` is what it costs the place to sit with those of the board; so a swap is priced by a
few look-ups, and what follows from it is a row of additions. Hard rules about pairs are costs too, so high
that the cheapest arrangement breaks none where one is found that breaks none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from operator import add, sub

from .power_allocation import SeatedPowers
from .seating_problem import SeatingProblem
from .seeded_random import SeededRandom

HARD, NONE = 1 << 40, 1 << 62
TURNS, STARTS = 12_000, 5
MOVES, STEPS = 5_000, 60
COOLING = tuple(  # how likely a swap passes that costs so many meetings, step by step
    tuple(round(exp(-dearer * 10 ** (step / STEPS) / 1.2), 9) for dearer in range(12))
    for step in range(STEPS)
)
SHORTEST, LONGEST = 1, 3  # turns for which a place does not go back, from the first to before the last


class BoardArrangement:
    """Places on boards, and what their company costs."""

    def __init__(self, problem: SeatingProblem, board: Sequence[int]) -> None:
        self.problem, self.board = problem, list(board)
        self.weight = [
            [cost + HARD * (other in apart) for other, cost in enumerate(row)]
            for row, apart in zip(problem.company_cost, problem.must_part, strict=True)
        ]
        self.doubled = [[2 * cost for cost in row] for row in self.weight]
        self.company_costs = [self._company(which) for which in range(len(problem.boards))]
        self.cost = sum(self.company_costs[which][place] for place, which in enumerate(self.board)) // 2

    def _company(self, which: int) -> list[int]:
        here = [place for place, on in enumerate(self.board) if on == which]
        return [sum(row[other] for other in here) for row in self.weight]

    def swap_cost(self, one: int, other: int) -> int:
        """What a swap of two places on different boards costs."""
        here, there = self.company_costs[self.board[one]], self.company_costs[self.board[other]]
        return there[one] - here[one] + here[other] - there[other] - 2 * self.weight[one][other]

    def swap_costs(self, one: int) -> list[int]:
        """What a swap with each place costs; nothing that makes sense for those of the same board."""
        here = self.company_costs[self.board[one]]
        there = [row[one] - here[one] for row in self.company_costs]
        own = [self.company_costs[which][place] for place, which in enumerate(self.board)]
        leaving = map(add, here, map(there.__getitem__, self.board))
        return list(map(sub, leaving, map(add, own, self.doubled[one])))

    def swap(self, one: int, other: int) -> None:
        """Swap two places."""
        self.cost += self.swap_cost(one, other)
        a, b = self.board[one], self.board[other]
        moved = list(map(sub, self.weight[other], self.weight[one]))
        self.company_costs[a] = list(map(add, self.company_costs[a], moved))
        self.company_costs[b] = list(map(sub, self.company_costs[b], moved))
        self.board[one], self.board[other] = b, a

    def may_swap(self, one: int, other: int) -> bool:
        """Whether two places are on two boards that are open to both."""
        a, b = self.board[one], self.board[other]
        return a != b and b in self.problem.allowed_boards[one] and a in self.problem.allowed_boards[other]


class TabuSearch:
    """One start of the search, until the goal is reached or the turns are over."""

    def __init__(self, start: BoardArrangement, chance: SeededRandom, goal: int) -> None:
        self.current, self.chance, self.goal = start, chance, goal
        self.best, self.cost = list(start.board), start.cost
        self.forbidden_until = [[0] * len(start.board) for _ in start.problem.boards]
        self.free = [place for place, open_ in enumerate(start.problem.allowed_boards) if len(open_) > 1]
        self.drawn_to = {place for place in self.free if min(start.weight[place]) < 0}

    def run(self, turns: int) -> None:
        """Take so many turns at most; `best` and `cost` are what was found."""
        for turn in range(1, turns + 1):
            if self.cost <= self.goal or not self._turn(turn):
                return

    def _turn(self, turn: int) -> bool:
        """Move somebody whose company costs something to where it costs least; tell whether there is one."""
        now = self.current
        troubled = [
            place
            for place in self.free
            if now.company_costs[now.board[place]][place] > 0 or place in self.drawn_to
        ]
        if not troubled:
            return False
        one = self.chance.choice(troubled)
        other = self._partner(one, turn)
        if other is not None:
            self._swap(one, other, turn)
        return True

    def _partner(self, one: int, turn: int) -> int | None:
        """With whom a swap costs least, of those who have not been there just now, chance among equals."""
        now, board, back, allowed = (
            self.current,
            self.current.board,
            self.forbidden_until,
            self.current.problem.allowed_boards,
        )
        least, equal, saving = NONE, list[int](), self.cost - now.cost
        a, open_ = board[one], allowed[one]
        leaving = back[a]
        for other, change in enumerate(now.swap_costs(one)):
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
        return self.chance.choice(equal) if equal else None

    def _swap(self, one: int, other: int, turn: int) -> None:
        until = turn + SHORTEST + self.chance.random_below(LONGEST - SHORTEST)
        self.forbidden_until[self.current.board[one]][one] = self.forbidden_until[self.current.board[other]][
            other
        ] = until
        self.current.swap(one, other)
        if self.current.cost < self.cost:
            self.best, self.cost = list(self.current.board), self.current.cost


class Annealing:
    """Swaps by chance: those that make it dearer pass too, the dearer the seldomer, and ever more seldom.

    `meeting`: what one meeting again costs.
    """

    def __init__(self, start: BoardArrangement, chance: SeededRandom, meeting: int) -> None:
        self.current, self.fraction, self.meeting = start, chance.fraction, meeting
        self.best, self.cost = list(start.board), start.cost

    def run(self, goal: int) -> None:
        """Swap until the goal is reached or all has cooled down; `best` is what was found."""
        for odds in COOLING:
            if self.cost <= goal:
                return
            self._swap_at(odds)

    def _swap_at(self, odds: Sequence[float]) -> None:
        now, fraction, meeting, count = self.current, self.fraction, self.meeting, len(self.best)
        board, company, weight = now.board, now.company_costs, now.weight
        most = meeting * len(odds)
        for _ in range(MOVES):
            one, other = int(fraction() * count), int(fraction() * count)
            a, b = board[one], board[other]
            if a == b:
                continue
            here, there = company[a], company[b]
            change = there[one] - here[one] + here[other] - there[other] - 2 * weight[one][other]
            passes = change <= 0 or (change < most and fraction() < odds[change // meeting])
            if passes and now.may_swap(one, other):
                now.swap(one, other)
                if now.cost < self.cost:
                    self.best, self.cost = list(board), now.cost


def arrange_boards(
    problem: SeatingProblem, start: Sequence[int], goal: int, chance: SeededRandom, meeting: int
) -> list[int]:
    """The board of each place: the best that several starts find, the first from `start`.

    `meeting`: what one meeting again costs; 0 where none counts.
    """
    best, cost = list(start), BoardArrangement(problem, start).cost
    for attempt in range(STARTS):
        if cost <= goal:
            break
        board = list(start) if attempt == 0 else shuffle_free_places(problem, best, chance)
        if attempt and meeting:
            annealing = Annealing(BoardArrangement(problem, board), chance, meeting)
            annealing.run(goal)
            board = annealing.best
        search = TabuSearch(BoardArrangement(problem, board), chance, goal)
        search.run(TURNS if attempt == 0 else TURNS // 10)
        if search.cost < cost:
            best, cost = search.best, search.cost
    return best


def shuffle_free_places(problem: SeatingProblem, board: Sequence[int], chance: SeededRandom) -> list[int]:
    """Another arrangement to begin from: those whom no rule binds change places."""
    bound_up = set(problem.constrained_places)
    free = [place for place in range(len(board)) if place not in bound_up]
    other = list(board)
    for place, was in zip(free, chance.shuffled(free), strict=True):
        other[place] = board[was]
    return other


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
