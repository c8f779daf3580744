"""The orders that wait for a thread of this process, and when those may come back that find no place.

Each is promised a turn, the earlier the sooner, no more of them a second than can be served: so whoever is
told to come back is told so once or twice, however many they are. Whoever comes when it is their turn goes
before those who come for the first time; whoever comes sooner finds a place only where nobody needs it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil
from random import SystemRandom

from .first_tries import COUNTS_FOR, FirstTry

SHORTEST_PAUSE, LONGEST_PAUSE = 2, 60  # seconds; whose turn is later comes in between and keeps it
PROMISED = 0.8  # of what can be served; the rest is for those who come meanwhile
AGAIN = 0.5  # of it, for those who came at their turn and found no place
LAST_TURN = COUNTS_FOR - timedelta(minutes=1)  # from now on
# Seconds of waiting for which there are places while others are to come back: for whoever comes before their
# turn, for the first time, at their turn, LATE seconds after it; the last where none are to come back.
OF_EARLY, OF_NEW, OF_PUNCTUAL, OF_ALL, LATE = 0.05, 0.3, 0.75, 1.0, 10.0
ANSWERED = 1.6  # seconds, with the time that orders take once a thread is at them
EARLY, SPREAD = timedelta(seconds=1), 4.0  # seconds
FIRST_RATE, LEAST_RATE = 100.0, 1.0  # orders a second: until some have been counted, and at the least
REMEMBERED = 5.0  # seconds of serving
_chance = SystemRandom()


class OrderTurns:
    """One process's line. For one event loop; moments are given."""

    def __init__(self, threads: int) -> None:
        self.waiting = 0
        self._threads, self._running = threads, 0
        self._done, self._busy = FIRST_RATE, 1.0  # orders, and the seconds in which others waited meanwhile
        self._seen: datetime | None = None  # up to when these are counted
        self._last: datetime | None = None  # of the turns promised
        self._again: datetime | None = None

    @property
    def rate(self) -> float:
        """Orders that are done in a second while others wait."""
        return max(LEAST_RATE, self._done / self._busy)

    def has_place(self, known: FirstTry | None, now: datetime) -> bool:
        """Whether orders may wait here, which come for the first time, or as they were told."""
        self._count(now)
        if known is not None and known.turn <= now + EARLY:
            late = max(0.0, (now - known.turn).total_seconds()) / LATE
            seconds = min(OF_ALL, OF_PUNCTUAL + late * (OF_ALL - OF_PUNCTUAL))
        elif self._last is None or self._last <= now:
            seconds = OF_ALL
        else:
            seconds = OF_NEW if known is None else OF_EARLY
        places = min(seconds * self.rate, ANSWERED * self.rate - self._threads)
        return self.waiting < max(1.0, places)

    def joined(self, now: datetime) -> None:
        """Orders wait for a thread."""
        self._count(now)
        self.waiting += 1

    def left(self, now: datetime) -> None:
        """Orders wait no more."""
        self._count(now)
        self.waiting -= 1

    def begun(self, now: datetime) -> None:
        """A thread answers a request, of whatever kind."""
        self._count(now)
        self._running += 1

    def ended(self, now: datetime, *, orders: bool) -> None:
        """A thread has answered a request."""
        self._count(now)
        self._done += orders and self._is_full
        self._running -= 1

    def turn(self, now: datetime) -> datetime:
        """Promise orders that came first now their turn."""
        self._last = min(_after(self._last, now, PROMISED * self.rate), now + LAST_TURN)
        return self._last

    def pause(self, known: FirstTry, now: datetime) -> int:
        """Seconds after which orders whose turn is promised are to come back: whole ones, and so a few more
        by chance, or all those of a second would come in the same moment.
        """
        back = known.turn
        if back <= now + EARLY:
            back = self._again = _after(self._again, now, AGAIN * self.rate)
        seconds = (back - now).total_seconds()
        parts = max(1, ceil(seconds / LONGEST_PAUSE))
        return max(int(seconds / parts + _chance.uniform(0, SPREAD)), SHORTEST_PAUSE)

    @property
    def _is_full(self) -> bool:
        return self.waiting > 0 and self._running >= self._threads

    def _count(self, now: datetime) -> None:
        """The time since the last look; what is long ago counts less."""
        if self._seen is not None and self._is_full:
            self._busy += max(0.0, (now - self._seen).total_seconds())
        if self._busy > REMEMBERED:
            self._done *= REMEMBERED / self._busy
            self._busy = REMEMBERED
        self._seen = now


def _after(last: datetime | None, now: datetime, rate: float) -> datetime:
    """The next of so many moments a second, not too soon."""
    soonest = now + timedelta(seconds=SHORTEST_PAUSE)
    return max(last or soonest, soonest) + timedelta(seconds=1 / rate)
