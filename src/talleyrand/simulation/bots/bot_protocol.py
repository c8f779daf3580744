"""What a bot is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from talleyrand.simulation.codes import Cells

if TYPE_CHECKING:
    from talleyrand.simulation.world import Games

    from .facts import Facts
    from .streams import Stream

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
