"""Whether a round of `benchmarks.seating_harsh` could have fewer repeats than it was drawn with.

Everybody is put on a board in turn, every way there is; a way is left where each earlier board, spread as
evenly as still can be, repeats as many pairs as the draw already. Rules are kept, and there are no more third
meetings than in the draw.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from talleyrand.seating import RoundDraw, SeatingRequest
from talleyrand.seating.seating_problem import SeatingProblem, compile_request, count_meetings
from talleyrand.seating.seating_request import pair

MOST_STEPS = 1_000_000
BETTER, PROVEN, OPEN = "better exists", "proved out of reach", "not decided"


def prove_least(request: SeatingRequest, drawn: RoundDraw) -> str:
    """Whether no draw has fewer repeats: PROVEN, BETTER, or OPEN after so many steps."""
    problem = compile_request(request)
    games = [set(game.seats.values()) for game in request.history.games]
    order = _order(problem, games)
    people = [problem.people[at] for at in order]
    met = count_meetings(request.history, request.soft_rules).met
    rules = (
        np.array([[person in game for person in people] for game in games], np.int64),
        np.array([[met[pair(one, other)] > 1 for other in people] for one in people], np.int64),
        np.array([[other in problem.must_part[one] for other in order] for one in order]),
        np.array(sorted(problem.sizes), np.int64),
    )
    return (PROVEN, BETTER, OPEN)[_search(rules, drawn.repeats - 1, len(drawn.third_meetings), MOST_STEPS)]


def _order(problem: SeatingProblem, games: Sequence[set[int]]) -> list[int]:
    """Those first who have most to do with those who are placed."""
    left, order = list(range(len(problem.people))), list[int]()
    bonds = [0] * len(left)
    while left:
        first = max(left, key=bonds.__getitem__)
        left.remove(first)
        order.append(first)
        for other in left:
            both = {problem.people[first], problem.people[other]}
            bonds[other] += sum(both <= game for game in games) + 2 * (other in problem.must_part[first])
    return order


@njit(cache=True)
def _third_meetings(at, new, board, third, apart):  # type: ignore[no-untyped-def]
    """How many meet for the third time where somebody joins a board; -1 where a rule parts him from it."""
    again = 0
    for other in range(at):
        if board[other] == new:
            if apart[at, other]:
                return -1
            again += third[at, other]
    return again


@njit(cache=True)
def _least_to_come(at, new, member, here, left):  # type: ignore[no-untyped-def]
    """The fewest repeats of those who are still to be placed: each game is spread for itself."""
    least, held = 0, np.zeros(here.shape[1], np.int64)
    for game in range(len(left)):
        held[:] = here[game]
        held[new] += member[game, at]
        for _ in range(left[game] - member[game, at]):
            low = 0
            for one in range(1, len(held)):
                if held[one] < held[low]:
                    low = one
            least += held[low]
            held[low] += 1
    return least


@njit(cache=True)
def _next_board(at, state, rules, most, thirds):  # type: ignore[no-untyped-def]
    """The next board that somebody may still join, with what it costs, or -1; and how many were looked at."""
    board, room, here, left, cost, met = state
    member, third, apart, sizes = rules
    looked = 0
    for new in range(board[at] + 1, len(sizes)):
        empty = room[new] == sizes[new]
        if room[new] == 0 or (
            empty and new > 0 and sizes[new - 1] == sizes[new] and room[new - 1] == sizes[new - 1]
        ):
            continue
        looked += 1
        again = _third_meetings(at, new, board, third, apart)
        if again < 0 or met[at] + again > thirds:
            continue
        repeats = cost[at] + (member[:, at] * here[:, new]).sum()
        if repeats + _least_to_come(at, new, member, here, left) <= most:
            cost[at + 1], met[at + 1] = repeats, met[at] + again
            return new, looked
    return -1, looked


@njit(cache=True)
def _search(rules, most, thirds, steps):  # type: ignore[no-untyped-def]
    """0: no seating has so few repeats (`most`) and third meetings (`thirds`); 1: one has; 2: not decided."""
    member, _, _, sizes = rules
    games, count = member.shape
    here, left = np.zeros((games, len(sizes)), np.int64), member.sum(axis=1)
    room, board = sizes.copy(), np.full(count, -1, np.int64)
    state = (board, room, here, left, np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64))
    at = 0
    while at >= 0 and steps > 0:
        if board[at] >= 0:
            room[board[at]] += 1
            here[:, board[at]] -= member[:, at]
            left += member[:, at]
        board[at], looked = _next_board(at, state, rules, most, thirds)
        steps -= looked
        if board[at] < 0:
            at -= 1
            continue
        room[board[at]] -= 1
        here[:, board[at]] += member[:, at]
        left -= member[:, at]
        at += 1
        if at == count:
            return 1
    return 0 if at < 0 else 2
