"""The regulations of an event as data: a preset by name, or a table that extends one.

    "anjou_feu"                                    a preset of the folder `presets`
    {"extends": "anjou_feu", "system": "squares"}  the same but for what is said here

A table of a preset is replaced key by key, a list as a whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from talleyrand.formats.shapes import Json, clip

from . import codec
from .errors import BadEvent
from .model import Words

PRESETS = files("talleyrand.tournament") / "presets"


class Part(StrEnum):
    """What the organiser does when so many are there."""

    PLAYS = "plays"
    RESTS = "rests"
    TWO = "two"  # plays on two boards
    REFEREES = "referees"


@dataclass(frozen=True)
class Formation:
    """So many people present: which boards, and what the organiser does. Source: Anjou Feu, rule of numbers.

    `variants`: one for each board; empty: chosen by the players.
    """

    players: tuple[int, ...]
    variants: tuple[str, ...]
    organiser: Part = Part.PLAYS


@dataclass(frozen=True)
class Hours:
    """Seconds of a clock: spring, autumn, and the last of them for writing alone."""

    spring: int = 15 * 60
    autumn: int = 15 * 60
    writing: int = 120


@dataclass(frozen=True)
class RoundRule:
    """A round: its coefficient, its last year; `aside`: the same off the final table, where one is played."""

    coefficient: str = "1"
    aside: str = ""
    last_year: int = 1907
    last_year_aside: int | None = None
    hours: Hours = field(default_factory=Hours)
    teams: bool = False  # the round of the team trophy
    qualifies: bool = True  # for the final


@dataclass(frozen=True)
class FinalRule:
    """When a final is played and by whom. `boards`: least number of boards by round, "1+2": 4, "2": 3."""

    round: int
    boards: Mapping[str, int] = field(default_factory=dict)
    seats: int = 7
    bonus: str = "1"  # what finalists' whole score is multiplied by


@dataclass(frozen=True)
class Weighing:
    """What a player's rounds count, best first: a list for each number of rounds played.

    `weights` "3": ["1", "1", "1/2"]. `rested`: the same for who stood down at the organisation's request
    and is not of it. `with_final` and `rested_with_final`: for the rounds before a final that was played.
    """

    weights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rested: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    with_final: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rested_with_final: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Prize:
    """A prize beside the ranking. `kind`: `power`, `vote`, `travel`, `journey`, `youth`, `team`."""

    kind: str
    title: Words = field(default_factory=dict)


@dataclass(frozen=True)
class Regulations:
    """A tournament's rules as `tournament` asks for them. `late`: a seat that missed k seasons counts
    (late - k)/late; `replaced`: the same for seasons a newcomer played. `sizes`: coefficients of boards by
    the number of people on them, "6": "6/7".
    """

    title: Words = field(default_factory=dict)
    source: Words = field(default_factory=dict)
    system: str | Mapping[str, Json] = "baf"
    rounds: tuple[RoundRule, ...] = (RoundRule(),)
    formations: tuple[Formation, ...] = ()
    final: FinalRule | None = None
    weighing: Weighing = field(default_factory=Weighing)
    sizes: Mapping[str, str] = field(default_factory=dict)
    late: int = 14
    replaced: int = 14
    intimate: Mapping[str, str] = field(default_factory=dict)  # "lost", "won", "level": added to the rest
    automatic: tuple[str, ...] = ("TURKEY",)  # powers that a script plays where nobody sits
    prizes: Mapping[str, Prize] = field(default_factory=dict)
    young_since: int = 0  # year of birth from which one is young
    best_together: bool = False  # article 12
    votes: bool = True  # games may be ended by vote


def names() -> list[str]:
    """The presets."""
    return sorted(one.name.removesuffix(".toml") for one in PRESETS.iterdir() if one.name.endswith(".toml"))


def read(told: str | Mapping[str, Json]) -> Regulations:
    """Regulations of an event; raises BadEvent."""
    table = _preset(told) if isinstance(told, str) else _extended(told)
    return codec.read(Regulations, table, "regulations")


def _extended(told: Mapping[str, Json]) -> dict[str, Any]:
    own = dict(told)
    base = own.pop("extends", None)
    if base is not None and not isinstance(base, str):
        raise BadEvent("event_not_a_text", where="regulations.extends", value=clip(base))
    return _merged(_preset(base), own) if base else own


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    both = {**below, **above}
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(below.get(key), Mapping):
            both[key] = _merged(below[key], value)
    return both


@cache
def _preset(name: str) -> dict[str, Any]:
    if name not in names():
        known = ", ".join(names())
        raise BadEvent("event_unknown_regulations", where="regulations", value=clip(name), known=known)
    return tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
