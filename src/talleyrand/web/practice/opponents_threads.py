"""The threads of this process in which the computer thinks."""

from __future__ import annotations

import logging
import threading
from time import monotonic, sleep, thread_time

from django.conf import settings
from django.db import DatabaseError, connection

from talleyrand.web import background, low_priority, visitors
from talleyrand.web.patience import patience

from . import opponents_queues as queues
from .models import Deliberation, PracticeGame, Thought, address

BEAT = 5.0  # seconds between two signs of life
BEGIN = "talleyrand.web.practice.opponents_threads.begin"
PATIENCE = 1.2  # seconds that a page waits for quick players before it shows how far they are

logger = logging.getLogger(__name__)


class Threads:
    """As many at once as the site allows; they end when nothing is due."""

    def __init__(self) -> None:
        self.name = address()[:12]
        self._lock = threading.Lock()
        self._running: set[threading.Thread] = set()
        self._begun = 0
        self._shares: dict[tuple[type[Thought], int], float] = {}

    def wake(self) -> None:
        """Begin what is due, if a thread is free."""
        with self._lock:
            self._running = {thread for thread in self._running if thread.is_alive()}
            if len(self._running) >= settings.COMPUTERS_AT_ONCE or not queues.is_anything_due():
                return
            thread = threading.Thread(target=self._work, name="computer", daemon=True)
            self._running.add(thread)
            thread.start()

    def share(self, row: Deliberation) -> float:
        """How much of the power that thinks now is done, from 0 to 1."""
        return self._shares.get((type(row), row.pk), 0.0)

    def _work(self) -> None:
        try:
            while (taken := self._next()) is not None:
                self._one(*taken)
        except DatabaseError:
            # what is due stays due: the next page that asks about it begins it again
            logger.exception("the computer’s players stopped")
        finally:
            connection.close()

    def _next(self) -> tuple[queues.Queue, Thought] | None:
        """The next row, of any table; without one this thread is over, for whoever wakes another."""
        with self._lock:
            self._begun += 1
            taken = queues.claim(f"{self.name}-{self._begun}")
            if taken is None:
                self._running.discard(threading.current_thread())
        return taken

    def _one(self, queue: queues.Queue, row: Thought) -> None:
        begun = thread_time()
        try:
            queue.work(row, self._reporter(row))
        finally:
            self._shares.pop((type(row), row.pk), None)
            visitors.spend(row.visitor, thread_time() - begun)

    def _reporter(self, row: Thought) -> queues.Report:
        heard = monotonic()

        def report(done: float) -> None:
            nonlocal heard
            self._shares[type(row), row.pk] = min(max(done, 0.0), 1.0)
            if monotonic() - heard > BEAT:
                queues.beat(row)
                heard = monotonic()

        return report


threads = Threads()


def wake() -> None:
    """Begin what is due: in this process, or in a worker where there are any."""
    if settings.WORKERS:
        background.soon("computer")
    else:
        threads.wake()


def begin() -> None:
    """What a call for the computer's players does."""
    threads.wake()


def call() -> None:
    """The same as `wake` for a process that has pages or deadlines to see to: its neighbour of low priority
    does it, if there is one.
    """
    neighbour = low_priority.Here.process
    if not settings.WORKERS and neighbour is not None and neighbour.coming:
        neighbour.ask(BEGIN)
    else:
        wake()


def wait_a_little(game: PracticeGame) -> None:
    """Quick players are done before a page about them is read."""
    with patience(PATIENCE) as seconds:
        end = monotonic() + seconds
        while monotonic() < end and Deliberation.objects.filter(game=game, trouble="").exists():
            sleep(0.03)
