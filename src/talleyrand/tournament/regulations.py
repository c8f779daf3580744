"""The regulations of an event as data: a preset by name, or a table that extends one.

    "anjou_feu"                                    a preset of the folder `presets`
    {"extends": "anjou_feu", "system": "squares"}  the same but for what is said here

A table of a preset is replaced key by key, a list as a whole.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from talleyrand import scoring
from talleyrand.formats.custom_toml import check_scoring_examples
from talleyrand.formats.json_checks import Json, clip_json
from talleyrand.scoring import ScoringExample, ScoringSystem

from . import codec
from .event_errors import InvalidEvent
from .model import LocalisedText, Office

AMOUNT = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?(/[0-9]{1,9})?", re.ASCII)
PRESETS = files("talleyrand.tournament") / "presets"


class OrganiserPart(StrEnum):
    """What the organiser does when so many are there."""

    PLAYS = "plays"
    RESTS = "rests"
    TWO = "two"  # plays on two boards
    REFEREES = "referees"


@dataclass(frozen=True)
class FormationRule:
    """So many people present: which boards, and what the organiser does. Source: Anjou Feu, rule of numbers.

    `variants`: one for each board; empty: chosen by the players.
    """

    players: tuple[int, ...]
    variants: tuple[str, ...]
    organiser: OrganiserPart = OrganiserPart.PLAYS


@dataclass(frozen=True)
class SeasonSeconds:
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
    hours: SeasonSeconds = field(default_factory=SeasonSeconds)
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
class RoundWeights:
    """What a player's rounds count, when this holds: `final`: a final is held, or none (None: either way);
    `given`: so many of the rounds give points, neither cancelled nor intimate (empty: any number).

    `rounds`: those weighed against each other, best first; empty: all; the others count whole. `weights`: a
    list for each number of rounds played, "3": ["1", "1", "1/2"]; "any" for the numbers not said; what is
    beyond a list counts nothing; without a list all count whole. `rested`: the same for who stood down at
    the organisation's request and is not of it. `shared`: the total is divided by games played plus so many.
    """

    final: bool | None = None
    given: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    weights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rested: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared: int | None = None


class TwoBoardsScore(StrEnum):
    """Which score counts of somebody on two boards of a round."""

    WORSE = "worse"
    BETTER = "better"
    BOTH = "both"


class TwoPowersScore(StrEnum):
    """What counts of somebody with two powers of a board: the better one (Anjou Feu, II), or each as a game
    (play by mail, XIV)."""

    BETTER = "better"
    BOTH = "both"


class PrizeKind(StrEnum):
    """What a prize is for; `prizes` says how each is awarded."""

    POWER = "power"
    VOTE = "vote"
    TRAVEL = "travel"
    JOURNEY = "journey"
    YOUTH = "youth"
    TEAM = "team"


@dataclass(frozen=True)
class PrizeRule:
    """A prize beside the ranking; `power`: whose it is, where it is a power's."""

    kind: PrizeKind
    power: str = ""
    title: LocalisedText = field(default_factory=dict)


@dataclass(frozen=True)
class Regulations:
    """A tournament's rules as `tournament` asks for them.

    `system`: how games are scored, a system by name or one of his own. `sizes`: coefficients of boards by the
    number of people on them, "6": "6/7"; `parallel`: of several boards short of a scripted power, one that a
    latecomer completes spares them all. `late`: a seat that missed k seasons counts (late - k)/late;
    `replaced`: the same for seasons a newcomer played. `intimate`: what an intimate game adds to all else,
    "lost", "level", "won". `weighing`: the first that holds is taken. `organisation`: who is of it.
    """

    title: LocalisedText = field(default_factory=dict)
    source: LocalisedText = field(default_factory=dict)
    about: LocalisedText = field(default_factory=dict)  # why they are so, where that is no matter of course
    system: str | Mapping[str, Json] = "baf"
    rounds: tuple[RoundRule, ...] = (RoundRule(),)
    formations: tuple[FormationRule, ...] = ()
    final: FinalRule | None = None
    weighing: tuple[RoundWeights, ...] = ()
    twice: TwoBoardsScore = TwoBoardsScore.WORSE
    pairs: TwoPowersScore = TwoPowersScore.BETTER
    sizes: Mapping[str, str] = field(default_factory=dict)
    parallel: bool = False
    late: int = 14
    replaced: int = 14
    intimate: Mapping[str, str] = field(default_factory=dict)
    organisation: tuple[Office, ...] = (Office.ORGANISER, Office.ASSISTANT)
    rulebook: str = ""  # by which games are judged; "" where that is not said
    automatic: tuple[str, ...] = ("TURKEY",)  # powers that a script plays where nobody sits
    prizes: Mapping[str, PrizeRule] = field(default_factory=dict)
    young_since: int = 0  # year of birth from which one is young
    best_together: bool = False  # article 12
    votes: bool = True  # games may be ended by vote
    concessions: bool = True  # a game conceded to somebody is won alone; else its centres count
    wishes: bool = False  # people may say which powers they would like; else powers are drawn by lot alone
    recorders: bool = True  # the draw spreads those who can keep the record of a board


def preset_names() -> list[str]:
    """The presets."""
    return sorted(one.name.removesuffix(".toml") for one in PRESETS.iterdir() if one.name.endswith(".toml"))


def read_regulations(told: str | Mapping[str, Json]) -> Regulations:
    """Regulations of an event; raises InvalidEvent, as `scoring_system` for what they say of scores, and
    InvalidScoringSystem for a worked example that does not come out.
    """
    return _of_preset(told) if isinstance(told, str) else _of_table(json.dumps(told))


@lru_cache(maxsize=64)
def _of_table(text: str) -> Regulations:
    """An event's own, read once: it asks for them at every step."""
    return _checked(_extended(json.loads(text)))


@cache
def _of_preset(name: str) -> Regulations:
    return _checked(_preset(name))


def _checked(table: Mapping[str, Any]) -> Regulations:
    rules = codec.read_value(Regulations, table, "regulations")
    for where, text in _amounts(rules):
        if exact_amount(text) is None:
            raise InvalidEvent("event_not_a_fraction", where=f"regulations.{where}", value=clip_json(text))
    if min(rules.late, rules.replaced) < 1:
        raise InvalidEvent("event_not_a_number", where="regulations.late", value=str(rules.late))
    check_scoring_examples(scoring_system(rules), _examples(rules))
    return rules


def _examples(rules: Regulations) -> list[ScoringExample]:
    """Those of a system that an organiser has written; those of a system by name are tested with it."""
    return [] if isinstance(rules.system, str) else scoring.read_examples(_exact(rules.system))


def exact_amount(text: str) -> Fraction | None:
    """The exact number that a text says: "6/9", "1.10", "-2"; None where it says none."""
    if not AMOUNT.fullmatch(text):
        return None
    above, _, below = text.partition("/")
    return Fraction(above) / Fraction(below or 1) if int(below or 1) else None


def scoring_system(rules: Regulations) -> ScoringSystem:
    """How games are scored; raises UnknownName (`unknown_system`) and InvalidScoringSystem."""
    if isinstance(rules.system, str):
        return scoring.load(rules.system)
    return scoring.read_system("own", _exact(rules.system))


def _exact(told: Any) -> Any:
    """The same with the decimals that JSON says, not what a machine makes of them."""
    if isinstance(told, float):
        return Decimal(repr(told))
    if isinstance(told, Mapping):
        return {key: _exact(value) for key, value in told.items()}
    return [_exact(one) for one in told] if isinstance(told, list) else told


def _amounts(rules: Regulations) -> Iterator[tuple[str, str]]:
    for number, one in enumerate(rules.rounds):
        yield f"rounds[{number}].coefficient", one.coefficient
        yield f"rounds[{number}].aside", one.aside or "1"
    for name, held in (("sizes", rules.sizes), ("intimate", rules.intimate)):
        yield from ((f"{name}.{key}", text) for key, text in held.items())
    yield "final.bonus", rules.final.bonus if rules.final else "1"
    for number, case in enumerate(rules.weighing):
        for name, table in (("weights", case.weights), ("rested", case.rested)):
            for key, texts in table.items():
                yield from ((f"weighing[{number}].{name}.{key}", text) for text in texts)


def _extended(told: Mapping[str, Json]) -> dict[str, Any]:
    own = dict(told)
    base = own.pop("extends", None)
    if base is not None and not isinstance(base, str):
        raise InvalidEvent("event_not_a_text", where="regulations.extends", value=clip_json(base))
    return _merged(_preset(base), own) if base else own


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    both = {**below, **above}
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(below.get(key), Mapping):
            both[key] = _merged(below[key], value)
    return both


@cache
def _preset(name: str) -> dict[str, Any]:
    if name not in preset_names():
        known = ", ".join(preset_names())
        raise InvalidEvent(
            "event_unknown_regulations", where="regulations", value=clip_json(name), known=known
        )
    return tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
