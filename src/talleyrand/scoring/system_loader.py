"""The systems at hand, as data, and one loader."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from talleyrand.engine.errors import UnknownName

from .scoring_system import ScoringSystem
from .system_files import ScoringExample, read_examples, read_system


@cache
def names() -> tuple[str, ...]:
    """The systems at hand, in alphabetical order."""
    folder = resources.files(__package__) / "systems"
    return tuple(sorted(path.name.removesuffix(".toml") for path in folder.iterdir() if ".toml" in path.name))


@cache
def load(name: str) -> ScoringSystem:
    """A system by its name; raises UnknownName (`unknown_system`, with the nearest name)."""
    return read_system(name, _table(name))


def examples(name: str) -> list[ScoringExample]:
    """The worked examples of a system."""
    return read_examples(_table(name))


def _table(name: str) -> dict[str, Any]:
    if name not in names():
        near = get_close_matches(name, names(), 1)
        raise UnknownName("unknown_system", name=name, nearest=near[0] if near else "")
    text = (resources.files(__package__) / "systems" / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text, parse_float=Decimal)
