"""What the computer's players are due to do, in whatever table it stands, and how far they are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic, thread_time
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web.claims import Queue, Sweep, each, release, unclaimed
from talleyrand.web.common import visitor_quota
from talleyrand.web.practice.models import BotTask

CLAIM_LENGTH = timedelta(minutes=3)  # after which a worker that gives no sign of life is taken for dead
HEARTBEAT_SECONDS = 5.0  # seconds between two signs of life
ReportProgress = Callable[[float], None]
BotWork = Callable[[Sweep, Any, ReportProgress], object]

BOT_QUEUES: list[Queue] = []
_shares: dict[tuple[type[BotTask], int], float] = {}


def bot_queue(
    due_tasks: Callable[[datetime], QuerySet[Any]], work: BotWork, told_as: str, **more: Any
) -> Queue:
    """A table of rows, as a queue: `work` does one, and reports now and then how much of it is done."""

    def do(sweep: Sweep, row: BotTask) -> int:
        begun = thread_time()
        try:
            work(sweep, row, _reporter(sweep, row))
        finally:
            _shares.pop((type(row), row.pk), None)
            visitor_quota.charge_cpu_seconds(row.visitor_id, thread_time() - begun)
        return 1

    return Queue(due_tasks, each(do), CLAIM_LENGTH, told_as, at_a_look=1, **more)


def _reporter(sweep: Sweep, row: BotTask) -> ReportProgress:
    heard = monotonic()

    def report(done: float) -> None:
        nonlocal heard
        _shares[type(row), row.pk] = min(max(done, 0.0), 1.0)
        if monotonic() - heard > HEARTBEAT_SECONDS:
            sweep.hold(row)
            heard = monotonic()

    return report


def progress_of(row: BotTask) -> float:
    """How much of the power that thinks now is done, from 0 to 1."""
    return _shares.get((type(row), row.pk), 0.0)


def register_bot_queue(queue: Queue, *, first: bool = False) -> None:
    """Have the rows of a table done; `first`: before those of the others."""
    BOT_QUEUES.insert(0 if first else len(BOT_QUEUES), queue)


def has_due_tasks(queues: list[Queue] = BOT_QUEUES) -> bool:
    """Whether anything waits for a worker."""
    now = timezone.now()
    return any(unclaimed(queue.due(now), now).exists() for queue in queues)


def claim_next_task() -> tuple[Sweep, list[Any]] | None:
    """Take the next work of any table."""
    for queue in BOT_QUEUES:
        sweep = Sweep(queue)
        if rows := sweep.claim_next():
            return sweep, rows
    return None


def release_all_claims() -> None:
    """At the start of the one process: whoever worked before is gone."""
    for queue in BOT_QUEUES:
        release(queue.due(timezone.now()))
