"""Standings as their reader may see them, with a sentence for every figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from talleyrand.messages import tournament as sentences
from talleyrand.messages.scores import score_line
from talleyrand.scoring import Line
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Entry, Standing, Standings, Step
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import ranked
from talleyrand.web.tournaments.naming import points
from talleyrand.web.tournaments.ranked import Ranked
from talleyrand.web.tournaments.sight import Sight

from . import words


@dataclass(frozen=True)
class Part:
    """What one game brings: `raw` of its own, `points` in the total; `working`: a sentence a step."""

    round: int
    board: int
    power: str
    raw: str
    points: str
    counted: bool
    provisional: bool
    working: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """Somebody's place. `shared`: others have it too."""

    place: int
    shared: bool
    number: int
    name: str
    total: str
    parts: tuple[Part, ...]
    working: tuple[str, ...]


latest = ranked.latest


def of(sight: Sight, *, provisional: bool = False, through: int | None = None) -> Standings | None:
    """The standings that a visitor may see; None where the regulations cannot be read.

    `through`: after an earlier round. `provisional` ones are for the desk, or for all where it says so.
    """
    return held(sight, provisional=provisional, through=through).standings


def held(sight: Sight, *, provisional: bool = False, through: int | None = None) -> Ranked:
    """The same, with the mark that tells them from others."""
    last = latest(sight.event) if through is None else min(through, latest(sight.event))
    return ranked.of(sight.tournament, last, provisional=provisional)


def may_see_now(sight: Sight) -> bool:
    """Whether one may see how it would end now: the desk, and all where it says so."""
    return sight.at_desk or sight.event.live


def rows(sight: Sight, found: Standings | None) -> list[Row]:
    """Everybody, best first."""
    lines = found.lines if found else ()
    shared, names = Counter(one.total for one in lines), words.names(sight.event)
    return [_row(sight, one, names, shared=shared[one.total] > 1) for one in lines]


def row_of(sight: Sight, person: int) -> Row | None:
    """Where somebody stands; None where he has not played yet."""
    found = of(sight)
    one = found.by_person.get(person) if found else None
    if found is None or one is None:
        return None
    shared = sum(other.total == one.total for other in found.lines) > 1
    return _row(sight, one, words.names(sight.event), shared=shared)


def _row(sight: Sight, one: Standing, names: dict[str, str], *, shared: bool) -> Row:
    known = sight.event.people[one.person]
    return Row(
        place=one.place,
        shared=shared,
        number=one.person,
        name=known.name,
        total=points(one.total),
        parts=tuple(_part(sight.event, entry, names) for entry in one.entries),
        working=tuple(_step(step, names) for step in one.steps),
    )


def _part(event: Event, entry: Entry, names: dict[str, str]) -> Part:
    board = event.rounds[entry.round].boards.get(entry.board) if entry.round in event.rounds else None
    return Part(
        round=entry.round,
        board=entry.board,
        power=words.power(entry.power, board.variant) if board and entry.power else "",
        raw=points(entry.raw),
        points=points(entry.points),
        counted=entry.counted,
        provisional=entry.provisional,
        working=(*working(entry.working), *(_step(step, names) for step in entry.steps)),
    )


def working(lines: Iterable[Line]) -> tuple[str, ...]:
    """How a system came to a score, a sentence a step."""
    return tuple(score_line(line.kind, line.facts)[wording.language()] for line in lines)


def _step(step: Step, names: dict[str, str]) -> str:
    return sentences.working(step, names)[wording.language()]


@dataclass(frozen=True)
class Points:
    """What a power of a board has, before any coefficient."""

    power: str
    points: str
    working: tuple[str, ...]


def scores_of(sight: Sight, round_: int, board: int) -> list[Points]:
    """The points of a board's powers, where its round is shown and its result counts."""
    found = of(sight)
    if found is None:
        return []
    game = next((one for one in found.games if (one.round, one.board) == (round_, board)), None)
    if game is None:
        return []
    return [
        Points(words.power(code, game.table.variant), points(score.points), working(score.working))
        for code in game.table.seats
        if (score := game.scores.get(code)) is not None
    ]
