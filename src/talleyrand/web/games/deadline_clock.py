"""The clock: looks at every game that is due, and does what its terms say. Any number may run at once.

What is decided of a game that is claimed is kept only if nothing has changed since it was read. Whoever dies
in the middle leaves a claim that soon ends, and nothing half done.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import SystemRandom
from time import perf_counter
from typing import Any

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.background import periodic_runner
from talleyrand.web.boards.adjudicator import Answer, QuestionRefusal
from talleyrand.web.claims import Counted, Queue, Sweep, unclaimed
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox, topic_versions

from . import (
    deadline_decisions,
    game_bots,
    game_lifecycle,
    game_log,
    order_submission,
    phase_adjudication,
    recipients,
)
from .deadline_decisions import DueDecision, DueStep
from .endings import agreed_end
from .models import ClockOutage, Game, GameState, Heartbeat, random_token
from .phase_adjudication import PhaseSnapshot
from .pre_adjudication import PreAdjudicator

GAMES_A_CLAIM = 20  # games that are claimed at once
CLAIM_LENGTH = timedelta(seconds=30)  # after which a worker is taken for dead
JUDGING_SECONDS = 1.0  # for games that are published together
MOST_RETRIES = 8  # how often a game is looked at again that changes meanwhile
MOST_CLOCK_DEATHS = 4  # workers that a game may cost before it is parked
OUTAGE_AFTER = timedelta(minutes=10)  # without a beat: an outage
HEARTBEAT_EVERY = timedelta(seconds=15)
TICK_SECONDS = 1.0
SITE_HEARTBEAT = "site"

FREE = PreparedQuery(
    lambda: unclaimed(
        _due(Given(Game, "next_check_at", "now")), Given(Game, "claimed_until", "now")
    ).values_list("pk")[:1]
)
logger = logging.getLogger(__name__)
_chance = SystemRandom()


@dataclass
class DeadlineClock:
    """One of the clocks of a site, by its `name`; `step_counts` counts what its last sweep did, in
    `last_tick_seconds`.
    """

    name: str = field(
        default_factory=lambda: f"{socket.gethostname()[:16]}-{os.getpid()}-{random_token()[:6]}"
    )
    step_counts: Counter[str] = field(default_factory=Counter)
    last_tick_seconds: float = field(default=0.0, init=False)
    pre_adjudicator: PreAdjudicator = field(init=False)
    _broken_off: Sweep | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.pre_adjudicator = PreAdjudicator(self.name)

    def check_due(self, now: datetime) -> int:
        """Look at all that is due by `now`, the oldest first; how many phases were published."""
        self.step_counts = Counter()
        if self._broken_off is not None:
            self._broken_off.let_go(attempts=0)
        agreed_end.settle_due_proposals(now)
        self._broken_off = Sweep(self.due_games(now), now)
        self._broken_off.run()
        self._broken_off = None
        return self.step_counts[DueStep.ADJUDICATE]

    def due_games(self, now: datetime) -> Queue:
        """What is due by `now`, which is also the moment of all that is decided."""
        return Queue(
            lambda _now: _due(now),
            self._do,
            CLAIM_LENGTH,
            "a game",
            in_turns=self._in_turns,
            counted=Counted.EVERY,
            most_attempts=MOST_CLOCK_DEATHS,
            exhausted=self._give_up,
        )

    def tick(self, now: datetime) -> int:
        """A sweep of a clock that runs: it also says that it is there."""
        record_heartbeat(now)
        begun = perf_counter()
        published = self.check_due(now)
        game_bots.wake_bots_if_due()
        self.last_tick_seconds = perf_counter() - begun
        return published

    def _in_turns(self, due: QuerySet[Game]) -> list[list[int]]:
        """First what is judged already, so that another clock begins with what this one would have to judge;
        games that a worker may have died of are taken alone.
        """
        found = list(due.values_list("pk", "attempts"))
        found.sort(key=lambda one: not self.pre_adjudicator.has_answer(one[0]))
        calm = [pk for pk, attempts in found if not attempts]
        together = [calm[start : start + GAMES_A_CLAIM] for start in range(0, len(calm), GAMES_A_CLAIM)]
        return together + [[pk] for pk, attempts in found if attempts]

    def _do(self, sweep: Sweep, games: list[Game]) -> int:
        """What is due in games, read together; people are told of all of it at once that there is news."""
        failpoint("clock: claimed")
        now = sweep.started_at
        with topic_versions.batched_bumps():
            looks = deadline_decisions.read_together([DueDecision(game, now) for game in games])
            done = self._publish_together(sweep, looks)
            for look in looks:
                if look.game.pk not in done:
                    sweep.do(look.game, partial(self._settle_game, look=look))
        return len(games)

    def _publish_together(self, sweep: Sweep, looks: Sequence[DueDecision]) -> set[int]:
        """Publish those that have come to it, as many as are judged soon enough; by primary key. What goes
        wrong with one, or with all, is met again and told when each is done alone.
        """
        judged: list[tuple[PhaseSnapshot, Answer]] = []
        until = perf_counter() + JUDGING_SECONDS
        try:
            for look in looks:
                judged += self._judged_if_due(look)
                if perf_counter() > until:
                    break
            done = phase_adjudication.publish_phases(judged, sweep.started_at)
        except Exception as problem:
            logger.exception("games could not be published together")
            sweep.database_failures += isinstance(problem, OperationalError | InterfaceError)
            return set()
        self.step_counts[DueStep.ADJUDICATE] += len(done)
        return done

    def _judged_if_due(self, look: DueDecision) -> list[tuple[PhaseSnapshot, Answer]]:
        """A game as it is to be published; nothing where it is not to be, or something is wrong with it."""
        try:
            if look.game.attempts > MOST_CLOCK_DEATHS or look.decide() != DueStep.ADJUDICATE:
                return []
            taken = phase_adjudication.take_snapshot(look.game, look.game.phase_number, look.now, look)
            return [(taken, self.pre_adjudicator.answer_of(taken))]
        except DatabaseError:
            raise
        except Exception:  # noqa: BLE001 it is met again, and told, when the game is done alone
            return []

    def _settle_game(self, sweep: Sweep, game: Game, look: DueDecision) -> int:
        """Do what is due in a game; what goes wrong parks this one alone."""
        try:
            self.step_counts[self._look(game, look)] += 1
        except (OperationalError, InterfaceError):
            raise  # the database, rather than the game: its claim ends by itself
        except Exception as problem:
            logger.exception("game %s: phase %s failed", game.key, game.phase)
            is_refused = isinstance(problem, TalleyrandError | QuestionRefusal)
            _park(sweep, game, game_lifecycle.POSITION_REFUSED if is_refused else game_lifecycle.SITE_FAULT)
        failpoint("clock: before release")
        if game.claimed_by:
            sweep.leave(game, attempts=0)
        failpoint("clock: released")
        return 1

    def _give_up(self, sweep: Sweep, game: Game) -> int:
        logger.error("game %s: several clocks came to their end in phase %s", game.key, game.phase)
        _park(sweep, game, game_lifecycle.SITE_FAULT)
        self.step_counts["parked"] += 1
        return 1

    def _look(self, game: Game, look: DueDecision) -> str:
        """Decide and act, again where the game changed meanwhile."""
        # as it was read when it was claimed; whatever has changed since then shows by its version
        refused = False
        for _ in range(MOST_RETRIES):
            step = look.decide()
            try:
                if self._act(step, look):
                    return step
            except IntegrityError:
                # what was to be written of somebody or something that has been deleted since; but not twice
                if refused:
                    raise
                refused = True
            look = DueDecision(Game.objects.get(pk=game.pk), look.now)
        return DueStep.CHECK_LATER

    def _act(self, step: str, look: DueDecision) -> bool:
        """Whether it could be done; not where the game has changed since it was looked at."""
        return (
            _publish(look, self.pre_adjudicator) if step == DueStep.ADJUDICATE else STEP_ACTIONS[step](look)
        )


def _due(now: datetime | Given) -> QuerySet[Game]:
    due = Game.objects.filter(state=GameState.PLAYING, adjudication_error="", next_check_at__lte=now)
    return due.order_by("next_check_at", "pk")


def is_game_due() -> bool:
    """Whether a clock has something to look at now."""
    return bool(FREE.rows(now=timezone.now()))


def due_game_count(until: datetime) -> int:
    """How many games a clock will have to look at by then."""
    return unclaimed(_due(until), until).count()


def _park(sweep: Sweep, game: Game, trouble: str) -> None:
    """Even where nobody can be told of it, a game that fails must not stop the others."""
    try:
        game_lifecycle.park_game(game, trouble)
    except Exception:
        logger.exception("game %s: nobody could be told that it waits", game.key)
        Game.objects.filter(pk=game.pk).update(adjudication_error=trouble, next_check_at=None)
    sweep.leave(game)  # how many clocks it has cost is remembered
    game.claimed_by = ""


# what may be done


def _publish(look: DueDecision, foresight: PreAdjudicator | None = None) -> bool:
    taken = phase_adjudication.take_snapshot(look.game, look.game.phase_number, look.now, look)
    answer = foresight.answer_of(taken) if foresight else taken.adjudicate()
    if phase_adjudication.publish_phase(taken, answer, look.now) is None:
        return False
    look.game.claimed_by = ""  # released with the publication
    return True


def _unchanged(look: DueDecision) -> Game | None:
    """The row, locked, if nothing has changed since it was read."""
    game = Game.objects.select_for_update().get(pk=look.game.pk)
    return game if game.version == look.game.version and game.state == look.game.state else None


@write_transaction
def _check_again(look: DueDecision, at: datetime | None) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game.next_check_at = at
    game.save(update_fields=["next_check_at"])
    return True


@write_transaction
def _think(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game_bots.start_waiting_for_bots(game, look.now)
    game.next_check_at = look.bots_wait_until
    game.save(update_fields=["next_check_at"])
    return True


@write_transaction
def _nothing(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game.next_check_at = (
        look.settings.ends_at if game.state == GameState.PLAYING and not game.adjudication_error else None
    )
    game.save(update_fields=["next_check_at"])
    return True


@write_transaction
def _warn(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None or game.deadline is None:
        return False
    missing: dict[int, list[str]] = {}
    for power in look.late_powers:
        for person in recipients.player_ids_of(game, power):
            missing.setdefault(person, []).append(power)
    due = game.deadline.isoformat()
    facts: dict[str, Any] = {"phase": game.phase, "due": due}
    with outbox.notified_together():
        for person, powers in missing.items():
            once = f"due_soon:{game.phase_number}:{due}"
            recipients.notify_about_game(game, [person], "due_soon", once, powers=powers, **facts)
    topic_versions.bump_people(
        recipients.game_master_ids(game)
    )  # whoever runs the game by post is told who is missing
    game.next_check_at = look.next_check
    game.save(update_fields=["next_check_at"])
    return True


@write_transaction
def _settle(look: DueDecision) -> bool:
    """At the deadline drafts become sheets; the grace is for those without any."""
    game = _unchanged(look)
    if game is None:
        return False
    _keep_drafts(DueDecision(game, look.now))
    failpoint("clock: drafts kept at the deadline")
    return False  # look again: there may be nobody left to wait for


def _keep_drafts(look: DueDecision) -> None:
    for power, seat in look.drafts_before_deadline.items():
        order_submission.submit_draft(look.game, power, seat.draft_orders, look.now)


@write_transaction
def _extend(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None or game.deadline is None:
        return False
    game.extension_count += 1
    due = _after(look, look.deadline_settings.extended_deadline(game.deadline, look.deadline_kind))
    hours, rest = divmod(due - game.deadline, timedelta(hours=1))
    game_lifecycle.save_deadline_and_notify(
        game, due, look.now, hours_for_missing_orders=0 if rest else hours
    )
    game_log.add_log_entry(game, "extended", phase=game.phase, due=due.isoformat())
    return True


def _after(look: DueDecision, due: datetime) -> datetime:
    """A date to come: one that is over already, since the clock was late, is extended again from now."""
    return due if due > look.now else look.deadline_settings.extended_deadline(look.now, look.deadline_kind)


@write_transaction
def _wait(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    _keep_drafts(DueDecision(game, look.now))
    game.is_waiting, game.next_check_at = True, look.settings.ends_at
    game.version += 1
    game.save(update_fields=["is_waiting", "next_check_at", "version"])
    once = f"waiting:{game.phase_number}:{game.deadline}"
    recipients.notify_about_game(
        game, recipients.game_master_ids(game), "waiting", once, powers=look.missing_powers, phase=game.phase
    )
    return True


@write_transaction
def _restart(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    due = look.deadline_settings.next_deadline(game.phase[-1:], look.now)
    game_lifecycle.save_deadline_and_notify(game, due, look.now)
    return True


@write_transaction
def _spare(look: DueDecision) -> bool:
    game = _unchanged(look)
    if game is None or look.deadline_after_outage is None:
        return False
    game.last_outage_id = ClockOutage.objects.values_list("pk", flat=True).last() or 0
    game.save(update_fields=["last_outage_id"])
    game_lifecycle.save_deadline_and_notify(game, look.deadline_after_outage, look.now)
    game_log.add_log_entry(game, "outage", phase=game.phase, due=look.deadline_after_outage.isoformat())
    return True


STEP_ACTIONS: dict[str, Callable[[DueDecision], bool]] = {
    DueStep.NOTHING: _nothing,
    DueStep.CHECK_LATER: lambda look: _check_again(look, look.next_check),
    DueStep.REMIND: _warn,
    DueStep.SUBMIT_DRAFTS: _settle,
    DueStep.ADJUDICATE: _publish,
    DueStep.EXTEND: _extend,
    DueStep.WAIT_FOR_GAME_MASTER: _wait,
    DueStep.SET_NEW_DEADLINE: _restart,
    DueStep.MOVE_AFTER_OUTAGE: _spare,
    DueStep.WAIT_FOR_EMAIL: lambda look: _check_again(look, look.email_wait_until),
    DueStep.WAIT_FOR_BOTS: _think,
    DueStep.END_GAME: lambda look: agreed_end.end_game_if_agreed(look.game, look.now),
}


# signs of life


def record_heartbeat(now: datetime) -> None:
    """Say that a clock is there; where none was for long, note the outage, once."""
    beat = Heartbeat.objects.filter(process_name=SITE_HEARTBEAT).first()
    if beat is None:
        Heartbeat.objects.bulk_create(
            [Heartbeat(process_name=SITE_HEARTBEAT, last_seen_at=now)], ignore_conflicts=True
        )
    elif abs(now - beat.last_seen_at) >= HEARTBEAT_EVERY:  # the machine's time may have been put back
        _beat(beat, now)


def _beat(beat: Heartbeat, now: datetime) -> None:
    with transaction.atomic():
        if not Heartbeat.objects.filter(process_name=SITE_HEARTBEAT, last_seen_at=beat.last_seen_at).update(
            last_seen_at=now
        ):
            return
        if now - beat.last_seen_at > OUTAGE_AFTER:
            ClockOutage.objects.create(started_at=beat.last_seen_at, ended_at=now)
            running_then = Game.objects.filter(
                state=GameState.PLAYING, adjudication_error="", deadline__gt=beat.last_seen_at
            )
            running_then.update(next_check_at=now)


def check_due_games(now: datetime) -> int:
    """Look at all that is due by `now`; how many phases were published."""
    return DeadlineClock().check_due(now)


def retry_failed_games(now: datetime) -> None:
    """Try again what failed by our own fault, which may be mended by now; but not what ended clocks."""
    ours = Game.objects.filter(
        adjudication_error=game_lifecycle.SITE_FAULT, state=GameState.PLAYING, attempts__lte=MOST_CLOCK_DEATHS
    )
    ours.update(adjudication_error="", next_check_at=now)


def run_deadline_clock(stop: threading.Event, told: Callable[[DeadlineClock], None] | None = None) -> None:
    """Sweep once a second or so, and soon after a game is due, until `stop` is set; an unreachable database
    is tried again.

    `told` is called after each sweep.
    """
    clock, is_behind = DeadlineClock(), False

    def work() -> None:
        nonlocal is_behind
        clock.tick(timezone.now())
        if told is not None:
            told(clock)
        is_behind = clock.pre_adjudicator.work_ahead(timezone.now(), stop)

    def pause() -> float:
        return TICK_SECONDS * _chance.uniform(0.6, 1.0) / (1 + is_behind)

    periodic_runner.is_done("the clock", lambda: retry_failed_games(timezone.now()))
    periodic_runner.repeat_works(
        "the clock", [work], stop, pause, is_due=is_game_due, most_pause=30 * TICK_SECONDS
    )
