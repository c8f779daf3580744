"""The sweeps of this process: each job has a thread, so that a slow one keeps no other waiting."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from django.db import connection

from . import jobs
from .jobs import Job

MOST_PAUSE = 30.0  # seconds between two sweeps of a job that keeps failing
SECOND = 1.0
LOOK = 0.2  # seconds between two looks in a pause
LAST_SWEEP = 5.0  # seconds that all are given to finish what they have begun

logger = logging.getLogger(__name__)
_bells: dict[str, threading.Event] = {}


def wake_job(name: str) -> None:
    """Have a job swept now, if this process sweeps it."""
    if bell := _bells.get(name):
        bell.set()


@contextmanager
def running_periodic_jobs() -> Iterator[None]:
    """Meanwhile every job that has a sweep is done when it is due."""
    stop = threading.Event()
    threads = [_thread(job, stop) for job in jobs.periodic_jobs()]
    try:
        yield
    finally:
        stop.set()
        for name in list(_bells):
            wake_job(name)
        end = monotonic() + LAST_SWEEP
        for thread in threads:
            thread.join(max(0.0, end - monotonic()))
        _bells.clear()


def _thread(job: Job, stop: threading.Event) -> threading.Thread:
    bell = _bells[job.name] = threading.Event()
    thread = threading.Thread(target=_repeat, args=(job, stop, bell), name=job.name, daemon=True)
    thread.start()
    return thread


def _repeat(job: Job, stop: threading.Event, bell: threading.Event) -> None:
    repeat_works(f"the sweep “{job.name}”", [job.run], stop, lambda: job.every or SECOND, bell=bell)


def repeat_works(
    name: str,
    works: Sequence[Callable[[], object]],
    stop: threading.Event,
    every: Callable[[], float],
    *,
    bell: threading.Event | None = None,
    is_due: Callable[[], bool] | None = None,
    most_pause: float = MOST_PAUSE,
) -> None:
    """Do some works until `stop` is set: at once where the bell rings, and soon after something `is_due`,
    which is asked often and must cost little; longer and longer after one failed.
    """
    pause, step = every(), SECOND if is_due is None else LOOK
    while not stop.is_set():
        if bell is not None:
            bell.clear()
        failed = [work for work in works if not is_done(name, work)]
        pause = left = max(min(2 * pause, most_pause), every()) if failed else every()
        while left > 0 and not stop.is_set() and not (bell or stop).wait(min(left, step)):
            left -= step
            if is_due is not None and not failed and _is_true(name, is_due):
                break


def _is_true(name: str, asked: Callable[[], bool]) -> bool:
    try:
        return asked()
    except Exception:
        logger.exception("%s could not look whether anything is due", name)
        connection.close()
        return False


def is_done(name: str, work: Callable[[], object]) -> bool:
    """Do a work; False where it fails, which stops nothing else."""
    try:
        work()
    except Exception:
        logger.exception("%s stumbled, and goes on", name)
        return False
    finally:
        connection.close()
    return True
