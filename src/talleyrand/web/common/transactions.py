"""Short transactions, one after the other, begun again where the database was busy with others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from random import SystemRandom
from threading import RLock, local
from time import sleep
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

MOST_TRIES = 4
RETRY_PAUSE = 0.05  # seconds, more from try to try
LONGEST_TURN = 20.0  # seconds
_chance = SystemRandom()
_turn = RLock()  # what is done after a commit may write too


class _Commits(local):
    count = 0


_commits = _Commits()


def commit_count() -> int:
    """How many transactions of `write_transaction` the thread has committed so far; one that finds nothing to
    do takes itself back (`set_rollback`), and is none.
    """
    return _commits.count


def write_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Do `work` in one transaction; it is done again, from its beginning, where the database was locked.

    Inside another transaction it is a part of that one, and begun again with it alone.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> R:
        for tried in range(1, MOST_TRIES):
            try:
                return _committed(work, *args, **kwargs)
            except OperationalError:
                if connection.in_atomic_block:
                    raise
                sleep(_chance.uniform(RETRY_PAUSE, 2 * RETRY_PAUSE) * tried)
        return _committed(work, *args, **kwargs)

    return done


def _committed(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    with _in_turn(), transaction.atomic():
        answer = work(*args, **kwargs)
        is_kept = not transaction.get_rollback()
    _commits.count += is_kept and not connection.in_atomic_block
    return answer


@contextmanager
def _in_turn() -> Iterator[None]:
    """SQLite has one writer at a time, and those who wait for it look again later and later, a tenth of a
    second in the end, while others come first: within a process they are woken when it is their turn.
    """
    alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    taken = alone and _turn.acquire(timeout=LONGEST_TURN)
    try:
        yield
    finally:
        if taken:
            _turn.release()
