"""The podium and the prizes, reckoned once for each state of an event: a whole room looks at them at once."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from talleyrand.tournament import prizes
from talleyrand.tournament.prizes import Award

from . import ranked
from .documents import event_of
from .models import Tournament

KEPT = 8  # tournaments whose awards a process keeps
_known: OrderedDict[str, tuple[Award, ...]] = OrderedDict()
_lock, _reckoning = Lock(), Lock()


def of(tournament: Tournament) -> tuple[Award, ...]:
    """All of them, by all rounds; none where the regulations cannot be read. Raises TalleyrandError."""
    found = _kept(tournament.stamp)
    if found is not None:
        return found
    with _reckoning:
        found = _kept(tournament.stamp)
        if found is None:
            found = _made(tournament)
    with _lock:
        _known[tournament.stamp] = found
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return found


def _kept(stamp: str) -> tuple[Award, ...] | None:
    with _lock:
        return _known.get(stamp)


def _made(tournament: Tournament) -> tuple[Award, ...]:
    event = event_of(tournament)
    held = ranked.of(tournament, max(event.rounds, default=0)).standings
    if held is None:
        return ()
    return (*prizes.podium(event, held), *prizes.of(event, held).values())
