"""The bots by name. A new one adds its line to `_MAKERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from talleyrand.engine.errors import UnknownName

STRENGTHS = ("easy", "normal", "hard")


class Bot(Protocol):
    """Somebody who writes orders. `name` is what the registry calls it."""

    @property
    def name(self) -> str:
        """What the registry calls it."""


@dataclass(frozen=True)
class Simple:
    """A bot whose only strength is its name."""

    name: str


_MAKERS: Mapping[str, Callable[[str], Bot]] = {
    "hold": lambda strength: Simple("hold"),  # noqa: ARG005 (one strength)
    "random": lambda strength: Simple("random"),  # noqa: ARG005
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
