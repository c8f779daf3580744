"""The bots by name. A new one adds its line to `_MAKERS`; what it needs is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.errors import UnknownName
from talleyrand.simulation.codes import Cells

if TYPE_CHECKING:
    from talleyrand.simulation.world import Games

    from .facts import Facts
    from .streams import Stream

STRENGTHS = ("easy", "normal", "hard")
Asked = NDArray[np.bool_]


class Bot(Protocol):
    """Somebody who writes orders; one object writes for one caller at a time."""

    @property
    def name(self) -> str:
        """What the registry calls it."""

    def order(self, facts: Facts, games: Games, asked: Asked, orders: Cells, streams: Stream) -> None:
        """Write the orders of the powers asked for (game, power) into the sheets of the games.

        Other columns stay as they are, and so do games that are over. Whatever a bot leaves to chance it
        draws from the power's own stream (game, power), so that the same stream gives the same orders,
        whoever plays beside it.
        """


@runtime_checkable
class Watched(Protocol):
    """A bot that takes its time. `watch` is told how much of a phase's thinking is done, from 0 to 1."""

    watch: Callable[[float], None]


def _hold(strength: str) -> Bot:  # noqa: ARG001 (one strength)
    from .simple import Hold

    return Hold()


def _random(strength: str) -> Bot:  # noqa: ARG001 (one strength)
    from .simple import Random

    return Random()


def _values(strength: str) -> Bot:
    from .values import Values

    return Values(strength)


def _search(strength: str) -> Bot:
    from .search import Search

    return Search(strength)


_MAKERS: Mapping[str, Callable[[str], Bot]] = {
    "hold": _hold,
    "random": _random,
    "values": _values,
    "search": _search,
}


def names() -> tuple[str, ...]:
    """The bots, the weakest first."""
    return tuple(_MAKERS)


def by_name(name: str, strength: str = "normal") -> Bot:
    """A bot of one of the `STRENGTHS`, which `hold` and `random` do not have.

    Raises UnknownName (`unknown_bot`, `unknown_strength`).
    """
    if name not in _MAKERS:
        raise UnknownName("unknown_bot", bot=name, known=", ".join(_MAKERS))
    if strength not in STRENGTHS:
        raise UnknownName("unknown_strength", strength=strength, known=", ".join(STRENGTHS))
    return _MAKERS[name](strength)
