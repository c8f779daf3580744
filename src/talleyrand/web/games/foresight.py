"""Judging ahead: what is due soon, with many others, is judged before, so that it only has to be published.

An answer follows from question, sheets and absent alone. It is kept in memory, and counts where exactly
these are asked in the end: a sheet handed in meanwhile has its phase judged again. Nothing is decided here
and nothing is written of a game: a clock that forgets it all is slower. Several share the work by the signs
of life they give meanwhile; whoever counts them wrong judges too much or too little.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic, thread_time
from typing import NamedTuple

from django.db import DatabaseError
from django.db.models import F, Max

from talleyrand.web.boards.referee import Answer

from . import referee
from .looking import Look, Step
from .models import Beat, Game, State
from .referee import Snapshot

MANY = 20  # games due together: fewer are published in a moment anyway
MOST = 1000  # answers, of some 100 kB each
SOON = timedelta(minutes=1)
SPELL = 0.5  # seconds of work between two sweeps, for which twice the time is taken at most
SIGN = timedelta(seconds=15)  # between two signs of life; three without any: it is gone
AHEAD = "ahead:"
AT_THE_END = frozenset({Step.PUBLISH, Step.SETTLE})


class Mark(NamedTuple):
    """What changes where a game, or a draft of its players, does."""

    version: int
    drafted: datetime | None


@dataclass(frozen=True)
class Foreseen:
    """A phase as it was judged; nothing where it would not be published, or not be judged."""

    mark: Mark
    taken: Snapshot | None = None
    answer: Answer | None = None

    def answers(self, taken: Snapshot) -> Answer | None:
        """What becomes of a snapshot, if it asks the same."""
        return self.answer if self.taken is not None and taken.asks_like(self.taken) else None


@dataclass
class Foresight:
    """What one clock, by its `name`, has judged ahead, by game."""

    name: str = ""
    _signed: datetime | None = field(default=None, init=False)
    _kept: dict[int, Foreseen] = field(default_factory=dict, init=False)

    def knows(self, game: int) -> bool:
        """Whether a game may be published without judging it."""
        return game in self._kept and self._kept[game].answer is not None

    def answer(self, taken: Snapshot) -> Answer:
        """What becomes of the sheets: as foreseen, where nothing else is asked now. Raises Unanswered."""
        kept = self._kept.pop(taken.game.pk, None)
        foreseen = kept.answers(taken) if kept else None
        return foreseen if foreseen is not None else taken.judged()

    def look(self, now: datetime, stop: threading.Event, spell: float = SPELL) -> bool:
        """Judge what is due soon, for a short while, until `stop` is set; nothing unless it is much.

        Whether there is more to do.
        """
        worked, until = thread_time() + spell, monotonic() + 2 * spell
        for game, mark in self._wanted(now):
            if stop.is_set() or thread_time() >= worked or monotonic() >= until:
                return True
            self._kept[game] = _foreseen(game, mark)
        return False

    def _wanted(self, now: datetime) -> list[tuple[int, Mark]]:
        """This clock’s share of what is not known yet."""
        coming = _coming(now)
        self._kept = {game: one for game, one in self._kept.items() if game in coming}
        if not coming:
            return []
        place, clocks = self._place(now)
        wanted = [one for one in coming.items() if one[0] % clocks == place and not self._is_known(*one)]
        return wanted[: max(0, MOST - len(self._kept))]

    def _place(self, now: datetime) -> tuple[int, int]:
        """Which this one is among the clocks that look ahead, and how many there are."""
        if self._signed is None or abs(now - self._signed) >= SIGN:
            self._sign(now)
        others = Beat.objects.filter(worker__startswith=AHEAD).values_list("worker", flat=True)
        clocks = sorted({*others, AHEAD + self.name})
        return clocks.index(AHEAD + self.name), len(clocks)

    def _sign(self, now: datetime) -> None:
        Beat.objects.filter(worker__startswith=AHEAD, at__lt=now - 3 * SIGN).delete()
        Beat.objects.update_or_create(worker=AHEAD + self.name, defaults={"at": now})
        self._signed = now

    def _is_known(self, game: int, mark: Mark) -> bool:
        return game in self._kept and self._kept[game].mark == mark


def _coming(now: datetime) -> dict[int, Mark]:
    """The games whose phase ends soon, where these are many."""
    playing = Game.objects.filter(state=State.PLAYING, trouble="", sweep__gt=now, sweep__lte=now + SOON)
    ending = playing.filter(due__lte=F("sweep"))
    if ending.count() < MANY:
        return {}
    marked = ending.annotate(drafted=Max("seats__draft_at")).order_by("sweep", "pk")
    told = marked.values_list("pk", "version", "drafted")
    return {pk: Mark(version, drafted) for pk, version, drafted in told}


def _foreseen(pk: int, mark: Mark) -> Foreseen:
    try:
        game = Game.objects.get(pk=pk)
        if game.sweep is None or Look(game, game.sweep).step() not in AT_THE_END:
            return Foreseen(mark)
        taken = referee.snapshot(game, game.number, game.sweep)
        return Foreseen(mark, taken, taken.judged())
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 whatever it is, it is met again when the phase is due, and told then
        return Foreseen(mark)
