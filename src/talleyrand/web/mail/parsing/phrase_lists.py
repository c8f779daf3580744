"""The phrases of mail programs and servers, kept as data: a new one is a line there."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def _all_phrases() -> dict[str, list[str]]:
    return tomllib.loads(resources.files(__package__).joinpath("phrases.toml").read_text("utf-8"))


def phrases_of(name: str) -> tuple[str, ...]:
    """The phrases of a kind, one by one."""
    return tuple(_all_phrases()[name])


def any_of(*names: str) -> str:
    """A regular expression for any phrase of some kinds."""
    phrases = "|".join(phrase for name in names for phrase in phrases_of(name))
    return f"(?:{phrases})".replace("DEVICE", f"(?:{'|'.join(phrases_of('device'))})")
