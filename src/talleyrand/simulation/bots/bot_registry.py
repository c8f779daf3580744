"""The bots by name. A new one adds its line to `_MAKERS`; what it needs is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.game import GameDefinition
from talleyrand.simulation.array_layout import UInt16Array

if TYPE_CHECKING:
    from talleyrand.simulation.game_batch import GameBatch

    from .bot_context import BotContext
    from .random_streams import StreamArray

STRENGTHS = ("easy", "normal", "hard")
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


def _hold(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (one strength)
    from .simple_bots import HoldBot

    return HoldBot()


def _random(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (one strength)
    from .simple_bots import RandomBot

    return RandomBot()


def _values(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (never hurries)
    from .value_bot import ValueBot

    return ValueBot(strength)


def _search(strength: str, by_count: bool) -> Bot:
    from .search_bot import BUDGETS, SearchBot

    return SearchBot(strength, replace(BUDGETS[strength], seconds=inf) if by_count else None)


_MAKERS: Mapping[str, Callable[[str, bool], Bot]] = {
    "hold": _hold,
    "random": _random,
    "values": _values,
    "search": _search,
}


BOTS_WITH_POLITICS = ("hold", "random", "values")
"""Those that play where there are politics: whoever looks ahead knows nothing of votes."""


def names() -> tuple[str, ...]:
    """The bots, the weakest first."""
    return tuple(_MAKERS)


def bots_for_variant(setting: GameDefinition) -> tuple[str, ...]:
    """The bots that play a variant, the weakest first."""
    return names() if setting.politics is None else BOTS_WITH_POLITICS


def check_bot_plays(setting: GameDefinition, bot: str) -> None:
    """Raise UnknownName (`unknown_bot`) for a bot that does not play a variant."""
    if bot not in bots_for_variant(setting):
        raise UnknownName("unknown_bot", bot=bot, known=", ".join(bots_for_variant(setting)))


def by_name(name: str, strength: str = "normal", *, by_count: bool = False) -> Bot:
    """A bot of one of the `STRENGTHS`, which `hold` and `random` do not have.

    `by_count`: one that no clock hurries and that thinks as much without Numba, so that every machine gives
    the same orders, however long that takes. Raises UnknownName (`unknown_bot`, `unknown_strength`).
    """
    if name not in _MAKERS:
        raise UnknownName("unknown_bot", bot=name, known=", ".join(_MAKERS))
    if strength not in STRENGTHS:
        raise UnknownName("unknown_strength", strength=strength, known=", ".join(STRENGTHS))
    return _MAKERS[name](strength, by_count)
