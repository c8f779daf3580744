"""The threads of this process in which the computer thinks."""

from __future__ import annotations

import logging
import threading
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from talleyrand.web import background
from talleyrand.web.claims import Sweep
from talleyrand.web.limits import low_priority
from talleyrand.web.limits.wait_slots import wait_slot
from talleyrand.web.practice.models import PracticeBotTask, PracticeGame

from . import bot_queue

START_JOB_PATH = "talleyrand.web.bots.bot_threads.start_due_bots"
QUICK_WAIT_SECONDS = 1.2  # seconds that a page waits for quick players before it shows how far they are

logger = logging.getLogger(__name__)


class BotThreads:
    """As many at once as the site allows; they end when nothing is due."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[threading.Thread] = set()

    def start_if_due(self) -> None:
        """Begin what is due, if a thread is free."""
        with self._lock:
            self._running = {thread for thread in self._running if thread.is_alive()}
            if len(self._running) >= settings.BOTS_AT_ONCE or not bot_queue.has_due_tasks():
                return
            thread = threading.Thread(target=self._work, name="computer", daemon=True)
            self._running.add(thread)
            thread.start()

    def _work(self) -> None:
        try:
            while (taken := self._next()) is not None:
                sweep, rows = taken
                sweep.queue.work(sweep, rows)
        except DatabaseError:
            # what is due stays due: the next page that asks about it begins it again
            logger.exception("the computer’s players stopped")
        finally:
            connection.close()

    def _next(self) -> tuple[Sweep, list[Any]] | None:
        """The next row, of any table; without one this thread is over, for whoever wakes another."""
        with self._lock:
            taken = bot_queue.claim_next_task()
            if taken is None:
                self._running.discard(threading.current_thread())
        return taken


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
