"""The Baf: every printed cell, from the table that is shipped and from the form that lies behind it."""

from __future__ import annotations

import csv
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest

from talleyrand import scoring
from talleyrand.formats.score_json import decimal_points
from talleyrand.scoring import GameEnding

HERE = Path(__file__).parent
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
TIED = {2: 6, 3: 0, 4: -3, 5: -4, 6: -4}  # by how much a shared first place is moved along its scale


def cells(name: str) -> list[tuple[int, int, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return [(int(held), int(other), score) for held, other, score in list(csv.reader(file))[1:]]


def held(mine: int, other: int, ties: int = 1) -> dict[str, int]:
    """Centres of seven powers: the first has its own, so many others the most."""
    counts = [mine, *[other] * ties]
    rest = [0] * (len(POWERS) - len(counts))
    return dict(zip(POWERS, counts + rest, strict=True))


# the form behind the table: the cases of each kind put in an order, and the points spread evenly over them


def least(mine: int) -> int:
    """The first columns of a row share one value, up to this one."""
    return max(0, ceil(Fraction(22 - mine, 6))) + 2


ALONE = sorted(
    ((n, m) for n in range(6, 18) for m in range(least(n), n)), key=lambda c: (2 * c[0] - c[1], -c[0])
)
BEHIND = sorted(
    ((n, m) for n in range(1, 17) for m in range(max(least(n), n + 1), 18)),
    key=lambda c: (Fraction(c[0] + 1, c[1]), c[0]),
)


def formed(mine: int, other: int) -> Fraction:
    if mine >= 18:
        return Fraction(100)
    if not mine or other >= 18:
        return Fraction(0)
    place = (mine, max(other, least(mine)))
    if mine < other:
        return Fraction(25, 2) + Fraction(25 * BEHIND.index(place), 253)
    return Fraction(50) if mine <= 5 else 50 + Fraction(2 * ALONE.index(place) + 1, 7)


def formed_tie(mine: int, tied: int) -> Fraction:
    if tied == 7 or (tied, mine) == (6, 4):
        return Fraction(25)
    return 25 + Fraction(25 * (2 * (max(mine, 5) + TIED[tied]) - 1), 46)


def test_every_cell() -> None:
    baf, wrong = scoring.load("baf"), []
    for mine, other, score in cells("baf.csv"):
        found = baf.score(GameEnding(held(mine, other)))["AUSTRIA"].points
        if not decimal_points(found) == decimal_points(formed(mine, other)) == score:
            wrong.append((mine, other, score, found))
    assert wrong == []
    assert len(cells("baf.csv")) == 296


def test_every_tie() -> None:
    baf, wrong = scoring.load("baf"), []
    for mine, tied, score in cells("baf_ties.csv"):
        found = baf.score(GameEnding(held(mine, mine, tied - 1)))
        points = {decimal_points(found[power].points) for power in POWERS[:tied]}
        if points != {decimal_points(formed_tie(mine, tied))} or points != {score}:
            wrong.append((mine, tied, score, points))
    assert wrong == []
    assert len(cells("baf_ties.csv")) == 33


@pytest.mark.parametrize(
    ("counts", "solo", "expected"),
    [
        ({"A": 18, "E": 16, "F": 0}, 18, {"A": "100.000", "E": "0.000", "F": "0.000"}),
        ({"A": 14, "E": 13}, 14, {"A": "100.000", "E": "0.000"}),  # Sandad: 27 centres
        ({"A": 3, "E": 2}, 4, {"A": "50.000", "E": "17.243"}),  # not printed: first column to the right
        ({"A": 3, "E": 3}, 18, {"A": "36.413", "E": "36.413"}),
        (dict.fromkeys("AEFGIRT", 3), 18, dict.fromkeys("AEFGIRT", "25.000")),
        ({"A": 0, "E": 0}, 18, {"A": "0.000", "E": "0.000"}),
    ],
)
def test_wins_alone_and_other_boards(counts: dict[str, int], solo: int, expected: dict[str, str]) -> None:
    found = scoring.load("baf").score(GameEnding(counts, centres_to_win=solo))
    assert {power: decimal_points(score.points) for power, score in found.items()} == expected


def test_eliminated_with_a_foreign_centre_and_no_unit() -> None:
    end = GameEnding({"A": 17, "E": 15, "F": 2}, units={"A": 15, "E": 12}, homes={"A": 3, "E": 3})
    assert end.dead == ("F",)
    assert scoring.load("baf").score(end)["F"].points == 0
    at_home = GameEnding({"A": 17, "E": 15, "F": 2}, units={"A": 15, "E": 12}, homes={"A": 3, "E": 3, "F": 1})
    assert scoring.load("baf").score(at_home)["F"].points > 0
