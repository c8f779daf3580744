"""Calls for a job: the sweep of this process hears it, and the workers by their queue where there are any."""

from __future__ import annotations

import json
import logging
import threading
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from . import periodic_runner
from .jobs import JOBS

IDLE = 60.0  # seconds after which the connection to the queue is let go

logger = logging.getLogger(__name__)


def run_soon(name: str, **arguments: Any) -> None:
    """Have a job done as soon as the transaction under way is committed, at once where there is none.

    Costs the request nothing, and raises nothing but KeyError for a job that nobody has registered. What a
    call leaves undone, because a process dies or the queue does not answer, the next sweep does.
    """
    transaction.on_commit(partial(_call, JOBS[name].name, arguments), robust=True)


def _call(name: str, arguments: dict[str, Any]) -> None:
    periodic_runner.wake_job(name)
    if settings.WORKERS:
        queue_notifier.notify(name, arguments)


class QueueNotifier:
    """One thread of this process, with one connection, by which calls get into the queue."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, dict[str, Any]]] = {}
        self._fresh = threading.Condition()
        self._runs = False

    def notify(self, name: str, arguments: dict[str, Any]) -> None:
        """The same call is told once, however often it comes before it has left."""
        with self._fresh:
            self._waiting[_lock(name, arguments)] = name, arguments
            self._fresh.notify()
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._run, name="calls", daemon=True).start()

    def _run(self) -> None:
        try:
            self._tell_all()
        except Exception:
            logger.warning("the queue does not answer; the sweep does what is due", exc_info=True)
            with self._fresh:
                self._waiting.clear()
                self._runs = False

    def _tell_all(self) -> None:
        """Until nothing has come for a while. Raises what the database does."""
        from . import procrastinate_queue

        with procrastinate_queue.open_queue() as line:
            while calls := self._next():
                for lock, (name, arguments) in calls.items():
                    line.enqueue(name, lock, arguments)

    def _next(self) -> dict[str, tuple[str, dict[str, Any]]]:
        with self._fresh:
            if not self._waiting:
                self._fresh.wait(IDLE)
            calls, self._waiting = self._waiting, {}
            self._runs = bool(calls)
            return calls


def _lock(name: str, arguments: dict[str, Any]) -> str:
    """Of two calls with the same lock, one waits in the queue."""
    return f"{name} {json.dumps(arguments, sort_keys=True)}" if arguments else name


queue_notifier = QueueNotifier()
