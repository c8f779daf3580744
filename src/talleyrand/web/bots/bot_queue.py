"""What the computer's players are due to do, in whatever table it stands: how it is taken, kept and left.

A row says what is due; whoever changes it first does it, and keeps each piece of work only while the row is
still theirs. Rows of one whose signs of life have stopped are anybody's again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from talleyrand.web.practice.models import BotTask

CLAIM_TIMEOUT = timedelta(minutes=3)  # after which a worker is taken for dead
ReportProgress = Callable[[float], None]


class BotWorkStopped(Exception):
    """The player, or another worker, has taken the work away."""


@dataclass(frozen=True)
class BotQueue:
    """One table of rows: those `due_tasks`, whoever is at them, the first to be done first; and how one is
    done.
    """

    due_tasks: Callable[[], QuerySet[Any]]
    do_task: Callable[[Any, ReportProgress], None]


BOT_QUEUES: list[BotQueue] = []


def register_bot_queue(queue: BotQueue, *, first: bool = False) -> None:
    """Have the rows of a table done; `first`: before those of the others."""
    BOT_QUEUES.insert(0 if first else len(BOT_QUEUES), queue)


def unclaimed(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of some rows that nobody works at."""
    return rows.filter(Q(claimed_by="") | Q(heartbeat_at__lt=timezone.now() - CLAIM_TIMEOUT))


def has_due_tasks() -> bool:
    """Whether anything waits for a worker."""
    return any(unclaimed(queue.due_tasks()).exists() for queue in BOT_QUEUES)


def claim_next_task(worker: str) -> tuple[BotQueue, BotTask] | None:
    """Take the next work of any table."""
    for queue in BOT_QUEUES:
        row = claim_first(queue.due_tasks(), worker)
        if row is not None:
            return queue, row
    return None


def claim_first(rows: QuerySet[Any], worker: str) -> Any:
    """Take the first of some rows that nobody works at: the worker is whoever changed it; None for none."""
    for row in unclaimed(rows):
        mine = type(row).objects.filter(pk=row.pk, claimed_by=row.claimed_by, heartbeat_at=row.heartbeat_at)
        if mine.update(claimed_by=worker, heartbeat_at=timezone.now()):
            row.claimed_by = worker
            return row
    return None


def release_all_claims() -> None:
    """At the start of the one process: whoever worked before is gone."""
    for queue in BOT_QUEUES:
        queue.due_tasks().exclude(claimed_by="").update(claimed_by="")


def own_task(row: BotTask) -> QuerySet[Any]:
    """The row, if it is still its worker's."""
    return type(row)._default_manager.filter(pk=row.pk, claimed_by=row.claimed_by)


def update_own_task(row: BotTask, **values: Any) -> None:
    """Change a row of one's own, which is a sign of life; raises BotWorkStopped if it was taken away."""
    if not own_task(row).update(heartbeat_at=timezone.now(), **values):
        raise BotWorkStopped


def send_heartbeat(row: BotTask) -> None:
    """Still there; raises BotWorkStopped if the work was taken away."""
    update_own_task(row)
