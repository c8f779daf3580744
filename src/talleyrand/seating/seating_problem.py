"""A request as the search sees it: places to give out, numbered from 0 on, and what their company costs.

A place is a person on a board; who sits on two boards has two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from .seating_request import (
    ApartRule,
    BarredPowerRule,
    HardRule,
    LockRule,
    Pair,
    PastGame,
    SeatingHistory,
    SeatingRequest,
    SoftRules,
    TeamRule,
    TwoBoardsRule,
    pair,
)


@dataclass(frozen=True)
class MeetingCounts:
    """Counts by pair of people, and by person."""

    met: Counter[Pair]
    beside: Counter[Pair]
    played: Counter[tuple[int, str]]  # a person and a power
    spheres: Counter[tuple[int, str]]  # a person and a part of the map


def count_meetings(past: SeatingHistory, wishes: SoftRules) -> MeetingCounts:
    """Count what was before."""
    counted = MeetingCounts(Counter(), Counter(), Counter(), Counter())
    for two, times in past.met.items():
        counted.met[pair(*two)] += times
    for game in past.games:
        _count(game, counted, wishes)
    return counted


def _count(game: PastGame, counted: MeetingCounts, wishes: SoftRules) -> None:
    for (power, person), (other_power, other) in combinations(sorted(game.seats.items()), 2):
        counted.met[pair(person, other)] += 1
        if (power, other_power) in wishes.neighbours:
            counted.beside[pair(person, other)] += 1
    if game.counts_powers:
        counted.played.update((person, power) for power, person in game.seats.items())
        counted.spheres.update(
            (person, wishes.spheres[power]) for power, person in game.seats.items() if power in wishes.spheres
        )


# What a third meeting costs more than a second, in meetings: nothing but a hard rule is worth one.
THIRD = 1000


@dataclass(frozen=True)
class SeatingProblem:
    """Places, boards and powers by number, and what the rules say of them.

    `must_part`: places that have to be on other boards; `must_differ`: places that have to get other powers;
    `allowed_boards`: the boards open to a place; `allowed_powers`: the powers open to it. `company_cost`:
    what it costs that two places share a board; `power_cost`: what a power costs at a place;
    `neighbour_cost`: what it costs that two are neighbours on the map, none where that is never counted;
    `neighbouring_powers`: for each power, its neighbours.
    """

    people: tuple[int, ...]
    boards: tuple[int, ...]
    powers: tuple[tuple[str, ...], ...]
    must_part: tuple[set[int], ...]
    must_differ: tuple[set[int], ...]
    allowed_boards: list[frozenset[int]]
    allowed_powers: list[frozenset[str]]
    company_cost: list[list[int]]
    power_cost: list[dict[str, int]]
    neighbour_cost: list[list[int]] = field(default_factory=list)
    neighbouring_powers: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many sit on each board."""
        return tuple(map(len, self.powers))

    @cached_property
    def constrained_places(self) -> tuple[int, ...]:
        """The places that any hard rule speaks of."""
        every_board = frozenset(range(len(self.boards)))
        every_power = frozenset(power for powers in self.powers for power in powers)
        return tuple(
            place
            for place in range(len(self.people))
            if self.must_part[place]
            or self.must_differ[place]
            or self.allowed_boards[place] != every_board
            or self.allowed_powers[place] != every_power
        )


def compile_request(request: SeatingRequest, rules: Sequence[HardRule] | None = None) -> SeatingProblem:
    """The problem of a request; with other hard rules where they are given."""
    rules = request.hard_rules if rules is None else rules
    people = (
        *request.people,
        *(rule.person for rule in request.hard_rules if isinstance(rule, TwoBoardsRule)),
    )
    boards = tuple(sorted(request.boards))
    powers = tuple(request.boards[board] for board in boards)
    before, wishes = count_meetings(request.history, request.soft_rules), request.soft_rules
    names = frozenset(power for listed in powers for power in listed)
    problem = SeatingProblem(
        people=people,
        boards=boards,
        powers=powers,
        must_part=tuple(set[int]() for _ in people),
        must_differ=tuple(set[int]() for _ in people),
        allowed_boards=[frozenset(range(len(boards)))] * len(people),
        allowed_powers=[names] * len(people),
        company_cost=_weights(people, before, wishes),
        power_cost=[_prices(person, names, before, wishes) for person in people],
        neighbour_cost=_beside(people, before, wishes),
        neighbouring_powers=_near(names, wishes),
    )
    _Rules(problem).apply(rules)
    return problem


class _Rules:
    """Writes hard rules into a problem."""

    def __init__(self, problem: SeatingProblem) -> None:
        self.problem = problem
        self.places: dict[int, list[int]] = {}
        for place, person in enumerate(problem.people):
            self.places.setdefault(person, []).append(place)

    def apply(self, rules: Iterable[HardRule]) -> None:
        locks: dict[int, list[LockRule]] = {}
        for rule in rules:
            match rule:
                case LockRule():
                    locks.setdefault(rule.person, []).append(rule)
                case ApartRule():
                    self._part(self._allowed_places(rule.first), self._allowed_places(rule.second))
                case TeamRule():
                    self._team(rule.members)
                case BarredPowerRule():
                    for place in self._allowed_places(rule.person):
                        self.problem.allowed_powers[place] -= {rule.power}
                case TwoBoardsRule():
                    self._team([rule.person])
        for person, held in locks.items():
            self._lock(person, held)
        self._open_boards()
        self._same_power()

    def _allowed_places(self, person: int) -> list[int]:
        return self.places.get(person, [])

    def _part(self, some: Iterable[int], others: Sequence[int]) -> None:
        for one in some:
            for other in others:
                if one != other:
                    self.problem.must_part[one].add(other)
                    self.problem.must_part[other].add(one)

    def _team(self, members: Iterable[int]) -> None:
        places = [place for member in members for place in self._allowed_places(member)]
        self._part(places, places)
        for one, other in combinations(places, 2):
            self.problem.must_differ[one].add(other)
            self.problem.must_differ[other].add(one)

    def _lock(self, person: int, locks: list[LockRule]) -> None:
        """Of somebody on two boards, locks of different boards are about one place each."""
        places, of_board = self._allowed_places(person), dict[int | None, int]()
        for lock in locks:
            slot = of_board.setdefault(lock.board, min(len(of_board), len(places) - 1))
            place = places[slot]
            if lock.board is not None:
                self.problem.allowed_boards[place] &= {self.problem.boards.index(lock.board)}
            if lock.power is not None:
                self.problem.allowed_powers[place] &= {lock.power}

    def _open_boards(self) -> None:
        """A board without a power for somebody is closed to him."""
        for place, may in enumerate(self.problem.allowed_powers):
            able = (board for board, powers in enumerate(self.problem.powers) if not may.isdisjoint(powers))
            self.problem.allowed_boards[place] &= frozenset(able)

    def _same_power(self) -> None:
        """Two who can play nothing but the same power sit on two boards."""
        only: dict[frozenset[str], list[int]] = {}
        for place, may in enumerate(self.problem.allowed_powers):
            if len(may) == 1:
                only.setdefault(may, []).append(place)
        for places in only.values():
            self._part(places, places)


def meeting_cost(times: int, each: int) -> int:
    """What it costs that two meet who have met so often: a third meeting is what all else gives way to."""
    return each * times + THIRD * each * max(0, times - 1)


def _weights(people: Sequence[int], before: MeetingCounts, wishes: SoftRules) -> list[list[int]]:
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


def _prices(person: int, names: frozenset[str], before: MeetingCounts, wishes: SoftRules) -> dict[str, int]:
    wanted, each = wishes.power_preferences.get(person, ()), wishes.weights
    price = {}
    for power in sorted(names):
        cost = each.powers * before.played[person, power]
        cost += each.spheres * before.spheres[person, wishes.spheres.get(power, "")]
        if wanted:
            cost += each.prefers * (wanted.index(power) if power in wanted else len(wanted))
        price[power] = cost
    return price


def _beside(people: Sequence[int], before: MeetingCounts, wishes: SoftRules) -> list[list[int]]:
    if not before.beside or not wishes.weights.neighbours:
        return []
    each = wishes.weights.neighbours
    return [[each * before.beside[pair(one, other)] for other in people] for one in people]


def _near(names: Iterable[str], wishes: SoftRules) -> dict[str, frozenset[str]]:
    both = wishes.neighbours | {(other, one) for one, other in wishes.neighbours}
    return {name: frozenset(other for one, other in both if one == name) for name in names}
