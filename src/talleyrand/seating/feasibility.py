"""Whether the hard rules can be kept at all, by trying everything; and if not, which of them collide.

Only the places that a rule speaks of are tried: the others fill what is left. First boards are given out, the
place with the fewest open first, then powers on these boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from . import bounds
from .seating_problem import SeatingProblem, compile_request
from .seating_request import HardRule, ImpossibleSeating, SeatingRequest, TeamRule
from .seeded_random import SeededRandom

MOST_STEPS = (100_000, 100_000, 400_000)  # places looked at by each trial, of which chance makes another
BoardOfPlace = dict[int, int]  # the board of each place
PowerOfPlace = dict[int, str]  # the power of each place


class FeasibilityUndecided(Exception):
    """Nothing has been found, nor proven, in so many steps."""


class FeasibilitySearch:
    """A search that remembers how many steps it has taken, and raises FeasibilityUndecided where they are too
    many.
    """

    def __init__(self, problem: SeatingProblem, chance: SeededRandom, most: int) -> None:
        self.problem, self.chance, self.most, self.steps = problem, chance, most, 0

    def solve(self) -> tuple[BoardOfPlace, PowerOfPlace] | None:
        """Boards and powers of the places that rules speak of, or None where there are none."""
        if not self._powers_suffice():
            return None
        for boards in self._boards({}, list(self.problem.sizes)):
            powers = self.powers(boards)
            if powers is not None:
                return boards, powers
        return None

    def _powers_suffice(self) -> bool:
        """Whether everybody could have a power open to him if boards did not matter."""
        seats = Counter(power for powers in self.problem.powers for power in powers)
        closed = [frozenset(seats) - may for may in self.problem.allowed_powers]
        return bounds.fewest_power_repeats_of_round(closed, seats) == 0

    def _step(self, waiting: int) -> None:
        self.steps += 1 + waiting
        if self.steps > self.most:
            raise FeasibilityUndecided

    def _boards(self, boards: BoardOfPlace, room: list[int]) -> Iterator[BoardOfPlace]:
        waiting = [place for place in self.problem.constrained_places if place not in boards]
        self._step(len(waiting))
        if not waiting:
            yield dict(boards)
            return
        place, open_ = min(
            ((place, self._open(place, boards, room)) for place in waiting),
            key=lambda each: (len(each[1]), -len(self.problem.must_part[each[0]])),
        )
        for board in self._unlike(
            sorted(self.chance.shuffled(open_), key=room.__getitem__, reverse=True), boards
        ):
            boards[place] = board
            room[board] -= 1
            yield from self._boards(boards, room)
            room[board] += 1
            del boards[place]

    def _open(self, place: int, boards: BoardOfPlace, room: Sequence[int]) -> list[int]:
        taken = {boards[other] for other in self.problem.must_part[place] if other in boards}
        return [
            board
            for board in sorted(self.problem.allowed_boards[place])
            if room[board] and board not in taken
        ]

    def _unlike(self, open_: Sequence[int], boards: BoardOfPlace) -> Iterator[int]:
        """Those boards; of empty ones that nothing tells apart, one alone."""
        used, seen = set(boards.values()), set[tuple[object, ...]]()
        for board in open_:
            alike = (frozenset(self.problem.powers[board]), self._called(board))
            if board in used or alike not in seen:
                yield board
            if board not in used:
                seen.add(alike)

    def _called(self, board: int) -> frozenset[int]:
        """The places for which a rule tells this board from others."""
        every = len(self.problem.boards)
        return frozenset(
            place
            for place in self.problem.constrained_places
            if len(self.problem.allowed_boards[place]) < every and board in self.problem.allowed_boards[place]
        )

    def powers(self, boards: BoardOfPlace) -> PowerOfPlace | None:
        """Powers on these boards, or None where there is no way."""
        return self._powers(boards, {})

    def _powers(self, boards: BoardOfPlace, given: PowerOfPlace) -> PowerOfPlace | None:
        waiting = [place for place in boards if place not in given]
        self._step(len(waiting))
        if not waiting:
            return dict(given)
        place, open_ = min(
            ((place, self._open_powers(place, boards, given)) for place in waiting),
            key=lambda each: len(each[1]),
        )
        for power in self.chance.shuffled(open_):
            given[place] = power
            found = self._powers(boards, given)
            if found is not None:
                return found
            del given[place]
        return None

    def _open_powers(self, place: int, boards: BoardOfPlace, given: PowerOfPlace) -> list[str]:
        board, unlike = boards[place], self.problem.must_differ[place]
        taken = {power for other, power in given.items() if boards[other] == board or other in unlike}
        here = self.problem.powers[board]
        return [power for power in here if power in self.problem.allowed_powers[place] and power not in taken]


def find_feasible_seating(
    request: SeatingRequest, problem: SeatingProblem, chance: SeededRandom
) -> tuple[BoardOfPlace, PowerOfPlace]:
    """Boards and powers that keep the hard rules; raises ImpossibleSeating with the rules that collide."""
    _check_teams(request, problem)
    for most in MOST_STEPS:
        trial = FeasibilitySearch(problem, chance, most)
        try:
            found = trial.solve()
        except FeasibilityUndecided:
            continue
        if found is None:
            raise ImpossibleSeating(
                "seating_impossible", rules=_colliding(request, chance, 4 * trial.steps + 1000)
            )
        return found
    raise ImpossibleSeating("seating_not_found", rules=request.hard_rules)


def _check_teams(request: SeatingRequest, problem: SeatingProblem) -> None:
    """A team larger than the number of boards, or of powers, needs no trial."""
    most = min(len(problem.boards), len({power for powers in problem.powers for power in powers}))
    for rule in request.hard_rules:
        if isinstance(rule, TeamRule) and len(rule.members.intersection(request.people)) > most:
            raise ImpossibleSeating("seating_impossible", rules=[rule])


def _colliding(request: SeatingRequest, chance: SeededRandom, most: int) -> Sequence[HardRule]:
    """Leave out one rule after the other where the rest collides all the same.

    Few steps prove that; where they do not, the rule is taken to be one of those that matter.
    """
    rules = list(request.hard_rules)
    for place in range(len(rules) - 1, -1, -1):
        fewer = rules[:place] + rules[place + 1 :]
        try:
            if FeasibilitySearch(compile_request(request, fewer), chance, most).solve() is None:
                rules = fewer
        except FeasibilityUndecided:
            continue
    return rules
