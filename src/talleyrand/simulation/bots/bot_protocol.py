"""What a bot is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from talleyrand.simulation.array_layout import UInt16Array

if TYPE_CHECKING:
    from talleyrand.simulation.game_batch import GameBatch

    from .bot_context import BotContext
    from .random_streams import StreamArray

PowerMask = NDArray[np.bool_]


class Bot(Protocol):
    """Somebody who writes orders; one object writes for one caller at a time."""

    @property
    def name(self) -> str:
        """What the registry calls it."""

    def write_orders(
        self, facts: BotContext, games: GameBatch, asked: PowerMask, orders: UInt16Array, streams: StreamArray
    ) -> None:
        """Write the orders of the powers asked for (game, power) into the sheets of the games.

        Other columns stay as they are, and so do games that are over. Whatever a bot leaves to chance it
        draws from the power's own stream (game, power), so that the same stream gives the same orders,
        whoever plays beside it.
        """


@runtime_checkable
class ThinkingBot(Protocol):
    """A bot that takes its time: `on_progress` is told how much of a phase is thought out, from 0 to 1."""

    on_progress: Callable[[float], None]
