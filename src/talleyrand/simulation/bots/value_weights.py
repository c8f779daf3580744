"""What the value-spreading bot weighs, and how much: our own numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class ValueWeights(NamedTuple):
    """How a bot values provinces.

    `near` (2, rounds): what the worth spread over so many steps counts for, in the last moves before centres
    change hands and in earlier ones. A power of n centres is worth (n + `size`) squared to those who attack
    it, a neutral centre as much as one of `neutral` centres. `defence`: a threatened centre of one's own,
    beside one to attack. `strength` and `rivalry`: a unit that could help, and one that could oppose.
    `ferry`: all the shores across a sea together, beside one step. `afloat`: how much a fleet in a
    power that has them already counts less in winter. `noise`: how far, at most, chance changes a value.
    """

    near: FloatArray
    size: float
    neutral: float
    defence: float
    strength: float
    rivalry: float
    ferry: float
    afloat: float
    noise: float


# Autumn: what can be taken now. Spring: what can be reached by autumn.
_NEAR = np.array([[8.0, 2.0, 1.0, 0.6, 0.4, 0.2, 0.1, 0.1], [2.0, 6.0, 1.5, 0.8, 0.5, 0.3, 0.2, 0.1]])


def value_weights(noise: float) -> ValueWeights:
    """The bot's weights, with so much chance."""
    return ValueWeights(_NEAR, 3.0, 1.6, 0.6, 0.5, 0.45, 0.4, 0.3, noise)
