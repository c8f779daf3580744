"""The threads of this process in which the computer thinks."""

from __future__ import annotations

import logging
import threading
from time import monotonic, sleep, thread_time

from django.conf import settings
from django.db import DatabaseError, connection

from talleyrand.web import background
from talleyrand.web.common import visitor_quota
from talleyrand.web.limits import low_priority
from talleyrand.web.limits.wait_slots import wait_slot
from talleyrand.web.practice.models import BotTask, PracticeBotTask, PracticeGame, random_token

from . import bot_queue as queues

HEARTBEAT_SECONDS = 5.0  # seconds between two signs of life
START_JOB_PATH = "talleyrand.web.bots.bot_threads.start_due_bots"
QUICK_WAIT_SECONDS = 1.2  # seconds that a page waits for quick players before it shows how far they are

logger = logging.getLogger(__name__)


class BotThreads:
    """As many at once as the site allows; they end when nothing is due."""

    def __init__(self) -> None:
        self.name = random_token()[:12]
        self._lock = threading.Lock()
        self._running: set[threading.Thread] = set()
        self._begun = 0
        self._shares: dict[tuple[type[BotTask], int], float] = {}

    def start_if_due(self) -> None:
        """Begin what is due, if a thread is free."""
        with self._lock:
            self._running = {thread for thread in self._running if thread.is_alive()}
            if len(self._running) >= settings.BOTS_AT_ONCE or not queues.has_due_tasks():
                return
            thread = threading.Thread(target=self._work, name="computer", daemon=True)
            self._running.add(thread)
            thread.start()

    def progress_of(self, row: PracticeBotTask) -> float:
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

    def _next(self) -> tuple[queues.BotQueue, BotTask] | None:
        """The next row, of any table; without one this thread is over, for whoever wakes another."""
        with self._lock:
            self._begun += 1
            taken = queues.claim_next_task(f"{self.name}-{self._begun}")
            if taken is None:
                self._running.discard(threading.current_thread())
        return taken

    def _one(self, queue: queues.BotQueue, row: BotTask) -> None:
        begun = thread_time()
        try:
            queue.do_task(row, self._reporter(row))
        finally:
            self._shares.pop((type(row), row.pk), None)
            visitor_quota.charge_cpu_seconds(row.visitor_id, thread_time() - begun)

    def _reporter(self, row: BotTask) -> queues.ReportProgress:
        heard = monotonic()

        def report(done: float) -> None:
            nonlocal heard
            self._shares[type(row), row.pk] = min(max(done, 0.0), 1.0)
            if monotonic() - heard > HEARTBEAT_SECONDS:
                queues.send_heartbeat(row)
                heard = monotonic()

        return report


bot_thread_pool = BotThreads()


def wake_bots() -> None:
    """Begin what is due: in this process, or in a worker where there are any."""
    if settings.WORKERS:
        background.run_soon("computer")
    else:
        bot_thread_pool.start_if_due()


def start_due_bots() -> None:
    """What a call for the computer's players does."""
    bot_thread_pool.start_if_due()


def wake_bots_elsewhere() -> None:
    """The same as `wake` for a process that has pages or deadlines to see to: its neighbour of low priority
    does it, if there is one.
    """
    neighbour = low_priority.LowPriorityWork.process
    if not settings.WORKERS and neighbour is not None and neighbour.is_started:
        neighbour.submit(START_JOB_PATH)
    else:
        wake_bots()


def wait_for_quick_bots(game: PracticeGame) -> None:
    """Quick players are done before a page about them is read."""
    with wait_slot(QUICK_WAIT_SECONDS) as seconds:
        end = monotonic() + seconds
        while monotonic() < end and PracticeBotTask.objects.filter(game=game, error="").exists():
            sleep(0.03)
