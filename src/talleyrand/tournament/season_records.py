"""What a season remembers: who won what, medals, and figures over its events.

Each event is reckoned by its own regulations (`event_results`); a season puts their results side by side.
People are entrants of the season (`season_entrants`), teams stay what they were at their event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from . import prizes, standings
from .model import Event
from .prizes import PODIUM, Award
from .regulations import PrizeKind
from .season_entrants import EventEntry, SeasonEntrant
from .season_ranking import EventOutcome, EventPlace
from .standings import ScoredGame, Standings

NO_POINTS = Fraction(0)


@dataclass(frozen=True)
class EventResults:
    """What an event ended with."""

    event: Event
    held: Standings
    podium: tuple[Award, ...]
    awards: Mapping[str, Award]

    @property
    def outcome(self) -> EventOutcome:
        """Everybody's place and total, for the ranking of a season."""
        return {line.person: EventPlace(line.place, line.total) for line in self.held.lines}


def event_results(event: Event) -> EventResults:
    """An event as its season needs it; raises InvalidEvent for bad regulations."""
    held = standings.compute_standings(event)
    return EventResults(event, held, prizes.podium(event, held), prizes.award_prizes(event, held))


def entrants_by_entry(entrants: Iterable[SeasonEntrant]) -> dict[EventEntry, SeasonEntrant]:
    """The entrant of each entry."""
    return {entry: one for one in entrants for entry in one.entries}


@dataclass(frozen=True)
class MedalCount:
    """What somebody has won over a season: first, second and third places, and prizes as (event, prize)."""

    entrant: SeasonEntrant
    places: tuple[int, ...] = (0,) * PODIUM
    powers: tuple[tuple[int, str], ...] = ()
    prizes: tuple[tuple[int, str], ...] = ()

    @property
    def rank(self) -> tuple[int, ...]:
        """By first places, then second and third, then prizes."""
        return (*self.places, len(self.powers) + len(self.prizes))


def count_medals(held: Mapping[int, EventResults], entrants: Iterable[SeasonEntrant]) -> list[MedalCount]:
    """Everybody who has won something, most of it first; the trophy of teams is its members'."""
    known = entrants_by_entry(entrants)
    found: dict[EventEntry, MedalCount] = {}
    for stage, one in sorted(held.items()):
        for person, award in _won(one):
            entrant = known[EventEntry(stage, person)]
            found[entrant.key] = _with_award(found.get(entrant.key, MedalCount(entrant)), stage, award)
    return sorted(found.values(), key=lambda one: (*(-count for count in one.rank), one.entrant.key))


def _won(one: EventResults) -> Iterator[tuple[int, Award]]:
    for award in (*one.podium, *one.awards.values()):
        if award.kind == PrizeKind.TEAM:
            yield from ((person, award) for person in team_members(one, award))
        else:
            yield from ((person, award) for person in award.holders)


def team_members(one: EventResults, award: Award) -> list[int]:
    """Those of the best teams who played their round."""
    scored = {str(line.facts["person"]) for line in award.lines if line.kind == "team_member"}
    return [
        person for team in award.holders for person in one.event.teams[team].members if str(person) in scored
    ]


def _with_award(medal: MedalCount, stage: int, award: Award) -> MedalCount:
    won = (stage, award.key)
    if award.kind == "place":
        places = tuple(count + (at == int(award.key)) for at, count in enumerate(medal.places, 1))
        return MedalCount(medal.entrant, places, medal.powers, medal.prizes)
    if award.kind == PrizeKind.POWER:
        return MedalCount(medal.entrant, medal.places, (*medal.powers, won), medal.prizes)
    return MedalCount(medal.entrant, medal.places, medal.powers, (*medal.prizes, won))


def prize_winners(held: Mapping[int, EventResults]) -> dict[str, list[tuple[int, Award]]]:
    """Who had each prize at each event that gave it, events in their order."""
    found: dict[str, list[tuple[int, Award]]] = {}
    for stage, one in held.items():
        for key, award in one.awards.items():
            if award.holders:
                found.setdefault(key, []).append((stage, award))
    return found


# Figures.


@dataclass(frozen=True)
class SeasonGame:
    """Somebody's game: where, as what, with what score, and whether nobody had more."""

    stage: int
    round: int
    board: int
    entrant: SeasonEntrant
    power: str
    raw: Fraction
    centres: int
    first: bool
    solo: bool
    out: bool


def season_games(held: Mapping[int, EventResults], entrants: Iterable[SeasonEntrant]) -> list[SeasonGame]:
    """Every game of everybody, in their order; one whose points went to somebody else is his."""
    known = entrants_by_entry(entrants)
    return [
        _sat(known[EventEntry(stage, person)], stage, power, raw, game)
        for stage, one in sorted(held.items())
        for person, power, raw, game in _scores(one.held)
    ]


def _scores(held: Standings) -> Iterator[tuple[int, str, Fraction, ScoredGame]]:
    for person, entry, game in prizes.scored_seats(held):
        yield person, entry.power, entry.raw, game


def _sat(entrant: SeasonEntrant, stage: int, power: str, raw: Fraction, game: ScoredGame) -> SeasonGame:
    best = max(score.points for score in game.scores.values())
    centres = game.result.centres[power]
    out = not centres or power in game.result.out
    first, solo = raw == best > 0, power == game.won
    return SeasonGame(stage, game.round, game.board, entrant, power, raw, centres, first, solo, out)


@dataclass(frozen=True)
class GameFigures:
    """Figures over some games."""

    games: int = 0
    firsts: int = 0
    solos: int = 0
    out: int = 0
    points: Fraction = NO_POINTS
    best: tuple[SeasonGame, ...] = ()

    @property
    def mean(self) -> Fraction:
        """Points of a game on average, before any coefficient."""
        return self.points / self.games if self.games else NO_POINTS


def game_figures(sat: Iterable[SeasonGame]) -> GameFigures:
    """The figures of some games; `best`: those with the highest score."""
    held = list(sat)
    top = max((one.raw for one in held), default=NO_POINTS)
    return GameFigures(
        games=len(held),
        firsts=sum(one.first for one in held),
        solos=sum(one.solo for one in held),
        out=sum(one.out for one in held),
        points=sum((one.raw for one in held), NO_POINTS),
        best=tuple(one for one in held if one.raw == top and top > 0),
    )


def figures_by_power(sat: Iterable[SeasonGame]) -> dict[str, GameFigures]:
    """The figures of each power, in the order of the alphabet."""
    held = list(sat)
    return {
        power: game_figures(one for one in held if one.power == power)
        for power in sorted({o.power for o in held})
    }


@dataclass(frozen=True)
class Career:
    """Somebody over a season."""

    entrant: SeasonEntrant
    events: int
    tally: GameFigures


def figures_by_person(sat: Iterable[SeasonGame]) -> list[Career]:
    """Everybody who has played, those with most events and games first."""
    held: dict[EventEntry, list[SeasonGame]] = {}
    for one in sat:
        held.setdefault(one.entrant.key, []).append(one)
    found = [
        Career(mine[0].entrant, len({one.stage for one in mine}), game_figures(mine))
        for mine in held.values()
    ]
    return sorted(found, key=lambda one: (-one.events, -one.tally.games, one.entrant.key))


@dataclass(frozen=True)
class EventFigures:
    """The figures of an event. `new`: people who had been at none of the events before it."""

    stage: int
    people: int = 0
    new: int = 0
    boards: int = 0
    rounds: int = 0
    countries: int = 0
    tally: GameFigures = field(default_factory=GameFigures)


def figures_by_event(
    order: Iterable[int], held: Mapping[int, EventResults], entrants: Iterable[SeasonEntrant]
) -> list[EventFigures]:
    """The events in an order, each with what it was like."""
    everybody = list(entrants)
    found: list[EventFigures] = []
    seen: set[EventEntry] = set()
    for stage in order:
        sat = season_games({stage: held[stage]}, everybody)
        here = {one.entrant.key for one in sat}
        found.append(_edition(stage, held[stage], sat, len(here), len(here - seen)))
        seen |= here
    return found


def _edition(stage: int, one: EventResults, sat: list[SeasonGame], people: int, new: int) -> EventFigures:
    played = {(game.round, game.board) for game in one.held.games}
    countries = {
        one.event.people[entry.person].country
        for each in sat
        for entry in each.entrant.entries
        if entry.stage == stage and one.event.people[entry.person].country
    }
    return EventFigures(
        stage,
        people,
        new,
        len(played),
        len({number for number, _ in played}),
        len(countries),
        game_figures(sat),
    )
