"""More clocks while many games are due at once: processes beside the site, for as long as they are needed.

One process judges on one core. The dates are known beforehand, so those that help are there in time; each
claims games as any clock does, and ends when the site ends, however that comes: its input is closed then.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import DatabaseError, connection
from django.utils import timezone

from .offspring import Offspring

MANY = 40  # games, for which another process is worth its memory
AHEAD = timedelta(minutes=1)
MOST = 3  # processes, whatever the machine
PAUSE = 5.0  # seconds between two looks
PATIENCE = timedelta(minutes=5)  # after the last rush

logger = logging.getLogger(__name__)


def spare_cores() -> int:
    """How many cores there are for clocks beside the site's own.

    None where the database is a server: such a site has as many processes and clocks as it was given.
    """
    return min((os.cpu_count() or 1) - 1, MOST) if connection.vendor == "sqlite" else 0


class Helpers(Offspring):
    """The clocks that help; none most of the time."""

    _wanted: datetime | None = None

    def look(self, now: datetime) -> None:
        """Begin where many games are due soon, end when none have been for a while."""
        if self._many(now):
            self._wanted = now
            self.begin()
        elif self._wanted is not None and not timedelta(0) <= now - self._wanted < PATIENCE:
            self._wanted = None
            self.end()

    def _many(self, now: datetime) -> bool:
        from talleyrand.web.games import clock

        return clock.expected(now + AHEAD) >= MANY


def run(stop: threading.Event, command: Sequence[str]) -> None:
    """Look until `stop` is set; `command` starts a clock that calls `offspring.with_input`."""
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
