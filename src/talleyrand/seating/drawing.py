"""The draw of a round: boards first, then powers, then what swaps between boards still mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from . import bounds
from .assigning import Assignment, assigned
from .boards import Arrangement, arranged
from .chance import Chance
from .checks import check
from .feasibility import Given, Places, kept
from .judging import judge, power_repeats_bound, repeats_bound
from .mending import Mending
from .problem import Problem, compiled
from .values import Draw, Request, Seats

ATTEMPTS = 3  # at boards on which powers keep the hard rules


def draw(request: Request) -> Draw:
    """Draw a round: the best that is found, which no hard rule forbids.

    Raises Unseatable where the request makes no sense, Impossible where its hard rules collide or nothing
    was found that keeps them.
    """
    check(request)
    if not request.boards:
        return judge(request, {})
    chance = Chance(request.seed, "draw")
    problem = compiled(request)
    boards, given = kept(request, problem, chance) if problem.bound_up else ({}, {})
    start = _completed(problem, boards, chance)
    drawn = judge(request, _searched(request, problem, start, given, chance))
    assert not drawn.broken
    return drawn


def _completed(problem: Problem, boards: Places, chance: Chance) -> list[int]:
    """A board for each place: those whom no rule binds fill what is left, by chance."""
    room = Counter(dict(enumerate(problem.sizes)))
    room.subtract(boards.values())
    rest = [place for place in range(len(problem.people)) if place not in boards]
    left = chance.shuffled(room.elements())
    filled = {**boards, **dict(zip(rest, left, strict=True))}
    return [filled[place] for place in range(len(problem.people))]


def _searched(request: Request, problem: Problem, start: list[int], given: Given, chance: Chance) -> Seats:
    company = _goal(request, problem)
    arrangement, assignment = _first(problem, start, given, company, chance)
    mending = Mending(arrangement, assignment, chance)
    mending.run(company + request.wishes.weights.powers * power_repeats_bound(request))
    return _seats(problem, arrangement.board, assignment)


def _first(
    problem: Problem, start: list[int], given: Given, goal: int, chance: Chance
) -> tuple[Arrangement, Assignment]:
    """Boards and powers to mend: the best boards on which powers are found, or else those first found."""
    for _ in range(ATTEMPTS):
        board = arranged(problem, start, goal, chance)
        assignment = assigned(problem, board, chance)
        if assignment is not None:
            return Arrangement(problem, board), assignment
    assignment = Assignment(problem, start, chance)
    assignment.put(given)
    assignment.improve()
    return Arrangement(problem, start), assignment


def _goal(request: Request, problem: Problem) -> int:
    """What company costs at least: no search goes on where it has come as far."""
    wishes, boards = request.wishes, len(problem.boards)
    here = set(request.people)
    largest = max(problem.sizes)
    joined = sum(_most_pairs(len(group & here), largest) for group in wishes.together)
    recorders = bounds.spread(len(wishes.recorders & here), boards)
    each = wishes.weights
    return each.meetings * repeats_bound(request) + each.recorders * recorders - each.together * joined


def _most_pairs(people: int, size: int) -> int:
    """The most pairs that share a board where boards have so many seats."""
    full, rest = divmod(people, size)
    return full * comb(size, 2) + comb(rest, 2)


def _seats(problem: Problem, board: Sequence[int], assignment: Assignment) -> Seats:
    seats: dict[int, dict[str, int]] = {number: {} for number in problem.boards}
    for place, which in enumerate(board):
        seats[problem.boards[which]][assignment.power[place]] = problem.people[place]
    ordered = zip(problem.boards, problem.powers, strict=True)
    return {number: {power: seats[number][power] for power in powers} for number, powers in ordered}
