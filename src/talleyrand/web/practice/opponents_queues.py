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

from .models import Thought

SILENCE = timedelta(minutes=3)  # after which a worker is taken for dead
Report = Callable[[float], None]


class Stopped(Exception):
    """The player, or another worker, has taken the work away."""


@dataclass(frozen=True)
class Queue:
    """One table of rows: those `due`, whoever is at them, the first to be done first; and how one is done."""

    due: Callable[[], QuerySet[Any]]
    work: Callable[[Any, Report], None]


QUEUES: list[Queue] = []


def register(queue: Queue, *, first: bool = False) -> None:
    """Have the rows of a table done; `first`: before those of the others."""
    QUEUES.insert(0 if first else len(QUEUES), queue)


def free(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of some rows that nobody works at."""
    return rows.filter(Q(worker="") | Q(beat__lt=timezone.now() - SILENCE))


def is_anything_due() -> bool:
    """Whether anything waits for a worker."""
    return any(free(queue.due()).exists() for queue in QUEUES)


def claim(worker: str) -> tuple[Queue, Thought] | None:
    """Take the next work of any table."""
    for queue in QUEUES:
        row = claim_one(queue.due(), worker)
        if row is not None:
            return queue, row
    return None


def claim_one(rows: QuerySet[Any], worker: str) -> Any:
    """Take the first of some rows that nobody works at: the worker is whoever changed it; None for none."""
    for row in free(rows):
        mine = type(row).objects.filter(pk=row.pk, worker=row.worker, beat=row.beat)
        if mine.update(worker=worker, beat=timezone.now()):
            row.worker = worker
            return row
    return None


def forget_workers() -> None:
    """At the start of the one process: whoever worked before is gone."""
    for queue in QUEUES:
        queue.due().exclude(worker="").update(worker="")


def mine(row: Thought) -> QuerySet[Any]:
    """The row, if it is still its worker's."""
    return type(row)._default_manager.filter(pk=row.pk, worker=row.worker)


def keep(row: Thought, **values: Any) -> None:
    """Change a row of one's own, which is a sign of life; raises Stopped if it was taken away."""
    if not mine(row).update(beat=timezone.now(), **values):
        raise Stopped


def beat(row: Thought) -> None:
    """Still there; raises Stopped if the work was taken away."""
    keep(row)
