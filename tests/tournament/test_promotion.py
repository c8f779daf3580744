"""Up and down between two seasons: who moves, ties, places left free."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.tournament import promotion, standings
from tests.tournament.room import ended


def moved(*divisions: str, moving: int = 1, sizes: tuple[int, ...] = ()) -> list[str]:
    """Divisions as letters, best first."""
    return ["".join(sorted(one)) for one in promotion.next_divisions(divisions, moving, sizes)]


@pytest.mark.parametrize(
    ("divisions", "moving", "sizes", "after"),
    [
        (("ABCDEFG", "HIJKLMN"), 2, (7, 7), ["ABCDEHI", "FGJKLMN"]),
        (("ABCDEFG", "HIJKLMN"), 0, (7, 7), ["ABCDEFG", "HIJKLMN"]),
        (("ABCD", "EFGH", "IJKL"), 1, (4, 4, 4), ["ABCE", "DFGI", "HJKL"]),
        (("ABCD", "EFGH"), 9, (4, 4), ["ABEF", "CDGH"]),  # never more than half
        (("ABCDEF", "HIJKLMN"), 2, (7, 7), ["ABCDHIJ", "EFKLMN"]),  # one of the first left
        (("ABCD", "E", ""), 2, (4, 4, 4), ["ABCD", "E", ""]),
        (("A", "B"), 1, (1, 1), ["A", "B"]),
        (("", "BC"), 1, (2, 2), ["BC", ""]),
        (("AB", "", "CD"), 1, (3, 2, 2), ["ABC", "D", ""]),  # two divisions up, where nobody is between
        (("ABCDEFG",), 2, (7,), ["ABCDEFG"]),
        ((), 2, (), []),
    ],
)
def test_who_is_where_in_the_next_season(
    divisions: tuple[str, ...], moving: int, sizes: tuple[int, ...], after: list[str]
) -> None:
    assert moved(*divisions, moving=moving, sizes=sizes) == after


def test_nobody_is_lost_and_nobody_is_twice() -> None:
    everybody = [chr(65 + at) for at in range(24)]
    for moving in range(5):
        for first in range(9):
            divisions = (everybody[:first], everybody[first:14], everybody[14:])
            after = promotion.next_divisions(divisions, moving, (8, 8, 8))
            assert sorted(who for one in after for who in one) == everybody


def test_a_shared_place_is_decided_by_a_lot_that_anybody_draws_again() -> None:
    event = ended()
    held = standings.compute_standings(event)
    people = sorted(event.people)
    order = promotion.final_order(held, people, "k")
    assert sorted(order) == people
    places = {line.person: line.place for line in held.lines}
    told = [places.get(who, len(places) + 1) for who in order]
    assert told == sorted(told)
    tied = replace(held, lines=tuple(replace(line, place=1) for line in held.lines))
    orders = {tuple(promotion.final_order(tied, people, seed)) for seed in "abcdefgh"}
    assert len(orders) > 1
    assert promotion.final_order(tied, people[::-1], "a") == promotion.final_order(tied, people, "a")
