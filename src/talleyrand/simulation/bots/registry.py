"""The bots by name. A new one adds its line to `_MAKERS`; what it needs is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.game import Setting

from .bot_protocol import Bot

STRENGTHS = ("easy", "normal", "hard")


def _hold(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (one strength)
    from .simple import Hold

    return Hold()


def _random(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (one strength)
    from .simple import Random

    return Random()


def _values(strength: str, by_count: bool) -> Bot:  # noqa: ARG001 (never hurries)
    from .values import Values

    return Values(strength)


def _search(strength: str, by_count: bool) -> Bot:
    from .search import BUDGETS, Search

    return Search(strength, replace(BUDGETS[strength], seconds=inf) if by_count else None)


_MAKERS: Mapping[str, Callable[[str, bool], Bot]] = {
    "hold": _hold,
    "random": _random,
    "values": _values,
    "search": _search,
}


POLITICIANS = ("hold", "random", "values")
"""Those that play where there are politics: whoever looks ahead knows nothing of votes."""


def names() -> tuple[str, ...]:
    """The bots, the weakest first."""
    return tuple(_MAKERS)


def players_of(setting: Setting) -> tuple[str, ...]:
    """The bots that play a variant, the weakest first."""
    return names() if setting.politics is None else POLITICIANS


def check_plays(setting: Setting, bot: str) -> None:
    """Raise UnknownName (`unknown_bot`) for a bot that does not play a variant."""
    if bot not in players_of(setting):
        raise UnknownName("unknown_bot", bot=bot, known=", ".join(players_of(setting)))


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
