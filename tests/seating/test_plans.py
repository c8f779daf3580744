"""Events planned ahead: the best known value of every size, no repeat where a construction has none."""

from itertools import combinations
from math import comb

import pytest

from talleyrand.seating import EventPlan, SeatingError, bounds, plan
from talleyrand.seating.meeting_designs import (
    RoundTable,
    construct_rounds,
    finite_field,
    known_shifts,
    prime_power,
    read_tables,
    shifts_never_repeat,
)
from tests.seating.events import boards, quality, repeats, whole

# Players, rounds, and what is best known: repeats of pairs, and how often the pair meets that meets most.
BEST_KNOWN = [
    (14, 3, 54, 3),
    (14, 4, 108, 3),
    (14, 5, 180, 4),
    (21, 3, 45, 2),
    (21, 4, 90, 2),
    (21, 5, 150, 3),
    (28, 3, 36, 2),
    (28, 4, 72, 2),
    (28, 5, 120, 2),
    (28, 6, 180, 2),
    (35, 3, 30, 2),
    (35, 4, 60, 2),
    (35, 5, 100, 2),
    (35, 6, 150, 2),
    (42, 3, 18, 2),
    (42, 4, 36, 2),
    (42, 5, 60, 2),
    (42, 6, 90, 2),
]
WITHOUT_REPEAT = [
    (49, 5),
    (49, 8),
    (56, 5),
    (56, 8),
    (63, 8),
    (70, 5),
    (70, 7),
    (77, 8),
    (84, 7),
    (91, 8),
    (105, 5),
    (210, 5),
    (420, 8),
]


def planned(players: int, rounds: int, seed: str = "1901") -> EventPlan:
    return plan(range(1, players + 1), rounds, seed)


@pytest.mark.parametrize(("players", "rounds", "best", "most"), BEST_KNOWN)
def test_the_best_known_value_is_reached(players: int, rounds: int, best: int, most: int) -> None:
    found = planned(players, rounds)
    assert whole(found, players, dict.fromkeys(range(1, players // 7 + 1), 7))
    assert (found.repeats, found.most_meetings) == quality(found.rounds)
    assert found.bound == comb(rounds, 2) * bounds.fewest_repeats_of_two_rounds(players // 7)
    assert (found.repeats, found.most_meetings) <= (best, most)
    assert found.power_repeats == found.power_bound == 0


@pytest.mark.parametrize(("players", "rounds"), WITHOUT_REPEAT)
def test_nobody_meets_twice_from_seven_boards_on(players: int, rounds: int) -> None:
    found = planned(players, rounds)
    assert whole(found, players, dict.fromkeys(range(1, players // 7 + 1), 7))
    assert max(repeats(found.rounds).values()) == found.most_meetings == 1
    assert (found.repeats, found.bound) == (0, 0)
    assert found.power_repeats == found.power_bound == players * max(0, rounds - 7)


@pytest.mark.parametrize(
    ("players", "rounds"), [(14, 7), (14, 8), (35, 7), (42, 8), (49, 7), (49, 8), (77, 9)]
)
def test_powers_come_again_no_more_than_they_must(players: int, rounds: int) -> None:
    found = planned(players, rounds)
    pairs = [(who, power) for one in found.rounds for given in one.values() for power, who in given.items()]
    assert len(pairs) - len(set(pairs)) == found.power_repeats == players * max(0, rounds - 7)


@pytest.mark.parametrize(("players", "rounds"), [(17, 2), (23, 3), (110, 4)])
def test_who_is_too_many_stands_down_in_turn(players: int, rounds: int) -> None:
    found = planned(players, rounds)
    assert whole(found, players, dict.fromkeys(range(1, players // 7 + 1), 7))
    rested = [sum(who in rest for rest in found.resting) for who in range(1, players + 1)]
    assert max(rested) - min(rested) <= 1
    assert found.repeats == quality(found.rounds)[0] >= found.bound
    assert found.power_repeats == 0


def test_boards_of_other_sizes_are_planned_too() -> None:
    found = plan(range(1, 27), 3, "a", boards(7, 7, 6, 6))
    assert whole(found, 26, {1: 7, 2: 7, 3: 6, 4: 6})
    assert found.power_repeats == 0
    assert found.repeats == quality(found.rounds)[0] >= found.bound > 0


def test_a_seed_gives_the_same_plan_and_another_seed_another() -> None:
    assert planned(28, 4, "a") == planned(28, 4, "a")
    assert planned(28, 4, "a").rounds != planned(28, 4, "b").rounds
    assert planned(23, 3, "a") == planned(23, 3, "a")


@pytest.mark.parametrize(
    ("people", "rounds", "code"),
    [
        (range(6), 3, "seating_too_few"),
        (range(0), 3, "seating_too_few"),
        (range(14), 0, "seating_rounds"),
        (range(14), 21, "seating_rounds"),
        (range(421), 3, "seating_too_many"),
        ((1, 2, 3, 4, 5, 6, 6), 3, "seating_person_twice"),
    ],
)
def test_what_cannot_be_planned_is_refused(people: range, rounds: int, code: str) -> None:
    with pytest.raises(SeatingError) as refused:
        plan(people, rounds)
    assert refused.value.code == code


def test_boards_that_make_no_sense_are_refused_in_plans_too() -> None:
    for powers, code in ((("ITALY",) * 7, "seating_power_twice"), ((), "seating_board_size")):
        with pytest.raises(SeatingError) as refused:
            plan(range(14), 3, boards={1: powers})
        assert refused.value.code == code


def test_people_who_never_play_are_reckoned_with() -> None:
    found = plan(range(30), 2, boards=boards(7))
    assert (found.repeats, found.bound) == (0, 0)


class TestMaterial:
    """The tables and shifts that are kept, each looked at whole."""

    @pytest.mark.parametrize(("size", "table"), read_tables().items(), ids=lambda value: str(value)[:8])
    def test_tables_seat_everybody_once(self, size: tuple[int, int], table: RoundTable) -> None:
        count, rounds = size
        assert len(table.rounds) == rounds
        for companies in table.rounds:
            assert [len(company) for company in companies] == [7] * count
            assert sorted(person for company in companies for person in company) == list(range(7 * count))

    @pytest.mark.parametrize("count", range(7, 61))
    def test_shifts_part_everybody(self, count: int) -> None:
        rows = known_shifts(count)
        assert len(rows) >= (7 if count in (10, 12) else 1)
        assert all(shifts_never_repeat(one, other, count) for one, other in combinations(rows, 2))

    @pytest.mark.parametrize("count", range(7, 61))
    def test_five_rounds_at_least_are_built(self, count: int) -> None:
        table = construct_rounds(count, 5)
        assert table
        assert len(table.rounds) == 5
        assert max(table.meetings().values()) == 1

    def test_below_seven_boards_nothing_is_built(self) -> None:
        assert construct_rounds(6, 3) is None


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 11, 16, 25, 27])
def test_fields_are_fields(order: int) -> None:
    found = finite_field(order)
    assert found
    everything, sums, products = range(order), found.sums, found.products
    assert all(sorted(row) == list(everything) for row in sums)
    assert all(sorted(row) == list(everything) for row in products[1:])
    assert all(products[1][one] == one and sums[0][one] == one for one in everything)
    for a, b, c in combinations(everything, 3):
        assert products[a][sums[b][c]] == sums[products[a][b]][products[a][c]]
        assert products[a][products[b][c]] == products[products[a][b]][c]


def test_other_numbers_have_no_field() -> None:
    assert [order for order in range(28) if not prime_power(order)] == [
        *(0, 1, 6, 10, 12, 14, 15, 18, 20, 21, 22, 24, 26),
    ]
    assert finite_field(12) is None
