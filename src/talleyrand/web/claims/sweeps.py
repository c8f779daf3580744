"""A queue as data, and a sweep over what is due in it."""

from __future__ import annotations

import logging
import math
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.common.transactions import write_transaction

from .claimed_rows import ClaimLost, Counted, claim_rows, own_rows, release, unclaimed

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Queue:
    """What sets one table of due rows apart from the others."""

    due: Callable[[datetime], QuerySet[Any]]  # whoever has them, the first to be done first
    work: Callable[[Sweep, list[Any]], int]  # done under the claim of some rows: see `each`
    lease: timedelta  # more than the work of one claim may take
    told_as: str  # in the log
    a_claim: int = 1  # rows that are claimed together
    claimable: Callable[[datetime], QuerySet[Any]] | None = None  # to claim from, where `due` joins tables
    seconds: float = math.inf  # after which other work has its turn, and a stop is noticed
    at_a_look: int | None = None  # keys that are read at once; None: all
    read_again_after: float = math.inf  # seconds of one row, after which what has come meanwhile goes first
    in_turns: Callable[[QuerySet[Any]], Sequence[list[Any]]] | None = None  # keys by claim, else `a_claim`
    counted: Counted = Counted.NONE
    most_attempts: int | None = None  # beyond which a row is `exhausted` rather than worked at
    exhausted: Callable[[Sweep, Any], int] = lambda _sweep, _row: 0
    pauses: tuple[timedelta, ...] = ()  # before what failed is due again; given up after the last
    may_claim: Callable[[datetime], bool] | None = None  # asked in the transaction of each claim
    noted_in: str = ""  # a column that is told when a row was claimed
    failed: Callable[[Sweep, Any], object] = lambda _sweep, _row: None  # its claim ends by itself
    is_secret: bool = False  # the log says of a problem what it is, and no more
    database_failures: int = 3  # in a row that end a sweep


@dataclass
class Sweep:
    """One look at what is due, from the moment `started_at`; each row has its turn once."""

    queue: Queue
    started_at: datetime = field(default_factory=timezone.now)
    is_over: bool = False  # to be set where nothing more can be done
    database_failures: int = 0  # in a row, so far
    _begun: float = field(init=False)
    _token: str = field(init=False)
    _claims: int = 0
    _turns: list[list[Any]] = field(default_factory=list)  # the keys of the next claims
    _passed_by: dict[Any, datetime | None] = field(default_factory=dict)
    # until when: those claimed here for the whole sweep, those claimed elsewhere as long as a claim lasts

    def __post_init__(self) -> None:
        self._begun, self._token = monotonic(), f"{os.getpid()}-{secrets.token_hex(6)}-"

    @property
    def seconds(self) -> float:
        return monotonic() - self._begun

    @property
    def now(self) -> datetime:
        return self.started_at + timedelta(seconds=self.seconds)

    @property
    def has_time(self) -> bool:
        return self.seconds < self.queue.seconds

    def run(self) -> int:
        """Until nothing is due, or it takes too long: the sum of what its work gives."""
        done = 0
        while self.has_time and not self.is_over and (rows := self.claim_next()):
            begun = self.seconds
            done += self.queue.work(self, rows)
            if self.seconds - begun > self.queue.read_again_after:
                self._turns = []
        return done

    def do(self, row: Any, work: Callable[[Sweep, Any], int]) -> int:
        """Work at a row whose claim one has. What goes wrong is this row’s affair, or the database’s."""
        most = self.queue.most_attempts
        try:
            done = (self.queue.exhausted if most is not None and row.attempts > most else work)(self, row)
        except ClaimLost:
            return 0
        except Exception as problem:
            self._log_failure(row, problem)
            self.queue.failed(self, row)
            self.database_failures = (self.database_failures + 1) * isinstance(problem, DatabaseError)
            if self.database_failures >= self.queue.database_failures:
                raise
            return 0
        self.database_failures = 0
        return done

    def _log_failure(self, row: Any, problem: Exception) -> None:
        if self.queue.is_secret:
            logger.error("%s (%s) failed: %s", self.queue.told_as, row.pk, type(problem).__name__)
        else:
            logger.error("%s (%s) failed; others do not", self.queue.told_as, row.pk, exc_info=problem)

    # claims

    def claim_next(self) -> list[Any]:
        """Those that have their turn now; none where nothing is due, or may be claimed yet."""
        while turns := self._turns or self._look():
            keys, *self._turns = turns
            rows = self._claim(keys)
            if rows is None:
                return []
            claim_ends = self.now + self.queue.lease
            self._passed_by |= dict.fromkeys(keys, claim_ends) | {row.pk: None for row in rows}
            if rows:
                return rows
        return []

    @write_transaction
    def _claim(self, keys: list[Any]) -> list[Any] | None:
        """Those of some rows that are still free; None where none may be claimed now."""
        now = self.now
        if self.queue.may_claim is not None and not self.queue.may_claim(now):
            return None
        noted = {self.queue.noted_in: now} if self.queue.noted_in else {}
        self._claims += 1
        token = f"{self._token}{self._claims}"
        open_rows = (self.queue.claimable or self.queue.due)(now).filter(pk__in=keys)
        return claim_rows(open_rows, token, now, now + self.queue.lease, self.queue.counted, **noted)

    def _look(self) -> list[list[Any]]:
        now, most, size = self.now, self.queue.at_a_look, self.queue.a_claim
        free = unclaimed(self.queue.due(now), now)
        passed_by = {key for key, until in self._passed_by.items() if until is None or until > now}
        enough = None if most is None else most + len(passed_by)
        if self.queue.in_turns is not None:
            turns = self.queue.in_turns(free)[:enough]
            open_turns = [[key for key in keys if key not in passed_by] for keys in turns]
            return [keys for keys in open_turns if keys][:most]
        keys = [key for key in free.values_list("pk", flat=True)[:enough] if key not in passed_by][:most]
        return [keys[start : start + size] for start in range(0, len(keys), size)]

    def keep(self, row: Any, **changed: Any) -> bool:
        """Have the claim of a row run from now on, with what changed; False where another has it now."""
        return bool(own_rows(row).update(claimed_until=self.now + self.queue.lease, **changed))

    def hold(self, row: Any, **changed: Any) -> None:
        """The same; raises ClaimLost where another has it meanwhile."""
        if not self.keep(row, **changed):
            raise ClaimLost

    def let_go(self, **changed: Any) -> None:
        """Give up all that is still claimed, where the database has broken the sweep off."""
        rows = self.queue.due(self.now).model._default_manager
        release(rows.filter(claimed_by__startswith=self._token), **changed)

    @write_transaction
    def leave(self, row: Any, *, rests_until: datetime | None = None, **changed: Any) -> bool:
        """Give up a claim, with what has come of it; nothing is written where another has it meanwhile."""
        return bool(own_rows(row).update(claimed_by="", claimed_until=rests_until, **changed))

    def put_off(self, row: Any, **changed: Any) -> bool:
        """Leave what failed for later, longer from time to time; False where it has failed too often."""
        if row.attempts >= len(self.queue.pauses):
            return False
        due = self.now + self.queue.pauses[row.attempts]
        self.leave(row, attempts=row.attempts + 1, due_at=due, **changed)
        return True

    def while_claimed(
        self, destination: Any, next_row: Callable[[], Any], send: Callable[[Any], bool]
    ) -> list[Any]:
        """Send what waits for a destination, in order, until one fails or it takes too long; those sent."""
        sent = []
        try:
            while self.has_time and self.keep(destination) and (row := next_row()) is not None and send(row):
                sent.append(row)
        finally:
            self.leave(destination)
        return sent


def each(work: Callable[[Sweep, Any], int]) -> Callable[[Sweep, list[Any]], int]:
    """Rows one after another, whatever becomes of the one before."""
    return lambda sweep, rows: sum(sweep.do(row, work) for row in rows)
