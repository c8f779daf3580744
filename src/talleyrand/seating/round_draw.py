"""The draw of a round: boards first, then powers, then what swaps between boards still mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb

from . import bounds
from .board_search import BoardArrangement, SwapImprovement, arrange_boards, shuffle_free_places
from .draw_evaluation import (
    check_request,
    evaluate_draw,
    power_repeats_bound,
    repeats_bound,
    third_meetings_bound,
)
from .feasibility import BoardOfPlace, PowerOfPlace, find_feasible_seating
from .power_allocation import KempeChains, SeatedPowers, assign_powers
from .round_continuation import continued_rounds
from .seating_problem import THIRD, SeatingProblem, compile_request
from .seating_request import RoundDraw, SeatingRequest, Seats
from .seeded_random import SeededRandom

ATTEMPTS = 4  # at boards that cost no more than they must, for powers that do not either


def draw(request: SeatingRequest) -> RoundDraw:
    """Draw a round: the best that is found, which no hard rule forbids.

    Raises SeatingError where the request makes no sense, ImpossibleSeating where its hard rules collide or
    nothing was found that keeps them.
    """
    check_request(request)
    if not request.boards:
        return evaluate_draw(request, {})
    chance = SeededRandom(request.seed, "draw")
    problem = compile_request(request)
    boards, given = (
        find_feasible_seating(request, problem, chance) if problem.constrained_places else ({}, {})
    )
    rounds = chance.shuffled(continued_rounds(request))
    followed = _followed(request, problem, rounds, chance)
    if any(_is_enough(drawn) for drawn in followed):
        return _cheapest(drawn for drawn in followed if _is_enough(drawn))
    start = _completed(problem, boards, chance)
    begun = _begun(problem, start, rounds)
    searched = evaluate_draw(request, _searched(request, problem, start, begun, given, chance))
    assert not searched.broken_rules
    return _cheapest([*followed, searched])


def _cheapest(draws: Iterable[RoundDraw]) -> RoundDraw:
    return min(draws, key=lambda drawn: sum(drawn.cost.values()))


def _followed(
    request: SeatingRequest, problem: SeatingProblem, rounds: Sequence[Seats], chance: SeededRandom
) -> list[RoundDraw]:
    """Rounds of a pattern with as few repeats as can be: as they are, then with powers given out anew."""
    known = [
        drawn for drawn in (evaluate_draw(request, seats) for seats in rounds) if drawn.repeats == drawn.bound
    ]
    anew = (_empowered(problem, drawn.seats, chance) for drawn in known)
    every = [*known, *(evaluate_draw(request, seats) for seats in anew if seats)]
    return [drawn for drawn in every if not drawn.broken_rules]


def _empowered(problem: SeatingProblem, seats: Seats, chance: SeededRandom) -> Seats:
    """The cheapest powers on the same boards; nothing where these cannot be kept."""
    board = _placed(problem, seats)
    assignment = assign_powers(problem, board, chance) if board and _keeps(problem, board) else None
    return _seats(problem, board, assignment) if assignment else {}


def _keeps(problem: SeatingProblem, board: Sequence[int]) -> bool:
    """Whether nobody shares a board with whom he may not."""
    return all(board[one] != board[other] for one, apart in enumerate(problem.must_part) for other in apart)


def _is_enough(drawn: RoundDraw) -> bool:
    """Whether a search could only better what is worth less than the rounds to come."""
    return drawn.is_proven_optimal and not drawn.cost["together"]


def _completed(problem: SeatingProblem, boards: BoardOfPlace, chance: SeededRandom) -> list[int]:
    """A board for each place: those whom no rule binds fill what is left, by chance."""
    room = Counter(dict(enumerate(problem.sizes)))
    room.subtract(boards.values())
    rest = [place for place in range(len(problem.people)) if place not in boards]
    left = chance.shuffled(room.elements())
    filled = {**boards, **dict(zip(rest, left, strict=True))}
    return [filled[place] for place in range(len(problem.people))]


def _begun(problem: SeatingProblem, start: list[int], rounds: Sequence[Seats]) -> list[int]:
    """The cheapest of these rounds where everybody has a board open to him; else this start."""
    boards = [board for board in (_placed(problem, seats) for seats in rounds) if board]
    return min([*boards, start], key=lambda board: BoardArrangement(problem, board).cost)


def _placed(problem: SeatingProblem, seats: Seats) -> list[int]:
    """The board of each place in a round, nobody sitting twice; nothing where one is closed to somebody."""
    sitting = {person: board for board, given in seats.items() for person in given.values()}
    board = [problem.boards.index(sitting[person]) for person in problem.people]
    return board if all(on in problem.allowed_boards[place] for place, on in enumerate(board)) else []


def _searched(
    request: SeatingRequest,
    problem: SeatingProblem,
    start: list[int],
    begun: list[int],
    given: PowerOfPlace,
    chance: SeededRandom,
) -> Seats:
    """The best of some attempts: of one where all is as cheap as can be, or where boards are hard to find."""
    company = _goal(request, problem)
    meeting = request.soft_rules.weights.meetings
    powers = request.soft_rules.weights.powers * power_repeats_bound(request)
    found = list[SwapImprovement]()
    for _ in range(ATTEMPTS):
        board = arrange_boards(problem, begun, company, chance, meeting)
        assignment = assign_powers(problem, board, chance)
        if assignment is not None:
            found.append(
                _mended(
                    SwapImprovement(BoardArrangement(problem, board), assignment, chance), company, powers
                )
            )
            if found[-1].cost <= company + powers or found[-1].arrangement.cost > company:
                break
        begun = shuffle_free_places(problem, start, chance)
    if not found:
        found.append(_mended(_rebuilt_draw(problem, start, given, chance), company, powers))
    best = min(found, key=lambda mending: mending.cost)
    return _seats(problem, best.arrangement.board, best.assignment)


def _mended(mending: SwapImprovement, company: int, powers: int) -> SwapImprovement:
    if any(mending.assignment.problem.must_differ):
        KempeChains(mending.assignment, mending.chance).run(powers)
    mending.run(company + powers)
    return mending


def _rebuilt_draw(
    problem: SeatingProblem, start: list[int], given: PowerOfPlace, chance: SeededRandom
) -> SwapImprovement:
    """The boards and powers that are known to keep the hard rules."""
    assignment = SeatedPowers(problem, start, chance)
    assignment.complete_from(given)
    assignment.improve()
    return SwapImprovement(BoardArrangement(problem, start), assignment, chance)


def _goal(request: SeatingRequest, problem: SeatingProblem) -> int:
    """What company costs at least: no search goes on where it has come as far."""
    wishes, boards = request.soft_rules, len(problem.boards)
    here = set(request.people)
    largest = max(problem.sizes)
    joined = sum(_most_pairs(len(group & here), largest) for group in wishes.together)
    recorders = bounds.fewest_pairs_when_spread(len(wishes.recorders & here), boards)
    each = wishes.weights
    thirds = THIRD * third_meetings_bound(request)
    return (
        each.meetings * (repeats_bound(request) + thirds)
        + each.recorders * recorders
        - each.together * joined
    )


def _most_pairs(people: int, size: int) -> int:
    """The most pairs that share a board where boards have so many seats."""
    full, rest = divmod(people, size)
    return full * comb(size, 2) + comb(rest, 2)


def _seats(problem: SeatingProblem, board: Sequence[int], assignment: SeatedPowers) -> Seats:
    seats: dict[int, dict[str, int]] = {number: {} for number in problem.boards}
    for place, which in enumerate(board):
        seats[problem.boards[which]][assignment.power[place]] = problem.people[place]
    ordered = zip(problem.boards, problem.powers, strict=True)
    return {number: {power: seats[number][power] for power in powers} for number, powers in ordered}
