"""More clocks while many games are due at once: processes beside the site, for as long as they are needed.

One process judges on one core. The dates are known beforehand, so those that help are there in time; each
claims games as any clock does, and ends when the site ends, however that comes: its input is closed then.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from talleyrand.web.background.periodic_runner import repeat_works
from talleyrand.web.limits.child_processes import ChildProcesses

MANY = 40  # games, for which another process is worth its memory
AHEAD = timedelta(minutes=1)
MOST = 3  # processes, whatever the machine
PAUSE = 5.0  # seconds between two looks
PATIENCE = timedelta(minutes=5)  # after the last rush


def spare_cores() -> int:
    """How many cores there are for clocks beside the site's own.

    None where the database is a server: such a site has as many processes and clocks as it was given.
    """
    return min((os.cpu_count() or 1) - 1, MOST) if connection.vendor == "sqlite" else 0


class BurstClocks(ChildProcesses):
    """The clocks that help; none most of the time."""

    _wanted: datetime | None = None

    def adjust(self, now: datetime) -> None:
        """Begin where many games are due soon, end when none have been for a while."""
        if self._many(now):
            self._wanted = now
            self.start_missing()
        elif self._wanted is not None and not timedelta(0) <= now - self._wanted < PATIENCE:
            self._wanted = None
            self.stop_all()

    def _many(self, now: datetime) -> bool:
        from talleyrand.web.games import deadline_clock

        return deadline_clock.due_game_count(now + AHEAD) >= MANY


def run_burst_clocks(stop: threading.Event, command: Sequence[str]) -> None:
    """Look until `stop` is set; `command` starts a clock that calls `child_processes.stop_with_parent`."""
    helpers = BurstClocks(spare_cores(), command)
    try:
        if helpers.most and not stop.wait(PAUSE):
            repeat_works("clocks that help", [lambda: helpers.adjust(timezone.now())], stop, lambda: PAUSE)
    finally:
        helpers.stop_all()
