"""Chance that a seed decides, the same on every machine and under every Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


class SeededRandom:
    """A stream of chance, made from a seed and what it is for. Only `Random.random` is promised to last."""

    def __init__(self, seed: str, purpose: str) -> None:
        number = int.from_bytes(sha256(f"{purpose}\n{seed}".encode("utf-8", "surrogatepass")).digest())
        self.fraction = Random(number).random  # noqa: S311  # lots, not secrets

    def random_below(self, count: int) -> int:
        """A whole number from 0 on, below `count`."""
        return int(self.fraction() * count)

    def choice(self, things: Sequence[Thing]) -> Thing:
        """One of them."""
        return things[self.random_below(len(things))]

    def shuffled(self, things: Iterable[Thing]) -> list[Thing]:
        """All of them in another order (Fisher and Yates)."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.random_below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
