"""Numbers drawn at random, the same on every machine: splitmix64 (Steele, Lea and Flood, 2014).

Each power draws from a stream of its own, which starts from the seed, the number of the game, the number of
the phase and the power alone: whoever else plays beside it in the same batch does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from talleyrand.simulation.array_layout import Scalar
from talleyrand.simulation.numba_compiler import compiled

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_GOLDEN, _FIRST, _SECOND = np.uint64(GOLDEN), np.uint64(FIRST), np.uint64(SECOND)
_S27, _S30, _S31, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_MASK = (1 << 64) - 1
_UNIT = 1.0 / (1 << 53)

StreamArray = NDArray[np.uint64]
Item = TypeVar("Item")


def stream_start(*numbers: int) -> int:
    """Where the stream of these numbers starts (seed, game, phase, power): any whole numbers."""
    state = 0
    for number in numbers:
        state = _scrambled(state + GOLDEN ^ number & _MASK)
    return state


def _scrambled(value: int) -> int:
    value &= _MASK
    value = (value ^ value >> 30) * FIRST & _MASK
    value = (value ^ value >> 27) * SECOND & _MASK
    return value ^ value >> 31


def stream_starts(seed: int, games: Sequence[int], phase: int, powers: int) -> StreamArray:
    """The streams of every power of the games with these numbers in one phase: (games, powers)."""
    state = np.full((len(games), powers), stream_start(seed), np.uint64)
    for numbers in (
        np.array(games, np.uint64)[:, None],
        np.uint64(phase),
        np.arange(powers, dtype=np.uint64),
    ):
        state = _all_scrambled(state + _GOLDEN ^ numbers)
    return state


def _all_scrambled(value: StreamArray) -> StreamArray:
    value = (value ^ value >> _S30) * _FIRST
    value = (value ^ value >> _S27) * _SECOND
    return value ^ value >> _S31


class RandomStream:
    """One stream, drawn from Python."""

    def __init__(self, state: int) -> None:
        self.state = state

    def random_below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        self.state = self.state + GOLDEN & _MASK
        return int((_scrambled(self.state) >> 11) * _UNIT * count)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of several."""
        return items[self.random_below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """All of them in any order."""
        mixed = list(items)
        for at in range(len(mixed) - 1, 0, -1):
            other = self.random_below(at + 1)
            mixed[at], mixed[other] = mixed[other], mixed[at]
        return mixed


@compiled
def random_fraction(state: StreamArray) -> Scalar:
    """A number at least 0 and below 1 from the stream whose state is the first cell; the state moves on."""
    state[0] = state[0] + _GOLDEN
    value = state[0]
    value = (value ^ (value >> _S30)) * _FIRST
    value = (value ^ (value >> _S27)) * _SECOND
    return np.float64((value ^ (value >> _S31)) >> _S11) * _UNIT


@compiled
def random_below(state: StreamArray, count: int) -> Scalar:
    """A number from 0 to `count` - 1."""
    return np.int64(random_fraction(state) * count)
