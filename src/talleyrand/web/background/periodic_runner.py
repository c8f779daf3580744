"""The sweeps of this process: each job has a thread, so that a slow one keeps no other waiting."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.db import connection

from . import jobs
from .jobs import Job

MOST_PAUSE = 30.0  # seconds between two sweeps of a job that keeps failing
SECOND = 1.0
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
    usual = pause = job.every or SECOND
    while not stop.is_set():
        bell.clear()
        pause = usual if _done(job) else min(2 * pause, MOST_PAUSE)
        if not stop.is_set():  # a stop that rang before the bell was silenced is heard no more
            bell.wait(pause)


def _done(job: Job) -> bool:
    """Whether it was done; what fails stops nothing else."""
    try:
        job.run()
    except Exception:
        logger.exception("the sweep “%s” stumbled, and goes on", job.name)
        return False
    finally:
        connection.close()
    return True
