"""The bots by name. What one needs is imported when it is asked for."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.game import GameDefinition

from .bot_protocol import Bot

STRENGTHS = ("easy", "normal", "hard")


_NAMES = ("hold", "random", "values", "search")


def _make(name: str, strength: str, by_count: bool) -> Bot:
    if name == "search":
        from .search_bot import BUDGETS, SearchBot

        return SearchBot(strength, replace(BUDGETS[strength], seconds=inf) if by_count else None)
    if name == "values":
        from .value_bot import ValueBot

        return ValueBot(strength)
    from .simple_bots import HoldBot, RandomBot

    return RandomBot() if name == "random" else HoldBot()


BOTS_WITH_POLITICS = ("hold", "random", "values")
"""Those that play where there are politics: whoever looks ahead knows nothing of votes."""


def names() -> tuple[str, ...]:
    """The bots, the weakest first."""
    return _NAMES


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
    if name not in _NAMES:
        raise UnknownName("unknown_bot", bot=name, known=", ".join(_NAMES))
    if strength not in STRENGTHS:
        raise UnknownName("unknown_strength", strength=strength, known=", ".join(STRENGTHS))
    return _make(name, strength, by_count)
