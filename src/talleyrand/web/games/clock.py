"""The clock: looks at every game that is due, and does what its terms say. Any number may run at once.

A game is claimed by one conditional update; what is then decided is kept only if nothing has changed since
it was read. Whoever dies in the middle leaves a claim that soon ends, and nothing half done.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import SystemRandom
from time import perf_counter

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.crashing import point
from talleyrand.web.notices import counters, outbox

from . import audience, computers, inbox, log, looking, referee, running
from .endings import carrying
from .foresight import Foresight
from .looking import Look, Step
from .models import Beat, Game, Outage, State, secret
from .writing import writing

BATCH = 20  # games that are claimed at once
CLAIM = timedelta(seconds=30)  # after which a worker is taken for dead
ATTEMPTS = 8  # how often a game is looked at again that changes meanwhile
DEATHS = 4  # workers that a game may cost before it is parked
BROKEN = 3  # games in a row that the database fails, before it is left in peace for a while
SILENCE = timedelta(minutes=10)  # without a beat: an outage
BEAT = timedelta(seconds=15)
TIDYING = timedelta(days=1)  # between two looks at what was read long ago
SECOND = 1.0
SITE = "site"

logger = logging.getLogger(__name__)
_chance = SystemRandom()


@dataclass
class Clock:
    """One of the clocks of a site, by its `name`; `done` counts what its last sweep did, in `seconds`."""

    name: str = field(default_factory=lambda: f"{socket.gethostname()[:16]}-{os.getpid()}-{secret()[:6]}")
    done: Counter[str] = field(default_factory=Counter)
    seconds: float = field(default=0.0, init=False)
    foresight: Foresight = field(init=False)
    _holding: bool = field(default=False, init=False)
    _broken: int = field(default=0, init=False)
    _tidied: datetime | None = field(default=None, init=False)
    _begun: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.foresight = Foresight(self.name)

    def sweep(self, now: datetime) -> int:
        """Look at all that is due by `now`, the oldest first; how many phases were published."""
        self.done = Counter()
        self._broken, self._begun = 0, perf_counter()
        self._let_go()
        carrying.settle_due(now)
        due = list(_due(now).order_by("sweep", "pk").values_list("pk", "attempts"))
        # first what is judged already, so that another clock begins with what this one would have to judge
        due.sort(key=lambda one: not self.foresight.knows(one[0]))
        for batch in _batches(due):
            self._do(self._claim(batch, now), now)
        self._holding = False
        return self.done[Step.PUBLISH]

    def tick(self, now: datetime) -> int:
        """A sweep of a clock that runs: it also says that it is there."""
        pulse(now)
        begun = perf_counter()
        published = self.sweep(now)
        computers.see_to()
        self.seconds = perf_counter() - begun
        self._tidy(now)
        return published

    def _tidy(self, now: datetime) -> None:
        """Once a day, after what is due."""
        if self._tidied is None or abs(now - self._tidied) >= TIDYING:
            self._tidied = now  # also where it fails: there is time tomorrow
            outbox.prune(now)

    def _let_go(self) -> None:
        """After a sweep that the database broke off: what it had claimed and not looked at."""
        if self._holding:
            mine = Game.objects.filter(worker__startswith=f"{self.name}:")
            mine.update(worker="", worker_until=None, attempts=0)
            self._holding = False

    def _claim(self, batch: Sequence[int], now: datetime) -> list[Game]:
        """Take games: theirs is whoever changed the rows."""
        free = _due(now).filter(pk__in=batch)
        mine = f"{self.name}:{secret()[:6]}"
        # from now on, however long this sweep has lasted: else others would take what is being done
        until = now + timedelta(seconds=perf_counter() - self._begun) + CLAIM
        claimed = {"worker": mine, "worker_until": until, "attempts": F("attempts") + 1}
        self._holding = True
        if not free.update(**claimed):
            return []
        return list(Game.objects.filter(pk__in=batch, worker=mine).order_by("sweep", "pk"))

    def _do(self, games: Sequence[Game], now: datetime) -> None:
        """What is due in games, read together; people are told of all of it at once that there is news."""
        with counters.together():
            for look in _looks(games, now):
                self._one(look.game, now, look)

    def _one(self, game: Game, now: datetime, look: Look) -> None:
        """Do what is due in a game; what goes wrong parks this one alone."""
        point("clock: claimed")
        try:
            self.done[self._look(game, now, look)] += 1
            self._broken = 0
        except (OperationalError, InterfaceError):
            # the database, rather than the game: its claim ends by itself
            self._broken += 1
            if self._broken == BROKEN:
                raise
            logger.exception("game %s: the database broke off phase %s", game.key, game.phase)
            return
        except (TalleyrandError, Unanswered):
            logger.exception("game %s: the judge refuses phase %s", game.key, game.phase)
            _park(game, running.REFUSED)
        except Exception:
            logger.exception("game %s: phase %s failed", game.key, game.phase)
            _park(game, running.FAULT)
        point("clock: before release")
        _release(game)
        point("clock: released")

    def _look(self, game: Game, now: datetime, look: Look) -> str:
        """Decide and act, again where the game changed meanwhile."""
        if game.attempts > DEATHS:
            logger.error("game %s: several clocks came to their end in phase %s", game.key, game.phase)
            _park(game, running.FAULT)
            return "parked"
        # as it was read when it was claimed; whatever has changed since then shows by its version
        refused = False
        for _ in range(ATTEMPTS):
            step = look.step()
            try:
                if self._act(step, look):
                    return step
            except IntegrityError:
                # what was to be written of somebody or something that has been deleted since; but not twice
                if refused:
                    raise
                refused = True
            look = Look(Game.objects.get(pk=game.pk), now)
        return Step.LATER

    def _act(self, step: str, look: Look) -> bool:
        """Whether it could be done; not where the game has changed since it was looked at."""
        return _publish(look, self.foresight) if step == Step.PUBLISH else ACTIONS[step](look)


def _looks(games: Sequence[Game], now: datetime) -> list[Look]:
    try:
        return looking.together(games, now)
    except DatabaseError:
        raise
    except Exception:  # something is wrong with one of them: it is found, and parked, when each is read alone
        logger.exception("games could not be read together")
        return [Look(game, now) for game in games]


def _due(now: datetime) -> QuerySet[Game]:
    free = Q(worker="") | Q(worker_until__lt=now)
    return Game.objects.filter(free, state=State.PLAYING, trouble="", sweep__lte=now)


def expected(until: datetime) -> int:
    """How many games a clock will have to look at by then."""
    return _due(until).count()


def _batches(due: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Games that a worker may have died of are taken alone."""
    calm = [pk for pk, attempts in due if not attempts]
    for start in range(0, len(calm), BATCH):
        yield calm[start : start + BATCH]
    for pk, attempts in due:
        if attempts:
            yield [pk]


def _park(game: Game, trouble: str) -> None:
    """Even where nobody can be told of it, a game that fails must not stop the others."""
    try:
        running.park(game, trouble)
    except Exception:
        logger.exception("game %s: nobody could be told that it waits", game.key)
        Game.objects.filter(pk=game.pk).update(trouble=trouble, sweep=None)
    # how many clocks it has cost is remembered
    Game.objects.filter(pk=game.pk).update(worker="", worker_until=None)


def _release(game: Game) -> None:
    if game.worker:
        Game.objects.filter(pk=game.pk, worker=game.worker).update(worker="", worker_until=None, attempts=0)


# what may be done


def _publish(look: Look, foresight: Foresight | None = None) -> bool:
    taken = referee.snapshot(look.game, look.game.number, look.now, look)
    answer = foresight.answer(taken) if foresight else taken.judged()
    if referee.publish(taken, answer, look.now) is None:
        return False
    look.game.worker = ""  # released with the publication
    return True


def _unchanged(look: Look) -> Game | None:
    """The row, locked, if nothing has changed since it was read."""
    game = Game.objects.select_for_update().get(pk=look.game.pk)
    return game if game.version == look.game.version and game.state == look.game.state else None


@writing
def _later(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game.sweep = look.next_look
    game.save(update_fields=["sweep"])
    return True


@writing
def _hold(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game.sweep = look.held_until
    game.save(update_fields=["sweep"])
    return True


@writing
def _think(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    computers.wait(game, look.now)
    game.sweep = look.computer_until
    game.save(update_fields=["sweep"])
    return True


@writing
def _nothing(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    game.sweep = look.terms.ends_at if game.state == State.PLAYING and not game.trouble else None
    game.save(update_fields=["sweep"])
    return True


@writing
def _warn(look: Look) -> bool:
    game = _unchanged(look)
    if game is None or game.due is None:
        return False
    people = [person for power in look.late for person in audience.holder(game, power)]
    due = game.due.isoformat()
    audience.tell(game, people, "due_soon", f"due_soon:{game.number}:{due}", phase=game.phase, due=due)
    counters.bump_people(audience.masters(game))  # whoever runs the game by post is told who is missing
    game.sweep = look.next_look
    game.save(update_fields=["sweep"])
    return True


@writing
def _settle(look: Look) -> bool:
    """At the deadline drafts become sheets; the grace is for those without any."""
    game = _unchanged(look)
    if game is None:
        return False
    _keep_drafts(Look(game, look.now))
    point("clock: drafts kept at the deadline")
    return False  # look again: there may be nobody left to wait for


def _keep_drafts(look: Look) -> None:
    for power, seat in look.ripe.items():
        inbox.keep_draft(look.game, power, seat.draft, look.now)


@writing
def _extend(look: Look) -> bool:
    game = _unchanged(look)
    if game is None or game.due is None:
        return False
    game.extended += 1
    due = _after(look, look.rhythm.extended(game.due, game.phase[-1:]))
    running.moved(game, due, look.now)
    log.note(game, "extended", phase=game.phase, due=due.isoformat())
    return True


def _after(look: Look, due: datetime) -> datetime:
    """A date to come: one that is over already, since the clock was late, is extended again from now."""
    return due if due > look.now else look.rhythm.extended(look.now, look.game.phase[-1:])


@writing
def _wait(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    _keep_drafts(Look(game, look.now))
    game.waiting, game.sweep = True, look.terms.ends_at
    game.version += 1
    game.save(update_fields=["waiting", "sweep", "version"])
    once = f"waiting:{game.number}:{game.due}"
    audience.tell(game, audience.masters(game), "waiting", once, powers=look.missing, phase=game.phase)
    return True


@writing
def _restart(look: Look) -> bool:
    game = _unchanged(look)
    if game is None:
        return False
    due = look.rhythm.due(game.phase[-1:], look.now)
    running.moved(game, due, look.now)
    return True


@writing
def _spare(look: Look) -> bool:
    game = _unchanged(look)
    if game is None or look.spared is None:
        return False
    game.outage = Outage.objects.values_list("pk", flat=True).last() or 0
    game.save(update_fields=["outage"])
    running.moved(game, look.spared, look.now)
    log.note(game, "outage", phase=game.phase, due=look.spared.isoformat())
    return True


ACTIONS: dict[str, Callable[[Look], bool]] = {
    Step.NOTHING: _nothing,
    Step.LATER: _later,
    Step.WARN: _warn,
    Step.SETTLE: _settle,
    Step.PUBLISH: _publish,
    Step.EXTEND: _extend,
    Step.WAIT: _wait,
    Step.RESTART: _restart,
    Step.SPARE: _spare,
    Step.HOLD: _hold,
    Step.THINK: _think,
    Step.END: lambda look: carrying.carry_out(look.game, look.now),
}


# signs of life


def pulse(now: datetime) -> None:
    """Say that a clock is there; where none was for long, note the outage, once."""
    beat = Beat.objects.filter(worker=SITE).first()
    if beat is None:
        Beat.objects.bulk_create([Beat(worker=SITE, at=now)], ignore_conflicts=True)
    elif abs(now - beat.at) >= BEAT:  # the machine's time may have been put back
        _beat(beat, now)


def _beat(beat: Beat, now: datetime) -> None:
    with transaction.atomic():
        if not Beat.objects.filter(worker=SITE, at=beat.at).update(at=now):
            return
        if now - beat.at > SILENCE:
            Outage.objects.create(since=beat.at, until=now)
            running_then = Game.objects.filter(state=State.PLAYING, trouble="", due__gt=beat.at)
            running_then.update(sweep=now)


def sweep(now: datetime) -> int:
    """Look at all that is due by `now`; how many phases were published."""
    return Clock().sweep(now)


def retry_faults(now: datetime) -> None:
    """Try again what failed by our own fault, which may be mended by now; but not what ended clocks."""
    ours = Game.objects.filter(trouble=running.FAULT, state=State.PLAYING, attempts__lte=DEATHS)
    ours.update(trouble="", sweep=now)


def _begin() -> None:
    try:
        retry_faults(timezone.now())
    except DatabaseError:
        logger.exception("the clock begins without the database")
    finally:
        connection.close()


def run(stop: threading.Event, told: Callable[[Clock], None] | None = None) -> None:
    """Sweep once a second or so until `stop` is set; an unreachable database is tried again.

    `told` is called after each sweep.
    """
    clock, pause = Clock(), SECOND
    _begin()
    while not stop.is_set():
        try:
            clock.tick(timezone.now())
            pause = SECOND
            if told is not None:
                told(clock)
            if clock.foresight.look(timezone.now(), stop):
                pause = SECOND / 2
        except DatabaseError:
            logger.exception("the clock cannot reach the database, and tries again")
            pause = min(2 * pause, 30 * SECOND)
        except Exception:
            logger.exception("the clock stumbled, and goes on")
        finally:
            connection.close()
        stop.wait(pause * _chance.uniform(0.6, 1.0))
