"""A season as one visitor may see it, reckoned: people, ranking, winners. An event is reckoned once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from django.http import HttpRequest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import circuits, matching, records
from talleyrand.tournament.circuits import Circuit, SeasonLine
from talleyrand.tournament.matching import Entrant
from talleyrand.tournament.model import Words
from talleyrand.tournament.records import Results, Sat
from talleyrand.web.boards import wording
from talleyrand.web.tournaments.models import Tournament

from .editions import Edition, editions

KEPT = 64  # events a process keeps reckoned
FAULTY = "faulty"

_known: OrderedDict[str, Results | None] = OrderedDict()
_lock = Lock()


def results_of(tournament: Tournament, edition: Edition) -> Results | None:
    """What an event ended with; None where its regulations cannot be reckoned."""
    stamp = tournament.stamp
    with _lock:
        if stamp in _known:
            _known.move_to_end(stamp)
            return _known[stamp]
    try:
        found = records.results(edition.event)
    except TalleyrandError:
        found = None
    with _lock:
        _known[stamp] = found
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return found


@dataclass
class Reckoned:
    """A season with what its events gave."""

    circuit: Circuit
    editions: list[Edition]

    @classmethod
    def of(cls, circuit: Circuit, request: HttpRequest) -> Reckoned:
        """As the visitor may see it."""
        return cls(circuit, editions(circuit, request))

    @cached_property
    def held(self) -> Mapping[int, Results]:
        """The results of the events that count, by their number, in the order of their days."""
        found = {one.number: results_of(one.tournament, one) for one in self.editions if one.counts}
        return {number: one for number, one in found.items() if one is not None}

    @cached_property
    def entrants(self) -> list[Entrant]:
        """Everybody who came."""
        return matching.entrants({at: one.event for at, one in self.held.items()}, self.circuit.decisions)

    @cached_property
    def ranking(self) -> list[SeasonLine]:
        """Who leads."""
        outcomes = {number: one.outcome for number, one in self.held.items()}
        return circuits.ranking(self.circuit, self.entrants, outcomes)

    @cached_property
    def games(self) -> list[Sat]:
        """Every game of everybody."""
        return records.games(self.held, self.entrants)

    def state(self, edition: Edition) -> str:
        """Why an event gives nothing yet: still to come or under way ("running"), or not to be reckoned."""
        if not edition.counts:
            return "running"
        return "" if edition.number in self.held else FAULTY


def text(words: Words, otherwise: str) -> str:
    """A text in the language in use, or in another where it was not written in this one."""
    found = words.get(wording.language(), "").strip()
    return found or next((one for one in words.values() if one.strip()), otherwise)
