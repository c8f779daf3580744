"""The team trophy: who joins which team, and which is the best."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.tournament import team_trophy
from talleyrand.tournament.model import EventTeam

POINTS = {1: 50, 2: 20, 3: 30, 4: 40, 5: 35, 6: 35, 7: 70, 8: 60, 9: 10, 10: 50, 11: 20}
SCORES = {person: Fraction(points) for person, points in POINTS.items()}


def _teams(*members: tuple[int, ...]) -> dict[int, EventTeam]:
    return {number: EventTeam(f"Team {number}", held) for number, held in enumerate(members, 1)}


@pytest.mark.parametrize(
    ("boards", "played", "size"),
    [(0, False, 0), (1, False, 1), (2, True, 2), (3, True, 3), (7, True, 7), (8, True, 7), (30, True, 7)],
)
def test_how_large_a_team_is(boards: int, played: bool, size: int) -> None:
    """A member a board, seven at most; two boards at least."""
    assert team_trophy.is_contested(boards) is played
    assert team_trophy.max_team_size(boards) == size


@pytest.mark.parametrize(
    ("members", "places"),
    [
        ([(1, 2), (3, 4)], [2, 1]),  # 70 each: the lowest 20 against 30
        ([(5, 6), (3, 4)], [1, 2]),
        ([(7,), (1, 2)], [1, 2]),  # the same sum with fewer members
        ([(1, 2), (10, 11)], [1, 1]),  # all equal
        ([(1, 2), (10, 11), (7,)], [2, 2, 1]),
        ([(8, 9), (1, 2)], [2, 1]),  # 70 each: the lowest 10 against 20
        ([(9, 2, 4), (9, 3, 11), (7, 8)], [2, 3, 1]),
        ([(1,), (99,)], [1]),  # nobody of the second has played
        ([(1, 99), (10,)], [1, 1]),  # who did not play is no member
        ([], []),
    ],
)
def test_places(members: list[tuple[int, ...]], places: list[int]) -> None:
    """By the sum, then fewer members, then the better lowest, then the next."""
    found = {one.team: one.place for one in team_trophy.rank_teams(_teams(*members), SCORES)}
    assert [found[number] for number in sorted(found)] == places


def test_the_working() -> None:
    """Each member's score, the sum, and by what an equal team is told apart."""
    held = team_trophy.rank_teams(_teams((1, 2), (3, 4), (7,), (10, 11)), SCORES)
    lines = {one.team: [line.kind for line in one.lines] for one in held}
    assert [one.team for one in held] == [3, 2, 1, 4]
    assert lines[3] == ["team_member", "team_sum", *["team_before_members"] * 3]
    assert lines[2][3:] == ["team_before_lowest", "team_behind_members", "team_before_lowest"]
    assert lines[1][3:] == ["team_behind_lowest", "team_behind_members", "team_shared"]
    first = held[0]
    assert first.score == 70
    assert first.scores == ((7, Fraction(70)),)
    assert first.lines[1].points == 70


def test_the_lowest_come_first() -> None:
    """As the regulations compare them."""
    (found,) = team_trophy.rank_teams(_teams((7, 9, 3)), SCORES)
    assert [score for _, score in found.scores] == [10, 30, 70]


@pytest.mark.parametrize(
    ("members", "loners", "boards", "sizes"),
    [
        ([(1, 2)], [3], 3, [3]),
        ([(1, 2), (3,)], [4], 2, [2, 2]),  # the smallest first
        ([(1,), (2,)], [3, 4], 2, [2, 2]),
        ([(1, 2)], [3, 4, 5], 2, [2, 2, 1]),
        ([], [1, 2, 3, 4, 5, 6, 7], 3, [3, 2, 2]),  # as equal as they can be
        ([], [1, 2, 3], 8, [3]),
        ([(1, 2, 3)], [4], 2, [3, 1]),  # too large already: nobody joins
        ([(1, 2)], [], 3, [2]),
        ([], [1], 0, []),
    ],
)
def test_those_without_a_team(
    members: list[tuple[int, ...]], loners: list[int], boards: int, sizes: list[int]
) -> None:
    """Are drawn into incomplete teams, then into new ones."""
    found = team_trophy.complete_teams(_teams(*members), loners, boards, "a seed")
    assert [len(found[number]) for number in sorted(found)] == sizes
    assert found == team_trophy.complete_teams(_teams(*members), list(reversed(loners)), boards, "a seed")


def test_a_team_too_large_is_told() -> None:
    """Where fewer boards are played than was thought."""
    assert team_trophy.oversized_teams(_teams((1, 2, 3), (4, 5)), 2) == (1,)


@given(st.lists(st.integers(0, 4), max_size=6), st.integers(0, 30), st.integers(1, 9), st.text(max_size=5))
def test_everybody_has_one_team(sizes: list[int], loners: int, boards: int, seed: str) -> None:
    """None is left out, none is twice in one, and no team grows beyond what is allowed."""
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    given_teams = _teams(
        *(tuple(range(first + 1, first + size + 1)) for first, size in zip(starts, sizes, strict=True))
    )
    people = range(1, sum(sizes) + loners + 1)
    found = team_trophy.complete_teams(given_teams, people[sum(sizes) :], boards, seed)
    assert sorted(one for members in found.values() for one in members) == list(people)
    for number, members in found.items():
        before = given_teams[number].members if number in given_teams else ()
        assert members[: len(before)] == before
        assert len(members) <= max(team_trophy.max_team_size(boards), len(before))
