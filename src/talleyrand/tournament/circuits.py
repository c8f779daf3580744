"""A season: several events, what each of them gives, and who leads.

How events make a ranking is data: the sum of what they give, or of the best so many; what an event gives is
its total, or points of a place in it. An event counts once it is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from talleyrand.formats.shapes import clip
from talleyrand.scoring import Line
from talleyrand.scoring.places import TIES, Place

from . import codec
from .errors import Refused
from .matching import Decisions, Entrant, Entry, Pair
from .numbers import natural

MOST_PLACES = 200
MOST_EVENTS = 60
TIE_NAMES = ("best", *TIES)


class Gives(StrEnum):
    """What an event gives to whoever came."""

    TOTAL = "total"  # his total there
    PLACES = "places"  # points of his place


@dataclass(frozen=True)
class Rule:
    """How events make a ranking.

    `best`: so many events count, the best ones; 0: all. `places`: points from first place on, and `beyond` to
    whoever is placed after. `ties`: who shares places takes the points of the `best` of them, their mean
    (`split`) or the `lower`. `least`: events one must have come to.
    """

    gives: Gives = Gives.TOTAL
    best: int = 0
    places: tuple[str, ...] = ()
    beyond: str = "0"
    ties: str = "split"
    least: int = 1


@dataclass(frozen=True)
class Stage:
    """An event of a season: the key under which it is found, and what it counts."""

    key: str
    coefficient: str = "1"


@dataclass(frozen=True)
class Circuit:
    """A season. `same`, `apart`: what was settled about people, as pairs of entries "2.14"."""

    name: str
    rule: Rule = field(default_factory=Rule)
    stages: Mapping[int, Stage] = field(default_factory=dict)
    same: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    @property
    def decisions(self) -> Decisions:
        """What was settled about people."""
        return Decisions(frozenset(map(_pair, self.same)), frozenset(map(_pair, self.apart)))


def _pair(told: tuple[str, str]) -> Pair:
    return frozenset(map(entry, told))


def entry(told: str) -> Entry:
    """An entry from "2.14"; raises Refused (`circuit_entry`)."""
    stage, person = (natural(one) for one in told.partition(".")[::2])
    if stage is None or person is None:
        raise Refused("circuit_entry")
    return Entry(stage, person)


def read(told: object) -> Circuit:
    """A season from JSON; raises BadEvent, or Refused (`circuit_*`) for what cannot be."""
    circuit = codec.read(Circuit, told)
    check(circuit)
    return circuit


def written(circuit: Circuit) -> dict[str, Any]:
    """JSON of a season; `read` gives the same back."""
    told: dict[str, Any] = codec.write(circuit)
    return told


def check(circuit: Circuit) -> None:
    """Raise Refused (`circuit_*`) for a season that cannot be reckoned."""
    rule = circuit.rule
    _ = circuit.decisions
    if not circuit.name.strip():
        raise Refused("circuit_no_name")
    if rule.best < 0 or rule.least < 0:
        raise Refused("circuit_count")
    if rule.gives is Gives.PLACES and not rule.places:
        raise Refused("circuit_no_places")
    if len(rule.places) > MOST_PLACES or rule.ties not in TIE_NAMES:
        raise Refused("circuit_places")
    for told in (*rule.places, rule.beyond, *(stage.coefficient for stage in circuit.stages.values())):
        figure(told)
    keys = [stage.key for stage in circuit.stages.values()]
    if len(set(keys)) < len(keys):
        raise Refused("circuit_twice")
    if len(keys) > MOST_EVENTS:
        raise Refused("circuit_many", most=str(MOST_EVENTS))


def figure(told: str) -> Fraction:
    """Points or a coefficient: "12", "6/9", "0.5", "0,5"; raises Refused (`circuit_points`)."""
    written = told.strip().replace(",", ".")
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6}|/\d{1,6})?", written, re.ASCII) or "/0" in written:
        raise Refused("circuit_points", value=clip(told))
    return Fraction(written)


def with_event(circuit: Circuit, key: str, coefficient: str = "1") -> Circuit:
    """The season with one more event, under the next number; raises Refused (`circuit_*`)."""
    number = 1 + max(circuit.stages, default=0)
    return _checked(replace(circuit, stages={**circuit.stages, number: Stage(key, coefficient)}))


def without_event(circuit: Circuit, number: int) -> Circuit:
    """The season without an event and what was settled about its people."""
    stages = {at: stage for at, stage in circuit.stages.items() if at != number}
    same, apart = _elsewhere(circuit.same, number), _elsewhere(circuit.apart, number)
    return replace(circuit, stages=stages, same=same, apart=apart)


def _elsewhere(pairs: Iterable[tuple[str, str]], number: int) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in pairs if all(entry(one).stage != number for one in pair))


def settled(circuit: Circuit, one: Entry, two: Entry, *, same: bool | None) -> Circuit:
    """The season once two entries are one person, or two; None: nobody has said."""
    if {one.stage, two.stage} - set(circuit.stages) or one.stage == two.stage:
        raise Refused("circuit_entry")
    pair = frozenset((one, two))
    told = (str(min(pair)), str(max(pair)))
    kept = tuple(other for other in circuit.same if _pair(other) != pair)
    parted = tuple(other for other in circuit.apart if _pair(other) != pair)
    return replace(
        circuit,
        same=(*kept, told) if same else kept,
        apart=(*parted, told) if same is False else parted,
    )


def _checked(circuit: Circuit) -> Circuit:
    check(circuit)
    return circuit


@dataclass(frozen=True)
class Placed:
    """Somebody's place and total in an event."""

    place: int
    total: Fraction


Outcome = Mapping[int, Placed]  # of an event, by person


@dataclass(frozen=True)
class Share:
    """What an event gave somebody: `counted` where it is among his best; `line` says why so many."""

    stage: int
    placed: Placed
    line: Line
    counted: bool

    @property
    def points(self) -> Fraction:
        """What it gave."""
        return self.line.points


@dataclass(frozen=True)
class SeasonLine:
    """Somebody in the ranking of a season; `place` 0: too few events to be in it."""

    place: int
    entrant: Entrant
    total: Fraction
    shares: tuple[Share, ...]
    line: Line


def ranking(
    circuit: Circuit, entrants: Iterable[Entrant], outcomes: Mapping[int, Outcome]
) -> list[SeasonLine]:
    """Everybody with a result, from first to last, then whoever came too rarely; equals share a place."""
    held = [(one, _shares(circuit, one, outcomes)) for one in entrants]
    lines = [_line(circuit.rule, one, shares) for one, shares in held if shares]
    lines.sort(key=lambda line: (_too_few(circuit.rule, line), -line.total, line.entrant.key))
    first: dict[Fraction, int] = {}
    return [
        line if _too_few(circuit.rule, line) else replace(line, place=first.setdefault(line.total, at))
        for at, line in enumerate(lines, 1)
    ]


def _too_few(rule: Rule, line: SeasonLine) -> bool:
    return len(line.shares) < rule.least


def _shares(circuit: Circuit, entrant: Entrant, outcomes: Mapping[int, Outcome]) -> tuple[Share, ...]:
    came = [one for one in entrant.entries if one.person in outcomes.get(one.stage, {})]
    given = {one.stage: _given(circuit, one, outcomes[one.stage]) for one in came}
    counted = _counted(circuit.rule, {stage: line.points for stage, line in given.items()})
    return tuple(
        Share(one.stage, outcomes[one.stage][one.person], given[one.stage], one.stage in counted)
        for one in came
    )


def _counted(rule: Rule, points: Mapping[int, Fraction]) -> set[int]:
    best = sorted(points, key=lambda stage: (-points[stage], stage))
    return set(best[: rule.best or len(best)])


def _given(circuit: Circuit, one: Entry, outcome: Outcome) -> Line:
    placed = outcome[one.person]
    coefficient = figure(circuit.stages[one.stage].coefficient)
    points, shared = _points(circuit.rule, placed, outcome)
    facts = {"place": Fraction(placed.place), "points": points}
    facts |= {"shared": Fraction(shared)} if shared > 1 else {}
    facts |= {"coefficient": coefficient} if coefficient != 1 else {}
    kind = (
        f"season_{circuit.rule.gives}{'_shared' if shared > 1 else ''}{'_times' if coefficient != 1 else ''}"
    )
    return Line(kind, points * coefficient, facts)


def _points(rule: Rule, placed: Placed, outcome: Outcome) -> tuple[Fraction, int]:
    """The points of an event, and how many share the place that gives them."""
    if rule.gives is Gives.TOTAL:
        return placed.total, 1
    shared = sum(other.place == placed.place for other in outcome.values())
    last = placed.place + shared - 1
    points = [figure(told) for told in rule.places]
    points += [figure(rule.beyond)] * (last - len(points))
    if rule.ties == "best":
        return points[placed.place - 1], shared
    return TIES[rule.ties](points, Place(placed.place, shared)), shared


def _line(rule: Rule, entrant: Entrant, shares: tuple[Share, ...]) -> SeasonLine:
    total = sum((share.points for share in shares if share.counted), Fraction(0))
    counted = sum(share.counted for share in shares)
    facts = {"count": Fraction(counted), "events": Fraction(len(shares))}
    line = SeasonLine(0, entrant, total, shares, Line("season_sum", total, facts))
    told = {"count": Fraction(len(shares)), "least": Fraction(rule.least)}
    return replace(line, line=Line("season_too_few", total, told)) if _too_few(rule, line) else line
