"""The podium and the prizes, reckoned once for each state of an event: a whole room looks at them at once."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from talleyrand.tournament import prizes
from talleyrand.tournament.prizes import Award

from . import cached_standings
from .event_documents import event_of
from .models import Tournament

MOST_CACHED = 8  # tournaments whose awards a process keeps
_known: OrderedDict[str, tuple[Award, ...]] = OrderedDict()
_lock, _reckoning = Lock(), Lock()


def awards_of(tournament: Tournament) -> tuple[Award, ...]:
    """All of them, by all rounds; none where the regulations cannot be read. Raises TalleyrandError."""
    found = _from_cache(tournament.state_token)
    if found is not None:
        return found
    with _reckoning:
        found = _from_cache(tournament.state_token)
        if found is None:
            found = _computed_awards(tournament)
    with _lock:
        _known[tournament.state_token] = found
        while len(_known) > MOST_CACHED:
            _known.popitem(last=False)
    return found


def _from_cache(stamp: str) -> tuple[Award, ...] | None:
    with _lock:
        return _known.get(stamp)


def _computed_awards(tournament: Tournament) -> tuple[Award, ...]:
    event = event_of(tournament)
    held = cached_standings.standings_of(tournament, max(event.rounds, default=0)).standings
    if held is None:
        return ()
    return (*prizes.podium(event, held), *prizes.award_prizes(event, held).values())
