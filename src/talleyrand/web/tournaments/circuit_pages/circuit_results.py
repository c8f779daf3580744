"""A season as one visitor may see it, reckoned: people, ranking, winners. An event is reckoned once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from django.http import HttpRequest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import season_entrants, season_ranking, season_records
from talleyrand.tournament.season_entrants import SeasonEntrant
from talleyrand.tournament.season_ranking import Circuit, SeasonLine
from talleyrand.tournament.season_records import EventResults, SeasonGame
from talleyrand.web.tournaments.models import Tournament

from .circuit_events import CircuitEvent, circuit_events

MOST_CACHED = 64  # events a process keeps reckoned
FAULTY = "faulty"

_known: OrderedDict[str, EventResults | None] = OrderedDict()
_lock = Lock()


def cached_results_of(tournament: Tournament, edition: CircuitEvent) -> EventResults | None:
    """What an event ended with; None where its regulations cannot be reckoned."""
    stamp = tournament.state_token
    with _lock:
        if stamp in _known:
            _known.move_to_end(stamp)
            return _known[stamp]
    try:
        found = season_records.event_results(edition.event)
    except TalleyrandError:
        found = None
    with _lock:
        _known[stamp] = found
        while len(_known) > MOST_CACHED:
            _known.popitem(last=False)
    return found


@dataclass
class CircuitResults:
    """A season with what its events gave."""

    circuit: Circuit
    editions: list[CircuitEvent]

    @classmethod
    def for_visitor(cls, circuit: Circuit, request: HttpRequest) -> CircuitResults:
        """As the visitor may see it."""
        return cls(circuit, circuit_events(circuit, request))

    @cached_property
    def results_by_event(self) -> Mapping[int, EventResults]:
        """The results of the events that count, by their number, in the order of their days."""
        found = {one.number: cached_results_of(one.tournament, one) for one in self.editions if one.counts}
        return {number: one for number, one in found.items() if one is not None}

    @cached_property
    def entrants(self) -> list[SeasonEntrant]:
        """Everybody who came."""
        return season_entrants.group_entrants(
            {at: one.event for at, one in self.results_by_event.items()}, self.circuit.decisions
        )

    @cached_property
    def ranking(self) -> list[SeasonLine]:
        """Who leads."""
        outcomes = {number: one.outcome for number, one in self.results_by_event.items()}
        return season_ranking.rank_season(self.circuit, self.entrants, outcomes)

    @cached_property
    def games(self) -> list[SeasonGame]:
        """Every game of everybody."""
        return season_records.season_games(self.results_by_event, self.entrants)

    def event_state(self, edition: CircuitEvent) -> str:
        """Why an event gives nothing yet: still to come or under way ("running"), or not to be reckoned."""
        if not edition.counts:
            return "running"
        return "" if edition.number in self.results_by_event else FAULTY
