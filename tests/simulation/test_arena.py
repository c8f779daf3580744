"""The vectorised game: reset, legal orders, step, rewards."""

from __future__ import annotations

import numpy as np
import pytest

from talleyrand import variants
from talleyrand.engine.errors import UnknownName
from talleyrand.simulation import array_layout
from talleyrand.simulation.arena import REWARDS, Arena, RewardArray
from talleyrand.simulation.array_layout import Int64Array
from tests.variants.plain import PLAIN

CENTRES = np.array([[6, 3, 1, 0], [18, 10, 6, 0], [0, 0, 0, 0]], np.int64)
WINNER = np.array([-1, 0, -1], np.int64)


def finished(arena: Arena, seed: int) -> tuple[RewardArray, Int64Array]:
    """Play to the end by lot; the sum of the rewards, and the centres."""
    lot = np.random.default_rng(seed)
    total = np.zeros((arena.game_count, len(arena.powers)))
    while not arena.games.over.all():
        rewards, over = arena.step(arena.legal_orders().choose(lot.random(arena.shape)))
        assert rewards[~over].sum() == 0
        assert arena.last.illegal == 0
        total += rewards
    return total, arena.games.centres()


@pytest.mark.parametrize("variant", PLAIN)
def test_each_game_is_rewarded_once(variant: str) -> None:
    until = variants.load(variant).definition.calendar.first.year + 2
    total, centres = finished(Arena(variant, games=5, until=until), 1)
    assert np.allclose(total.sum(axis=1), 1)
    assert (total[centres == 0] == 0).all()


def test_the_same_seed_gives_the_same_games_after_a_reset() -> None:
    arena = Arena("classic", "conspiracy", games=3, until=1903)
    arena.reset(seed=7)
    first = finished(arena, 2)
    assert not arena.reset(seed=7).over.any()
    again = finished(arena, 2)
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


def test_more_steps_than_games_last_change_nothing() -> None:
    arena = Arena("trio", games=2, until=1)
    finished(arena, 3)
    before = arena.games.places.copy()
    rewards, over = arena.step(arena.legal_orders().choose(np.zeros(arena.shape)))
    assert rewards.sum() == 0
    assert over.all()
    assert np.array_equal(arena.games.places, before)


def test_a_choice_at_either_end_is_legal() -> None:
    arena = Arena(games=1)
    options = arena.legal_orders()
    for fraction in (0.0, 1.0):
        sheets = options.choose(np.full(arena.shape, fraction))
        assert (sheets[0, array_layout.ORDER_KIND] != array_layout.NONE).sum() == 22


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum_of_squares", [[36 / 46, 9 / 46, 1 / 46, 0], [1, 0, 0, 0], [0, 0, 0, 0]]),
        ("draw", [[1 / 3, 1 / 3, 1 / 3, 0], [1, 0, 0, 0], [0, 0, 0, 0]]),
        ("centres", [[0.6, 0.3, 0.1, 0], [18 / 34, 10 / 34, 6 / 34, 0], [0, 0, 0, 0]]),
        ("solo", [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]),
    ],
)
def test_rewards(name: str, expected: list[list[float]]) -> None:
    assert np.allclose(REWARDS[name](CENTRES, WINNER), expected)


def test_rewards_may_be_a_function() -> None:
    def most(centres: Int64Array, winner: Int64Array) -> RewardArray:
        assert winner.shape == (2,)
        return np.where(centres == centres.max(axis=1, keepdims=True), 1.0, 0.0)

    total, centres = finished(Arena("trio", games=2, until=2, rewards=most), 4)
    assert np.array_equal(total == 1, centres == centres.max(axis=1, keepdims=True))


def test_what_does_not_exist_is_refused() -> None:
    for variant, book, rewards in (
        ("ludo", "datc", "draw"),
        ("trio", "ludo", "draw"),
        ("trio", "datc", "ludo"),
    ):
        with pytest.raises(UnknownName):
            Arena(variant, book, rewards=rewards)
    with pytest.raises(ValueError, match="0 games"):
        Arena("trio", games=0)
    with pytest.raises(ValueError, match="do not fit 2 games"):
        Arena("trio", games=2, until=1).legal_orders().choose(np.zeros((1, 10)))
