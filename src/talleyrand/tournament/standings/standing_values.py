"""What standings are made of: places, entries by round, and a line for each figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from talleyrand.scoring import ScoreLine

from .scored_games import ScoredGame, UnscoredBoard

LineFacts = Mapping[str, str | Fraction]


@dataclass(frozen=True)
class ScoreFactor:
    """What a score is multiplied by, and why; `messages.tournament.working` says it."""

    kind: str
    value: Fraction
    facts: LineFacts = field(default_factory=dict)


@dataclass(frozen=True)
class WorkingStep:
    """A line of the working: what it is, and the points there are after it."""

    kind: str
    points: Fraction
    facts: LineFacts = field(default_factory=dict)


@dataclass(frozen=True)
class StandingEntry:
    """What a person has of one game, or by a ruling (`board` 0).

    `raw`: before anything; `factors`: what it is multiplied by; `weighted`: after them and after rulings on
    the round; `weight`: what it counts in the total, and `why`; `counted`: false for the other of two boards.
    `working`: how the system came to the raw score. `provisional`: rests on what nobody has confirmed.
    """

    round: int
    board: int
    power: str
    raw: Fraction
    weighted: Fraction
    factors: tuple[ScoreFactor, ...] = ()
    steps: tuple[WorkingStep, ...] = ()
    weight: Fraction = Fraction(0)
    why: ScoreFactor | None = None
    counted: bool = True
    provisional: bool = False
    final: bool = False
    working: tuple[ScoreLine, ...] = ()

    @property
    def coefficient(self) -> Fraction:
        """All factors together, without the weight."""
        return prod((factor.value for factor in self.factors), start=Fraction(1))

    @property
    def points(self) -> Fraction:
        """What it brings to the total, before what the total itself is multiplied by."""
        return self.weighted * self.weight


@dataclass(frozen=True)
class PersonStanding:
    """A person's place, total and entries in the order of rounds; `steps`: from their sum to the total."""

    place: int
    person: int
    total: Fraction
    entries: tuple[StandingEntry, ...] = ()
    steps: tuple[WorkingStep, ...] = ()

    @property
    def working(self) -> tuple[WorkingStep, ...]:
        """Every line, in the order in which one reads them."""
        return (*(step for entry in self.entries for step in entry.steps), *self.steps)


@dataclass(frozen=True)
class Standings:
    """All who have played, best first; equal totals share a place, in the order of their numbers.

    `through`: the last round that is in it. `final`: whether a final is held. `faults`: boards that could not
    be scored, which count nothing until that is put right. `games`: those that count.
    """

    lines: tuple[PersonStanding, ...]
    through: int
    provisional: bool = False
    final: bool = False
    faults: tuple[UnscoredBoard, ...] = ()
    games: tuple[ScoredGame, ...] = ()

    @property
    def by_person(self) -> Mapping[int, PersonStanding]:
        """The same by person."""
        return {line.person: line for line in self.lines}
