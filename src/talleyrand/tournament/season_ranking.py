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

from talleyrand.formats.json_checks import clip_json
from talleyrand.scoring import ScoreLine
from talleyrand.scoring.tied_places import TIE_RULES, TiedPlace

from . import codec
from .event_errors import ActRefused
from .season_entrants import EventEntry, IdentityDecisions, Pair, SeasonEntrant
from .whole_numbers import parse_natural

MAX_PLACES = 200
MAX_EVENTS = 60
TIE_NAMES = ("best", *TIE_RULES)


class EventPoints(StrEnum):
    """What an event gives to whoever came."""

    TOTAL = "total"  # his total there
    PLACES = "places"  # points of his place


@dataclass(frozen=True)
class SeasonRule:
    """How events make a ranking.

    `best`: so many events count, the best ones; 0: all. `places`: points from first place on, and `beyond` to
    whoever is placed after. `ties`: who shares places takes the points of the `best` of them, their mean
    (`split`) or the `lower`. `least`: events one must have come to.
    """

    gives: EventPoints = EventPoints.TOTAL
    best: int = 0
    places: tuple[str, ...] = ()
    beyond: str = "0"
    ties: str = "split"
    least: int = 1


@dataclass(frozen=True)
class SeasonEvent:
    """An event of a season: the key under which it is found, and what it counts."""

    key: str
    coefficient: str = "1"


@dataclass(frozen=True)
class Circuit:
    """A season. `same`, `apart`: what was settled about people, as pairs of entries "2.14"."""

    name: str
    rule: SeasonRule = field(default_factory=SeasonRule)
    stages: Mapping[int, SeasonEvent] = field(default_factory=dict)
    same: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    @property
    def decisions(self) -> IdentityDecisions:
        """What was settled about people."""
        return IdentityDecisions(frozenset(map(_pair, self.same)), frozenset(map(_pair, self.apart)))


def _pair(told: tuple[str, str]) -> Pair:
    return frozenset(map(parse_entry, told))


def parse_entry(told: str) -> EventEntry:
    """An entry from "2.14"; raises ActRefused (`circuit_entry`)."""
    stage, person = (parse_natural(one) for one in told.partition(".")[::2])
    if stage is None or person is None:
        raise ActRefused("circuit_entry")
    return EventEntry(stage, person)


def read_circuit(told: object) -> Circuit:
    """A season from JSON; raises InvalidEvent, or ActRefused (`circuit_*`) for what cannot be."""
    circuit = codec.read_value(Circuit, told)
    check_circuit(circuit)
    return circuit


def write_circuit(circuit: Circuit) -> dict[str, Any]:
    """JSON of a season; `read_circuit` gives the same back."""
    told: dict[str, Any] = codec.write_value(circuit)
    return told


def check_circuit(circuit: Circuit) -> None:
    """Raise ActRefused (`circuit_*`) for a season that cannot be reckoned."""
    rule = circuit.rule
    _ = circuit.decisions
    if not circuit.name.strip():
        raise ActRefused("circuit_no_name")
    if rule.best < 0 or rule.least < 0:
        raise ActRefused("circuit_count")
    if rule.gives is EventPoints.PLACES and not rule.places:
        raise ActRefused("circuit_no_places")
    if len(rule.places) > MAX_PLACES or rule.ties not in TIE_NAMES:
        raise ActRefused("circuit_places")
    for told in (*rule.places, rule.beyond, *(stage.coefficient for stage in circuit.stages.values())):
        exact_points(told)
    keys = [stage.key for stage in circuit.stages.values()]
    if len(set(keys)) < len(keys):
        raise ActRefused("circuit_twice")
    if len(keys) > MAX_EVENTS:
        raise ActRefused("circuit_many", most=str(MAX_EVENTS))


def exact_points(told: str) -> Fraction:
    """Points or a coefficient: "12", "6/9", "0.5", "0,5"; raises ActRefused (`circuit_points`)."""
    written = told.strip().replace(",", ".")
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6}|/\d{1,6})?", written, re.ASCII) or "/0" in written:
        raise ActRefused("circuit_points", value=clip_json(told))
    return Fraction(written)


def add_event(circuit: Circuit, key: str, coefficient: str = "1") -> Circuit:
    """The season with one more event, under the next number; raises ActRefused (`circuit_*`)."""
    number = 1 + max(circuit.stages, default=0)
    return _checked(replace(circuit, stages={**circuit.stages, number: SeasonEvent(key, coefficient)}))


def remove_event(circuit: Circuit, number: int) -> Circuit:
    """The season without an event and what was settled about its people."""
    stages = {at: stage for at, stage in circuit.stages.items() if at != number}
    same, apart = _elsewhere(circuit.same, number), _elsewhere(circuit.apart, number)
    return replace(circuit, stages=stages, same=same, apart=apart)


def _elsewhere(pairs: Iterable[tuple[str, str]], number: int) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in pairs if all(parse_entry(one).stage != number for one in pair))


def settle_identity(circuit: Circuit, one: EventEntry, two: EventEntry, *, same: bool | None) -> Circuit:
    """The season once two entries are one person, or two; None: nobody has said."""
    if {one.stage, two.stage} - set(circuit.stages) or one.stage == two.stage:
        raise ActRefused("circuit_entry")
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
    check_circuit(circuit)
    return circuit


@dataclass(frozen=True)
class EventPlace:
    """Somebody's place and total in an event."""

    place: int
    total: Fraction


EventOutcome = Mapping[int, EventPlace]  # of an event, by person


@dataclass(frozen=True)
class EventShare:
    """What an event gave somebody: `counted` where it is among his best; `line` says why so many."""

    stage: int
    placed: EventPlace
    line: ScoreLine
    counted: bool

    @property
    def points(self) -> Fraction:
        """What it gave."""
        return self.line.points


@dataclass(frozen=True)
class SeasonLine:
    """Somebody in the ranking of a season; `place` 0: too few events to be in it."""

    place: int
    entrant: SeasonEntrant
    total: Fraction
    shares: tuple[EventShare, ...]
    line: ScoreLine


def rank_season(
    circuit: Circuit, entrants: Iterable[SeasonEntrant], outcomes: Mapping[int, EventOutcome]
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


def _too_few(rule: SeasonRule, line: SeasonLine) -> bool:
    return len(line.shares) < rule.least


def _shares(
    circuit: Circuit, entrant: SeasonEntrant, outcomes: Mapping[int, EventOutcome]
) -> tuple[EventShare, ...]:
    came = [one for one in entrant.entries if one.person in outcomes.get(one.stage, {})]
    given = {one.stage: _score_line(circuit, one, outcomes[one.stage]) for one in came}
    counted = _counted(circuit.rule, {stage: line.points for stage, line in given.items()})
    return tuple(
        EventShare(one.stage, outcomes[one.stage][one.person], given[one.stage], one.stage in counted)
        for one in came
    )


def _counted(rule: SeasonRule, points: Mapping[int, Fraction]) -> set[int]:
    best = sorted(points, key=lambda stage: (-points[stage], stage))
    return set(best[: rule.best or len(best)])


def _score_line(circuit: Circuit, one: EventEntry, outcome: EventOutcome) -> ScoreLine:
    placed = outcome[one.person]
    coefficient = exact_points(circuit.stages[one.stage].coefficient)
    points, shared = _points(circuit.rule, placed, outcome)
    facts = {"place": Fraction(placed.place), "points": points}
    facts |= {"shared": Fraction(shared)} if shared > 1 else {}
    facts |= {"coefficient": coefficient} if coefficient != 1 else {}
    kind = (
        f"season_{circuit.rule.gives}{'_shared' if shared > 1 else ''}{'_times' if coefficient != 1 else ''}"
    )
    return ScoreLine(kind, points * coefficient, facts)


def _points(rule: SeasonRule, placed: EventPlace, outcome: EventOutcome) -> tuple[Fraction, int]:
    """The points of an event, and how many share the place that gives them."""
    if rule.gives is EventPoints.TOTAL:
        return placed.total, 1
    shared = sum(other.place == placed.place for other in outcome.values())
    last = placed.place + shared - 1
    points = [exact_points(told) for told in rule.places]
    points += [exact_points(rule.beyond)] * (last - len(points))
    if rule.ties == "best":
        return points[placed.place - 1], shared
    return TIE_RULES[rule.ties](points, TiedPlace(placed.place, shared)), shared


def _line(rule: SeasonRule, entrant: SeasonEntrant, shares: tuple[EventShare, ...]) -> SeasonLine:
    total = sum((share.points for share in shares if share.counted), Fraction(0))
    counted = sum(share.counted for share in shares)
    facts = {"count": Fraction(counted), "events": Fraction(len(shares))}
    line = SeasonLine(0, entrant, total, shares, ScoreLine("season_sum", total, facts))
    told = {"count": Fraction(len(shares)), "least": Fraction(rule.least)}
    return replace(line, line=ScoreLine("season_too_few", total, told)) if _too_few(rule, line) else line
