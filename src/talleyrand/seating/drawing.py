"""The draw of a round: boards first, then powers, then what swaps between boards still mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb

from . import bounds
from .assigning import Assignment, assigned
from .boards import Arrangement, arranged, mixed
from .chains import Chains
from .chance import Chance
from .checks import check
from .continuing import continued
from .feasibility import Given, Places, kept
from .judging import judge, power_repeats_bound, repeats_bound
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
    rounds = chance.shuffled(continued(request))
    followed = _followed(request, problem, rounds, chance)
    if any(_is_enough(drawn) for drawn in followed):
        return _cheapest(drawn for drawn in followed if _is_enough(drawn))
    start = _completed(problem, boards, chance)
    begun = _begun(problem, start, rounds)
    searched = judge(request, _searched(request, problem, start, begun, given, chance))
    assert not searched.broken
    return _cheapest([*followed, searched])


def _cheapest(draws: Iterable[Draw]) -> Draw:
    return min(draws, key=lambda drawn: sum(drawn.cost.values()))


def _followed(request: Request, problem: Problem, rounds: Sequence[Seats], chance: Chance) -> list[Draw]:
    """Rounds of a pattern with as few repeats as can be: as they are, then with powers given out anew."""
    known = [drawn for drawn in (judge(request, seats) for seats in rounds) if drawn.repeats == drawn.bound]
    anew = (_empowered(problem, drawn.seats, chance) for drawn in known)
    every = [*known, *(judge(request, seats) for seats in anew if seats)]
    return [drawn for drawn in every if not drawn.broken]


def _empowered(problem: Problem, seats: Seats, chance: Chance) -> Seats:
    """The cheapest powers on the same boards; nothing where these cannot be kept."""
    board = _placed(problem, seats)
    assignment = assigned(problem, board, chance) if board and _keeps(problem, board) else None
    return _seats(problem, board, assignment) if assignment else {}


def _keeps(problem: Problem, board: Sequence[int]) -> bool:
    """Whether nobody shares a board with whom he may not."""
    return all(board[one] != board[other] for one, apart in enumerate(problem.elsewhere) for other in apart)


def _is_enough(drawn: Draw) -> bool:
    """Whether a search could only better what is worth less than the rounds to come."""
    return drawn.proven and not drawn.cost["together"]


def _completed(problem: Problem, boards: Places, chance: Chance) -> list[int]:
    """A board for each place: those whom no rule binds fill what is left, by chance."""
    room = Counter(dict(enumerate(problem.sizes)))
    room.subtract(boards.values())
    rest = [place for place in range(len(problem.people)) if place not in boards]
    left = chance.shuffled(room.elements())
    filled = {**boards, **dict(zip(rest, left, strict=True))}
    return [filled[place] for place in range(len(problem.people))]


def _begun(problem: Problem, start: list[int], rounds: Sequence[Seats]) -> list[int]:
    """The cheapest of these rounds where everybody has a board open to him; else this start."""
    boards = [board for board in (_placed(problem, seats) for seats in rounds) if board]
    return min([*boards, start], key=lambda board: Arrangement(problem, board).cost)


def _placed(problem: Problem, seats: Seats) -> list[int]:
    """The board of each place in a round, nobody sitting twice; nothing where one is closed to somebody."""
    sitting = {person: board for board, given in seats.items() for person in given.values()}
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
