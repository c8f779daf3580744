"""The proven bounds, against everything there is where that is little enough."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.seating import bounds


def spreads(count: int, boards: int) -> Iterator[tuple[int, ...]]:
    return (counts for counts in product(range(count + 1), repeat=boards) if sum(counts) == count)


@pytest.mark.parametrize("boards", [1, 2, 3, 4])
@pytest.mark.parametrize("count", range(8))
def test_spread_is_the_least_of_all(count: int, boards: int) -> None:
    least = min(sum(comb(here, 2) for here in counts) for counts in spreads(count, boards))
    assert bounds.fewest_pairs_when_spread(count, boards) == least


def test_two_rounds_on_so_many_boards() -> None:
    assert [bounds.fewest_repeats_of_two_rounds(boards) for boards in range(1, 9)] == [
        21,
        18,
        15,
        12,
        10,
        6,
        0,
        0,
    ]


def test_somebody_meets_again() -> None:
    assert [bounds.most_meetings(boards, 8) for boards in range(2, 9)] == [3, 2, 2, 2, 2, 1, 1]
    assert bounds.most_meetings(2, 2) == 2


def sittings(people: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    for board in combinations(people, sizes[0]):
        rest = [person for person in people if person not in board]
        yield from ([board, *others] for others in sittings(rest, sizes[1:]))


@given(
    sizes=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    games=st.lists(st.sets(st.integers(0, 8), min_size=2, max_size=3), max_size=4),
    lock=st.none() | st.tuples(st.integers(0, 2), st.integers(0, 2)),
)
def test_no_round_is_better_than_the_bound(
    sizes: list[int], games: list[set[int]], lock: tuple[int, int] | None
) -> None:
    people = list(range(sum(sizes)))
    locked = dict([lock]) if lock and lock[0] in people and lock[1] < len(sizes) else {}
    here = [dict.fromkeys(game & set(people), 1) for game in games]
    bound = bounds.fewest_repeats_of_next_round(here, sizes, locked)
    met = [
        sum(comb(len(game.keys() & set(board)), 2) for game in here for board in sitting)
        for sitting in sittings(people, sizes)
        if all(person in sitting[board] for person, board in locked.items())
    ]
    assert bound <= min(met)
    assert len(games) != 1 or bound == min(met)


@given(
    sizes=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    games=st.lists(st.sets(st.integers(0, 8), min_size=2, max_size=5), max_size=4),
)
def test_no_round_has_fewer_third_meetings_than_the_bound(sizes: list[int], games: list[set[int]]) -> None:
    people = set(range(sum(sizes)))
    here = [game & people for game in games]
    met = Counter(pair for game in here for pair in combinations(sorted(game), 2))
    bound = bounds.fewest_third_meetings(here, len(sizes))
    third = [
        sum(met[pair] > 1 for board in sitting for pair in combinations(sorted(board), 2))
        for sitting in sittings(sorted(people), sizes)
    ]
    assert bound <= min(third)


@given(played=st.lists(st.frozensets(st.sampled_from("AEF")), min_size=3, max_size=6))
def test_fewest_powers_again_is_exact(played: list[frozenset[str]]) -> None:
    played = played[: len(played) // 3 * 3]
    seats = dict.fromkeys("AEF", len(played) // 3)
    names = [power for power, count in seats.items() for _ in range(count)]
    least = min(
        sum(power in before for power, before in zip(order, played, strict=True))
        for order in permutations(names)
    )
    assert bounds.fewest_power_repeats_of_round(played, seats) == least
