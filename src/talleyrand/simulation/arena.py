"""A vectorised game for programs that play or learn: reset, legal orders, step, rewards.

arena = Arena("classic", "datc", games=64, until=1920)
games = arena.reset(seed=1901)
options = arena.legal_orders()
rewards, over = arena.step(sheets)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from talleyrand import rulebooks, variants
from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.errors import UnknownName

from .array_layout import WINNER, Int64Array, UInt16Array
from .game_runner import BatchStep, GameBatch, GameRunner, LegalOrders

RewardArray = NDArray[np.float64]
RewardScheme = Callable[[Int64Array, Int64Array], RewardArray]


def solo(centres: Int64Array, winner: Int64Array) -> RewardArray:
    """One for the winner, nothing for the others, nor without a winner."""
    powers = np.arange(centres.shape[1])
    shares: RewardArray = (winner[:, None] == powers).astype(np.float64)
    return shares


def draw(centres: Int64Array, winner: Int64Array) -> RewardArray:
    """One for the winner; without one, the same share for every power that still has a centre."""
    return _with_winner(centres > 0, centres, winner)


def sum_of_squares(centres: Int64Array, winner: Int64Array) -> RewardArray:
    """One for the winner; without one, shares in proportion to the squares of the centres."""
    return _with_winner(centres * centres, centres, winner)


def share_of_centres(centres: Int64Array, winner: Int64Array) -> RewardArray:  # noqa: ARG001 (Rewards)
    """Shares in proportion to the centres, whoever won."""
    return _parts(centres)


def _with_winner(weights: NDArray[np.generic], centres: Int64Array, winner: Int64Array) -> RewardArray:
    shares: RewardArray = np.where((winner >= 0)[:, None], solo(centres, winner), _parts(weights))
    return shares


def _parts(weights: NDArray[np.generic]) -> RewardArray:
    """Parts of one; nothing where nobody has any weight."""
    heavy = weights.astype(np.float64)
    total = heavy.sum(axis=1, keepdims=True)
    parts: RewardArray = np.divide(heavy, total, out=np.zeros_like(heavy), where=total > 0)
    return parts


REWARDS: Mapping[str, RewardScheme] = {
    "sum_of_squares": sum_of_squares,
    "draw": draw,
    "centres": share_of_centres,
    "solo": solo,
}


class Arena:
    """Games of one variant by one book, side by side, to the end of the year `until` at the latest.

    `rewards` is the name of a scheme (`rewards.REWARDS`) or a function of the centres (game, power) and the
    winners (game; -1: none) that gives the rewards (game, power). Raises UnknownName for a variant, a book
    or a scheme that does not exist, ValueError for fewer than one game or a variant with politics.
    """

    legal = renamed_attribute("legal", "legal_orders")
    referee = renamed_attribute("referee", "runner")

    def __init__(
        self,
        variant: str = "classic",
        book: str = "datc",
        games: int = 64,
        until: int | None = 1920,
        rewards: str | Callable[[Int64Array, Int64Array], RewardArray] = "sum_of_squares",
    ) -> None:
        if isinstance(rewards, str) and rewards not in REWARDS:
            raise UnknownName("unknown_value", option="rewards", value=rewards, values=", ".join(REWARDS))
        if games < 1:
            raise ValueError(f"{games} games cannot be played")
        self.reward = REWARDS[rewards] if isinstance(rewards, str) else rewards
        self.runner = GameRunner(
            variants.load(variant).definition, rulebooks.load(book).adjudication_rules, until
        )
        self.powers = self.runner.names.powers
        self.game_count = games
        self.games = self.reset()
        self.last = BatchStep({}, 0)

    @property
    def shape(self) -> tuple[int, int]:
        """How many games, and how many provinces."""
        return self.game_count, len(self.runner.names.provinces)

    def reset(self, seed: int | str = "") -> GameBatch:
        """All games at their beginning; the seed settles what the book draws by lot."""
        self.games = self.runner.start(
            self.game_count, [f"{seed}/{number}" for number in range(self.game_count)]
        )
        return self.games

    def legal_orders(self) -> LegalOrders:
        """Every legal order of every game that is not over."""
        return self.runner.legal_orders(self.games)

    def step(self, sheets: UInt16Array) -> tuple[RewardArray, NDArray[np.bool_]]:
        """Play one phase of every game; gives the rewards of the games that it ended, nothing for the others,
        and which games are over. `last` tells what went to the engine, and how many orders were not legal.

        Raises ValueError for sheets of another shape or kind.
        """
        before = self.games.over
        self.last = self.runner.step(self.games, sheets)
        over = self.games.over
        rewards = self.reward(self.games.centres(), self.games.clock[:, WINNER])
        return np.where((over & ~before)[:, None], rewards, 0.0), over
