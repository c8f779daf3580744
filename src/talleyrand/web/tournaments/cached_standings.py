"""Standings as often as they are asked for: reckoned once for each state of what they rest on.

A room of telephones asks for them after every change, and most changes move nobody: an arrival, a clock, a
vote. Whoever asks while they are being reckoned waits for them, rather than reckoning them as well.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import standings
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings

from .event_documents import event_of
from .models import Tournament, random_token

MOST_CACHED = 64
StandingsKey = tuple[str, int, bool]  # which state of an event, through which round, provisional or not


@dataclass(frozen=True)
class CachedStandings:
    """Standings, None where the regulations cannot be read; `mark` is another for other ones."""

    basis: Event
    standings: Standings | None
    mark: str


_known: OrderedDict[StandingsKey, CachedStandings] = OrderedDict()
_last: OrderedDict[tuple[int, int, bool], CachedStandings] = OrderedDict()  # by tournament
_lock, _reckoning = Lock(), Lock()


def standings_of(tournament: Tournament, through: int, *, provisional: bool = False) -> CachedStandings:
    """The standings of a tournament as it is, after a round."""
    asked = (tournament.state_token, through, provisional)
    found = _from_cache(asked)
    if found is not None:
        return found
    with _reckoning:
        found = _from_cache(asked) or _computed_standings(tournament, through, provisional=provisional)
    with _lock:
        _known[asked] = _last[tournament.pk, through, provisional] = found
        for kept in (_known, _last):
            while len(kept) > MOST_CACHED:
                kept.popitem(last=False)
    return found


def _from_cache(asked: StandingsKey) -> CachedStandings | None:
    with _lock:
        if asked in _known:
            _known.move_to_end(asked)
        return _known.get(asked)


def _computed_standings(tournament: Tournament, through: int, *, provisional: bool) -> CachedStandings:
    rests_on = standings.ranking_basis(event_of(tournament))
    with _lock:
        before = _last.get((tournament.pk, through, provisional))
    if before is not None and before.basis == rests_on:
        return before
    try:
        return CachedStandings(
            rests_on, standings.compute_standings(rests_on, through, provisional), random_token()
        )
    except TalleyrandError:
        return CachedStandings(rests_on, None, random_token())
