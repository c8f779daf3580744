"""Standings as their reader may see them, with a sentence and a figure for every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import PersonStanding, StandingEntry, Standings
from talleyrand.web.boards.score_texts import PointsLine, points_text
from talleyrand.web.tournaments import cached_standings, points_breakdown
from talleyrand.web.tournaments.cached_standings import CachedStandings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_texts


@dataclass(frozen=True)
class StandingsPart:
    """What one game brings: `raw` of its own, `points` in the total; a line a step."""

    round: int
    board: int
    power: str
    raw: str
    points: str
    counted: bool
    provisional: bool
    working: tuple[PointsLine, ...]


@dataclass(frozen=True)
class StandingsRow:
    """Somebody's place. `shared`: others have it too."""

    place: int
    shared: bool
    number: int
    name: str
    total: str
    parts: tuple[StandingsPart, ...]
    working: tuple[PointsLine, ...]


def visible_standings(
    sight: TournamentViewer, *, provisional: bool = False, through: int | None = None
) -> Standings | None:
    """The standings that a visitor may see; None where the regulations cannot be read.

    `through`: after an earlier round. `provisional` ones are for the desk, or for all where it says so.
    """
    return visible_ranking(sight, provisional=provisional, through=through).standings


def visible_ranking(
    sight: TournamentViewer, *, provisional: bool = False, through: int | None = None
) -> CachedStandings:
    """The same, with the mark that tells them from others."""
    last = last_public_round(sight.event) if through is None else min(through, last_public_round(sight.event))
    return cached_standings.standings_of(sight.tournament, last, provisional=provisional)


def may_see_provisional(sight: TournamentViewer) -> bool:
    """Whether one may see how it would end now: the desk, and all where it says so."""
    return sight.is_at_desk or sight.event.live


def standings_rows(sight: TournamentViewer, found: Standings | None) -> list[StandingsRow]:
    """Everybody, best first."""
    lines = found.lines if found else ()
    shared, names = Counter(one.total for one in lines), public_texts.names_by_number(sight.event)
    return [_row(sight, one, names, shared=shared[one.total] > 1) for one in lines]


def standings_row_of(sight: TournamentViewer, person: int) -> StandingsRow | None:
    """Where somebody stands; None where he has not played yet."""
    found = visible_standings(sight)
    one = found.by_person.get(person) if found else None
    if found is None or one is None:
        return None
    shared = sum(other.total == one.total for other in found.lines) > 1
    return _row(sight, one, public_texts.names_by_number(sight.event), shared=shared)


def _row(
    sight: TournamentViewer, one: PersonStanding, names: dict[str, str], *, shared: bool
) -> StandingsRow:
    known = sight.event.people[one.person]
    return StandingsRow(
        place=one.place,
        shared=shared,
        number=one.person,
        name=known.name,
        total=points_text(one.total),
        parts=tuple(_part(sight.event, entry, names) for entry in one.entries),
        working=points_breakdown.step_lines(one.steps, names),
    )


def _part(event: Event, entry: StandingEntry, names: dict[str, str]) -> StandingsPart:
    board = event.rounds[entry.round].boards.get(entry.board) if entry.round in event.rounds else None
    return StandingsPart(
        round=entry.round,
        board=entry.board,
        power=public_texts.power_name(entry.power, board.variant) if board and entry.power else "",
        raw=points_text(entry.raw),
        points=points_text(entry.points),
        counted=entry.counted,
        provisional=entry.provisional,
        working=points_breakdown.entry_lines(entry, names),
    )


@dataclass(frozen=True)
class PowerPoints:
    """What a power of a board has, before any coefficient."""

    power: str
    points: str
    working: tuple[PointsLine, ...]


def board_points(sight: TournamentViewer, round_: int, board: int) -> list[PowerPoints]:
    """The points of a board's powers, where its round is shown and its result counts."""
    found = visible_standings(sight)
    if found is None:
        return []
    game = next((one for one in found.games if (one.round, one.board) == (round_, board)), None)
    if game is None:
        return []
    return [
        PowerPoints(
            public_texts.power_name(code, game.table.variant),
            points_text(score.points),
            points_breakdown.game_lines(score.working),
        )
        for code in game.table.seats
        if (score := game.scores.get(code)) is not None
    ]
