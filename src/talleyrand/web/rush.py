"""More clocks while many games are due at once: processes beside the site, for as long as they are needed.

One process judges on one core. The dates are known beforehand, so those that help are there in time; each
claims games as any clock does, and ends when the site ends, however that comes: its input is closed then.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import DatabaseError, connection
from django.utils import timezone

MANY = 40  # games, for which another process is worth its memory
AHEAD = timedelta(minutes=1)
MOST = 3  # processes, whatever the machine
PAUSE = 5.0  # seconds between two looks
PATIENCE = timedelta(minutes=5)  # after the last rush
LAST_SWEEP = 10.0  # seconds that a clock is given to finish what it has begun

logger = logging.getLogger(__name__)


def spare_cores() -> int:
    """How many cores there are for clocks beside the site's own.

    None where the database is a server: such a site has as many processes and clocks as it was given.
    """
    return min((os.cpu_count() or 1) - 1, MOST) if connection.vendor == "sqlite" else 0


class Helpers:
    """The clocks that help; none most of the time."""

    def __init__(self, most: int, command: Sequence[str]) -> None:
        self.most, self.command = most, command
        self._processes: list[subprocess.Popen[bytes]] = []
        self._wanted: datetime | None = None

    @property
    def running(self) -> int:
        return sum(one.poll() is None for one in self._processes)

    def look(self, now: datetime) -> None:
        """Begin where many games are due soon, end when none have been for a while."""
        if self._many(now):
            self._wanted = now
            self._begin()
        elif self._wanted is not None and not timedelta(0) <= now - self._wanted < PATIENCE:
            self.end()

    def _many(self, now: datetime) -> bool:
        from talleyrand.web.games import clock

        return clock.expected(now + AHEAD) >= MANY

    def _begin(self) -> None:
        """As many as there may be, for those that have died too."""
        alive = [one for one in self._processes if one.poll() is None]
        _close(one for one in self._processes if one not in alive)
        self._processes = alive
        while len(self._processes) < self.most:
            begun = subprocess.Popen(self.command, stdin=subprocess.PIPE)  # noqa: S603 our own words
            self._processes.append(begun)

    def end(self) -> None:
        """Let each finish what it has begun."""
        self._wanted, ending, self._processes = None, self._processes, []
        _close(ending)
        for one in ending:
            try:
                one.wait(LAST_SWEEP)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def _close(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """What each of them waits for."""
    for one in processes:
        if one.stdin is not None:
            one.stdin.close()


def run(stop: threading.Event, command: Sequence[str]) -> None:
    """Look until `stop` is set; `command` starts a clock that calls `with_input`."""
    helpers = Helpers(spare_cores(), command)
    try:
        while helpers.most and not stop.wait(PAUSE):
            _look(helpers)
    finally:
        helpers.end()


def _look(helpers: Helpers) -> None:
    try:
        helpers.look(timezone.now())
    except (DatabaseError, OSError):
        logger.exception("no clock could be started to help")
    finally:
        connection.close()


def with_input(stop: threading.Event) -> None:
    """In a process that helps: set `stop` once whoever has started it is gone, or wants it no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the site, which tells it when to end
    threading.Thread(target=_wait, args=(stop,), daemon=True).start()


def _wait(stop: threading.Event) -> None:
    sys.stdin.buffer.read()
    stop.set()
