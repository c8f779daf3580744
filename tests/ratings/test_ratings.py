"""Ratings, against the example of Glickman's paper and against what holds for any game."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from talleyrand.ratings import Duel, Rating, rate_duels, rate_game

SEVEN = "AEFGIRT"


def test_the_example_of_the_paper() -> None:
    """Glickman's player of 1500 beats 1400 and loses to 1550 and 1700: 1464.06, 151.52, 0.05999."""
    duels = [Duel(Rating(1400, 30), 1), Duel(Rating(1550, 100), 0), Duel(Rating(1700, 300), 0)]
    found = rate_duels(Rating(1500, 200, 0.06), duels)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_two_people_play_a_game_of_glicko_2() -> None:
    one, other = Rating(1600, 80), Rating(1450, 120)
    found = rate_game({"A": one, "B": other}, {"A": Fraction(1), "B": Fraction(0)})
    assert found == {"A": rate_duels(one, [Duel(other, 1)]), "B": rate_duels(other, [Duel(one, 0)])}


def test_a_solo_is_worth_more_than_a_draw_of_three_and_that_more_than_a_survival() -> None:
    equal = {power: Rating() for power in SEVEN}
    solo = rate_game(equal, {power: Fraction(power == "F") for power in SEVEN})
    draw = rate_game(equal, {power: Fraction(power in "FGI", 3) for power in SEVEN})
    assert solo["F"].rating > draw["F"].rating > 1500 > solo["A"].rating > draw["A"].rating
    assert solo["F"].deviation < 350


def test_a_draw_among_all_who_are_equal_changes_no_rating() -> None:
    found = rate_game(
        {power: Rating(1500, 90) for power in SEVEN}, {power: Fraction(1, 7) for power in SEVEN}
    )
    assert {one.rating for one in found.values()} == {1500}


def test_nobody_to_play_against_changes_nothing() -> None:
    assert rate_game({}, {}) == {}
    assert rate_game({"A": Rating(1610, 70)}, {"A": Fraction(1)}) == {"A": Rating(1610, 70)}


def test_time_without_games_makes_less_sure_and_never_less_than_at_the_start() -> None:
    known = Rating(1700, 60)
    assert known.after_days(0) == known
    assert known.deviation < known.after_days(365).deviation < 350
    assert known.after_days(10**9).deviation == 350
    assert known.after_days(-3) == known


def test_any_results_leave_figures_that_can_be_kept() -> None:
    """A thousand random games: nothing runs away, and points of any size or sign are ranks alone."""
    lots, known = Random(7), {power: Rating() for power in SEVEN}
    for _game in range(1000):
        points = {power: Fraction(lots.randint(-300, 300), lots.randint(1, 7)) for power in SEVEN}
        known = rate_game({power: one.after_days(lots.random() * 90) for power, one in known.items()}, points)
    assert all(900 < one.rating < 2100 for one in known.values())
    assert all(20 < one.deviation < 200 and 0.01 < one.volatility < 0.2 for one in known.values())
