"""The search for boards against every draw there is, where they are few enough to try them all."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from talleyrand.seating import PastGame, RoundDraw, SeatingHistory, SeatingRequest, TeamRule, draw
from talleyrand.seating.board_search import COOLING, Annealing, BoardArrangement
from talleyrand.seating.seating_problem import compile_request, count_meetings
from talleyrand.seating.seeded_random import SeededRandom
from tests.seating.events import past, request

TEAMS = tuple(TeamRule(frozenset({at, at + 1})) for at in range(1, 14, 2))


def fourth_round(seed: str) -> SeatingRequest:
    """Of fourteen people, whose team mates sit apart."""
    drawn: list[RoundDraw] = []
    for number in range(3):
        drawn.append(draw(replace(request(14, *TEAMS, seed=f"{seed} {number}"), history=past(*drawn))))
    return replace(request(14, *TEAMS, seed=seed), history=past(*drawn))


def least(asked: SeatingRequest) -> tuple[int, int]:
    """The fewest third meetings, and the fewest repeats with so few, of all draws that part the teams."""
    met = count_meetings(asked.history, asked.soft_rules).met
    found = []
    for board in combinations(asked.people[1:], 6):
        tables = {asked.people[0], *board}, set(asked.people) - {asked.people[0], *board}
        if all(len(rule.members & tables[0]) == 1 for rule in TEAMS):
            times = [met[pair] for table in tables for pair in combinations(sorted(table), 2)]
            found.append((sum(time > 1 for time in times), sum(times)))
    return min(found)


@pytest.mark.long
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_no_draw_of_fourteen_people_is_better(seed: str) -> None:
    asked = fourth_round(seed)
    drawn = draw(asked)
    assert (len(drawn.third_meetings), drawn.repeats) == least(asked)


def test_annealing_keeps_its_accounts_and_comes_down() -> None:
    first = draw(request(42))
    games = tuple(PastGame(given) for given in first.seats.values())
    problem = compile_request(replace(request(42), history=SeatingHistory(games)))
    start = BoardArrangement(problem, [place // 7 for place in range(42)])
    before = start.cost
    search = Annealing(start, SeededRandom("seed", "test"), 100_000)
    search.run(6 * 100_000)
    assert search.cost == BoardArrangement(problem, search.best).cost == 6 * 100_000 < before
    assert start.cost == BoardArrangement(problem, start.board).cost


def test_what_costs_more_passes_more_seldom_and_ever_more_seldom() -> None:
    assert all(list(odds) == sorted(odds, reverse=True) for odds in COOLING)
    assert all(a[1] > b[1] for a, b in pairwise(COOLING))
