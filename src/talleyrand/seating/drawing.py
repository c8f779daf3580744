"""The draw of a round: boards first, then powers, then what swaps between boards still mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from . import bounds
from .assigning import Assignment, assigned
from .boards import Arrangement, arranged, mixed
from .chains import Chains
from .chance import Chance
from .checks import check
from .feasibility import Given, Places, kept
from .judging import judge, places, power_repeats_bound, repeats_bound
from .mending import Mending
from .problem import Problem, compiled
from .values import Draw, Request, Seats

ATTEMPTS = 4  # at boards that cost no more than they must, for powers that do not either


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
    begun = _begun(request, problem, start)
    searched = judge(request, _searched(request, problem, start, begun, given, chance))
    assert not searched.broken
    return min([*_as_planned(request), searched], key=lambda drawn: sum(drawn.cost.values()))


def _as_planned(request: Request) -> list[Draw]:
    """The planned rounds that fit to the power and keep the hard rules."""
    asked = {board: frozenset(powers) for board, powers in request.boards.items()}
    people = places(request)
    fitting = [
        seats
        for seats in request.planned
        if {board: given.keys() for board, given in seats.items()} == asked
        and Counter(person for given in seats.values() for person in given.values()) == people
    ]
    return [drawn for drawn in (judge(request, seats) for seats in fitting) if not drawn.broken]


def _completed(problem: Problem, boards: Places, chance: Chance) -> list[int]:
    """A board for each place: those whom no rule binds fill what is left, by chance."""
    room = Counter(dict(enumerate(problem.sizes)))
    room.subtract(boards.values())
    rest = [place for place in range(len(problem.people)) if place not in boards]
    left = chance.shuffled(room.elements())
    filled = {**boards, **dict(zip(rest, left, strict=True))}
    return [filled[place] for place in range(len(problem.people))]


def _begun(request: Request, problem: Problem, start: list[int]) -> list[int]:
    """The cheapest of the planned rounds that fit, unless it is dearer than this start."""
    boards = [board for board in (_planned(seats, problem) for seats in request.planned) if board]
    return min([*boards, start], key=lambda board: Arrangement(problem, board).cost)


def _planned(seats: Seats, problem: Problem) -> list[int]:
    """The board of each place in a planned round, or nothing where others are there."""
    sitting = {person: board for board, given in seats.items() for person in given.values()}
    counts = Counter(sitting.values())
    sizes = dict(zip(problem.boards, problem.sizes, strict=True))
    if counts != sizes or sorted(sitting) != sorted(problem.people):
        return []
    board = [problem.boards.index(sitting[person]) for person in problem.people]
    return board if all(on in problem.allowed[place] for place, on in enumerate(board)) else []


def _searched(
    request: Request, problem: Problem, start: list[int], begun: list[int], given: Given, chance: Chance
) -> Seats:
    """The best of some attempts: of one where all is as cheap as can be, or where boards are hard to find."""
    company = _goal(request, problem)
    powers = request.wishes.weights.powers * power_repeats_bound(request)
    found = list[Mending]()
    for _ in range(ATTEMPTS):
        board = arranged(problem, begun, company, chance)
        assignment = assigned(problem, board, chance)
        if assignment is not None:
            found.append(_mended(Mending(Arrangement(problem, board), assignment, chance), company, powers))
            if found[-1].cost <= company + powers or found[-1].arrangement.cost > company:
                break
        begun = mixed(problem, start, chance)
    if not found:
        found.append(_mended(_kept(problem, start, given, chance), company, powers))
    best = min(found, key=lambda mending: mending.cost)
    return _seats(problem, best.arrangement.board, best.assignment)


def _mended(mending: Mending, company: int, powers: int) -> Mending:
    if any(mending.assignment.problem.unlike):
        Chains(mending.assignment, mending.chance).run(powers)
    mending.run(company + powers)
    return mending


def _kept(problem: Problem, start: list[int], given: Given, chance: Chance) -> Mending:
    """The boards and powers that are known to keep the hard rules."""
    assignment = Assignment(problem, start, chance)
    assignment.put(given)
    assignment.improve()
    return Mending(Arrangement(problem, start), assignment, chance)


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
