"""What standings are made of: entries by round, a line for each figure; what they rest on, and who moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from talleyrand.scoring import ScoreLine
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.model import Announcement, ClockState, Event, EventPerson, EventRound

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


@dataclass(frozen=True)
class StandingChange:
    """Somebody whose place or total is another; None where he had, or has, none."""

    person: int
    before: PersonStanding | None
    after: PersonStanding | None

    @property
    def gained(self) -> Fraction:
        """Points gained, or lost."""
        return _total(self.after) - _total(self.before)

    @property
    def climbed(self) -> int:
        """Places gained; 0 where he had none, or has none."""
        if self.before is None or self.after is None:
            return 0
        return self.before.place - self.after.place


def _total(standing: PersonStanding | None) -> Fraction:
    return standing.total if standing else Fraction(0)


def standings_difference(before: Standings, after: Standings) -> tuple[StandingChange, ...]:
    """Who moves between two standings, in the order of their new places, those without one last."""
    old, new = before.by_person, after.by_person
    people = sorted({*old, *new}, key=lambda one: (one not in new, new[one].place if one in new else 0, one))
    moves = [StandingChange(one, old.get(one), new.get(one)) for one in people]
    return tuple(move for move in moves if _figures(move.before) != _figures(move.after))


def _figures(standing: PersonStanding | None) -> tuple[int, Fraction] | None:
    return (standing.place, standing.total) if standing else None


def ranking_basis(event: Event) -> Event:
    """The event without what moves nobody in the ranking: names, arrivals, clocks, votes, what is told.

    Of its people those remain who sit or sat somewhere, or on whom there is a ruling: no other has a place.
    """
    return replace(
        event,
        name="",
        seed="",
        announcement=Announcement(),
        people={
            number: EventPerson("", office=event.people[number].office) for number in sorted(_ranked(event))
        },
        teams={},
        apart=(),
        rides={},
        rounds={number: _round(one) for number, one in event.rounds.items()},
        ballots={},
        rulings={},
        youngest=(),
    )


def _ranked(event: Event) -> set[int]:
    boards = [board for one in event.rounds.values() for board in one.boards.values()]
    ruled = {one.person for one in event.adjustments.values()}
    return ruled.union(*map(board_people, boards)) & event.people.keys()


def _round(one: EventRound) -> EventRound:
    boards = {
        number: replace(board, place="", game="", offset=0, votes={}) for number, board in one.boards.items()
    }
    return replace(one, starts="", present={}, boards=boards, drawn=None, clock=ClockState())
