"""What a finished game is worth to each power, from its centres and its winner."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from .array_layout import Int64Array

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
