"""A request as the search sees it: places to give out, numbered from 0 on, and what their company costs.

A place is a person on a board; who sits on two boards has two places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from .history import History, history
from .values import Apart, Barred, Lock, Request, Rule, Team, Twice, Wishes, pair

DEARER = 20  # a pair that has met twice costs a part more than two pairs that have met once: meetings by this


@dataclass(frozen=True)
class Problem:
    """Places, boards and powers by number, and what the rules say of them.

    `elsewhere`: places that have to be on other boards; `unlike`: places that have to get other powers;
    `allowed`: the boards open to a place; `may`: the powers open to it. `weight`: what it costs that two
    places share a board; `price`: what a power costs at a place; `beside`: what it costs that two are
    neighbours on the map, none where that is never counted; `near`: for each power, its neighbours.
    """

    people: tuple[int, ...]
    boards: tuple[int, ...]
    powers: tuple[tuple[str, ...], ...]
    elsewhere: tuple[set[int], ...]
    unlike: tuple[set[int], ...]
    allowed: list[frozenset[int]]
    may: list[frozenset[str]]
    weight: list[list[int]]
    price: list[dict[str, int]]
    beside: list[list[int]] = field(default_factory=list)
    near: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many sit on each board."""
        return tuple(map(len, self.powers))

    @cached_property
    def bound_up(self) -> tuple[int, ...]:
        """The places that any hard rule speaks of."""
        every_board = frozenset(range(len(self.boards)))
        every_power = frozenset(power for powers in self.powers for power in powers)
        return tuple(
            place
            for place in range(len(self.people))
            if self.elsewhere[place]
            or self.unlike[place]
            or self.allowed[place] != every_board
            or self.may[place] != every_power
        )


def compiled(request: Request, rules: Sequence[Rule] | None = None) -> Problem:
    """The problem of a request; with other hard rules where they are given."""
    rules = request.rules if rules is None else rules
    people = (*request.people, *(rule.person for rule in request.rules if isinstance(rule, Twice)))
    boards = tuple(sorted(request.boards))
    powers = tuple(request.boards[board] for board in boards)
    before, wishes = history(request.past, request.wishes), request.wishes
    names = frozenset(power for listed in powers for power in listed)
    problem = Problem(
        people=people,
        boards=boards,
        powers=powers,
        elsewhere=tuple(set[int]() for _ in people),
        unlike=tuple(set[int]() for _ in people),
        allowed=[frozenset(range(len(boards)))] * len(people),
        may=[names] * len(people),
        weight=_weights(people, before, wishes),
        price=[_prices(person, names, before, wishes) for person in people],
        beside=_beside(people, before, wishes),
        near=_near(names, wishes),
    )
    _Rules(problem).apply(rules)
    return problem


class _Rules:
    """Writes hard rules into a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.places: dict[int, list[int]] = {}
        for place, person in enumerate(problem.people):
            self.places.setdefault(person, []).append(place)

    def apply(self, rules: Iterable[Rule]) -> None:
        locks: dict[int, list[Lock]] = {}
        for rule in rules:
            match rule:
                case Lock():
                    locks.setdefault(rule.person, []).append(rule)
                case Apart():
                    self._part(self._of(rule.first), self._of(rule.second))
                case Team():
                    self._team(rule.members)
                case Barred():
                    for place in self._of(rule.person):
                        self.problem.may[place] -= {rule.power}
                case Twice():
                    self._team([rule.person])
        for person, held in locks.items():
            self._lock(person, held)
        self._open_boards()
        self._same_power()

    def _of(self, person: int) -> list[int]:
        return self.places.get(person, [])

    def _part(self, some: Iterable[int], others: Sequence[int]) -> None:
        for one in some:
            for other in others:
                if one != other:
                    self.problem.elsewhere[one].add(other)
                    self.problem.elsewhere[other].add(one)

    def _team(self, members: Iterable[int]) -> None:
        places = [place for member in members for place in self._of(member)]
        self._part(places, places)
        for one, other in combinations(places, 2):
            self.problem.unlike[one].add(other)
            self.problem.unlike[other].add(one)

    def _lock(self, person: int, locks: list[Lock]) -> None:
        """Of somebody on two boards, locks of different boards are about one place each."""
        places, of_board = self._of(person), dict[int | None, int]()
        for lock in locks:
            slot = of_board.setdefault(lock.board, min(len(of_board), len(places) - 1))
            place = places[slot]
            if lock.board is not None:
                self.problem.allowed[place] &= {self.problem.boards.index(lock.board)}
            if lock.power is not None:
                self.problem.may[place] &= {lock.power}

    def _open_boards(self) -> None:
        """A board without a power for somebody is closed to him."""
        for place, may in enumerate(self.problem.may):
            able = (board for board, powers in enumerate(self.problem.powers) if not may.isdisjoint(powers))
            self.problem.allowed[place] &= frozenset(able)

    def _same_power(self) -> None:
        """Two who can play nothing but the same power sit on two boards."""
        only: dict[frozenset[str], list[int]] = {}
        for place, may in enumerate(self.problem.may):
            if len(may) == 1:
                only.setdefault(may, []).append(place)
        for places in only.values():
            self._part(places, places)


def meeting_cost(times: int, each: int) -> int:
    """What it costs that two meet who have met so often."""
    return each * times + (each * (times - 1) // DEARER if times > 1 else 0)


def _weights(people: Sequence[int], before: History, wishes: Wishes) -> list[list[int]]:
    places = range(len(people))
    weight = [[0] * len(people) for _ in places]
    each = wishes.weights
    for one, other in combinations(places, 2):
        first, second = people[one], people[other]
        if first == second:
            continue
        cost = meeting_cost(before.met[pair(first, second)], each.meetings)
        cost -= each.together * sum(first in group and second in group for group in wishes.together)
        if first in wishes.recorders and second in wishes.recorders:
            cost += each.recorders
        weight[one][other] = weight[other][one] = cost
    return weight


def _prices(person: int, names: frozenset[str], before: History, wishes: Wishes) -> dict[str, int]:
    wanted, each = wishes.prefers.get(person, ()), wishes.weights
    price = {}
    for power in sorted(names):
        cost = each.powers * before.played[person, power]
        cost += each.spheres * before.spheres[person, wishes.spheres.get(power, "")]
        if wanted:
            cost += each.prefers * (wanted.index(power) if power in wanted else len(wanted))
        price[power] = cost
    return price


def _beside(people: Sequence[int], before: History, wishes: Wishes) -> list[list[int]]:
    if not before.beside or not wishes.weights.neighbours:
        return []
    each = wishes.weights.neighbours
    return [[each * before.beside[pair(one, other)] for other in people] for one in people]


def _near(names: Iterable[str], wishes: Wishes) -> dict[str, frozenset[str]]:
    both = wishes.neighbours | {(other, one) for one, other in wishes.neighbours}
    return {name: frozenset(other for one, other in both if one == name) for name in names}
