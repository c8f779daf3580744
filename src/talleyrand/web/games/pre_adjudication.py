"""Judging ahead: what is due soon, with many others, is judged before, so that it only has to be published.

An answer follows from question, sheets and absent alone. It is kept in memory, and counts where exactly
these are asked in the end: a sheet handed in meanwhile has its phase judged again. Nothing is decided here
and nothing is written of a game: a clock that forgets it all is slower. Several share the work by the signs
of life they give meanwhile; whoever counts them wrong judges too much or too little.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic, thread_time
from typing import NamedTuple

from django.db import DatabaseError
from django.db.models import Count, F, Max, QuerySet

from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.web.boards.adjudicator import Answer
from talleyrand.web.bots import bot_players
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from . import deadline_decisions, phase_adjudication
from .deadline_decisions import DueDecision, DueStep
from .models import Game, GameState, Heartbeat
from .phase_adjudication import PhaseSnapshot

LEAST_GAMES = 20  # games due together: fewer are published in a moment anyway
WORTH_COMPILED_CODE = 100  # games of one clock: to load it takes as long, and 100 MB of memory
MOST_ANSWERS = 1000  # answers, of some 100 kB each
DUE_WITHIN = timedelta(minutes=1)
READ_AT_ONCE = 20  # games
WORK_SECONDS = 0.5  # seconds of work between two sweeps, for which twice the time is taken at most
HEARTBEAT_EVERY = timedelta(seconds=15)  # between two signs of life; three without any: it is gone
HEARTBEAT_PREFIX = "ahead:"
STEPS_AT_DEADLINE = frozenset({DueStep.ADJUDICATE, DueStep.SUBMIT_DRAFTS})

logger = logging.getLogger(__name__)


def _ending() -> QuerySet[Game]:
    """Games that play, whose phase ends between two moments."""
    return Game.objects.filter(
        state=GameState.PLAYING,
        adjudication_error="",
        next_check_at__gt=Given(Game, "next_check_at", "after"),
        next_check_at__lte=Given(Game, "next_check_at", "until"),
        deadline__lte=F("next_check_at"),
    )


ENDING_COUNT = PreparedQuery(
    lambda: _ending().values("state").annotate(count=Count("pk")).values_list("count")
)
ENDING = PreparedQuery(
    lambda: (
        _ending()
        .annotate(drafted=Max("seats__drafted_at"))
        .order_by("next_check_at", "pk")
        .values_list("pk", "version", "drafted")
    )
)


class GameFingerprint(NamedTuple):
    """What changes where a game, or a draft of its players, does."""

    version: int
    drafted_at: datetime | None


@dataclass(frozen=True)
class PreAdjudicatedPhase:
    """A phase as it was judged; nothing where it would not be published, or not be judged."""

    fingerprint: GameFingerprint
    snapshot: PhaseSnapshot | None = None
    answer: Answer | None = None

    def answer_for(self, taken: PhaseSnapshot) -> Answer | None:
        """What becomes of a snapshot, if it asks the same."""
        return self.answer if self.snapshot is not None and taken.asks_the_same_as(self.snapshot) else None


@dataclass
class PreAdjudicator:
    """What one clock, by its `name`, has judged ahead, by game; `loading` has compiled code judge reasons
    where its games are many.
    """

    name: str = ""
    _signed: datetime | None = field(default=None, init=False)
    _kept: dict[int, PreAdjudicatedPhase] = field(default_factory=dict, init=False)
    loading: threading.Thread | None = field(default=None, init=False)

    def has_answer(self, game: int) -> bool:
        """Whether a game may be published without judging it."""
        return game in self._kept and self._kept[game].answer is not None

    def answer_of(self, taken: PhaseSnapshot) -> Answer:
        """What becomes of the sheets: as foreseen, where nothing else is asked now. Raises
        QuestionRefusal.
        """
        kept = self._kept.pop(taken.game.pk, None)
        foreseen = kept.answer_for(taken) if kept else None
        return foreseen if foreseen is not None else taken.adjudicate()

    def work_ahead(self, now: datetime, stop: threading.Event, spell: float = WORK_SECONDS) -> bool:
        """Judge what is due soon, for a short while, until `stop` is set; nothing unless it is much.

        Whether there is more to do.
        """
        worked, until = thread_time() + spell, monotonic() + 2 * spell
        wanted = self._wanted(now)
        if len(wanted) >= WORTH_COMPILED_CODE:
            self._load_compiled()
        for look, mark in _looks(wanted):
            if stop.is_set() or thread_time() >= worked or monotonic() >= until:
                return True
            self._kept[look.game.pk] = _foreseen(look, mark)
        return False

    def _load_compiled(self) -> None:
        """Have compiled code judge reasons as soon as it is there, which a thread of its own sees to."""
        idle = self.loading is None or not self.loading.is_alive()
        if idle and AdjudicatedQuestion.compiled_removals is None and bot_players.bots_are_compiled():
            self.loading = threading.Thread(target=prepare_compiled_reasons, name="reasons", daemon=True)
            self.loading.start()

    def _wanted(self, now: datetime) -> list[tuple[int, GameFingerprint]]:
        """This clock’s share of what is not known yet."""
        coming = _coming(now)
        self._kept = {game: one for game, one in self._kept.items() if game in coming}
        if not coming:
            return []
        place, clocks = self._place(now)
        wanted = [one for one in coming.items() if one[0] % clocks == place and not self._is_known(*one)]
        return wanted[: max(0, MOST_ANSWERS - len(self._kept))]

    def _place(self, now: datetime) -> tuple[int, int]:
        """Which this one is among the clocks that look ahead, and how many there are."""
        if self._signed is None or abs(now - self._signed) >= HEARTBEAT_EVERY:
            self._sign(now)
        others = Heartbeat.objects.filter(process_name__startswith=HEARTBEAT_PREFIX).values_list(
            "process_name", flat=True
        )
        clocks = sorted({*others, HEARTBEAT_PREFIX + self.name})
        return clocks.index(HEARTBEAT_PREFIX + self.name), len(clocks)

    def _sign(self, now: datetime) -> None:
        Heartbeat.objects.filter(
            process_name__startswith=HEARTBEAT_PREFIX, last_seen_at__lt=now - 3 * HEARTBEAT_EVERY
        ).delete()
        Heartbeat.objects.update_or_create(
            process_name=HEARTBEAT_PREFIX + self.name, defaults={"last_seen_at": now}
        )
        self._signed = now

    def _is_known(self, game: int, mark: GameFingerprint) -> bool:
        return game in self._kept and self._kept[game].fingerprint == mark


def prepare_compiled_reasons() -> None:
    """Have compiled code judge reasons in this process, once another has compiled it where it is not kept."""
    from talleyrand.simulation import reasons_compiler

    try:
        if not reasons_compiler.load_if_kept():
            reasons_compiler.start_compiling().wait()
            reasons_compiler.load_if_kept()
    except Exception:
        logger.exception("reasons are judged without compiled code")


def _coming(now: datetime) -> dict[int, GameFingerprint]:
    """The games whose phase ends soon, where these are many."""
    between = {"after": now, "until": now + DUE_WITHIN}
    [(count,)] = ENDING_COUNT.rows(**between) or [(0,)]
    if count < LEAST_GAMES:
        return {}
    return {pk: GameFingerprint(version, drafted) for pk, version, drafted in ENDING.rows(**between)}


def _looks(
    wanted: Sequence[tuple[int, GameFingerprint]],
) -> Iterator[tuple[DueDecision, GameFingerprint]]:
    """Games as they will be looked at when they are due, some of them read together."""
    for start in range(0, len(wanted), READ_AT_ONCE):
        marks = dict(wanted[start : start + READ_AT_ONCE])
        games = Game.objects.filter(pk__in=marks, next_check_at__isnull=False)
        coming = [DueDecision(game, game.next_check_at) for game in games if game.next_check_at]
        for look in deadline_decisions.read_together(coming):
            yield look, marks[look.game.pk]


def _foreseen(look: DueDecision, mark: GameFingerprint) -> PreAdjudicatedPhase:
    try:
        if look.decide() not in STEPS_AT_DEADLINE:
            return PreAdjudicatedPhase(mark)
        taken = phase_adjudication.take_snapshot(look.game, look.game.phase_number, look.now, look)
        return PreAdjudicatedPhase(mark, taken, taken.adjudicate())
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 whatever it is, it is met again when the phase is due, and told then
        return PreAdjudicatedPhase(mark)
