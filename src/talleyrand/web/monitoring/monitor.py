"""The watch at work beside a clock: looks once a minute how the site fares, and once a day at what is old."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

from django.utils import timezone

from talleyrand.web.background.periodic_runner import repeat_works
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.settings import kept_settings

from . import alarms, health_checks, retention
from .models import ClockSweep

PAUSE = 60.0  # seconds between two looks
NOTED = timedelta(seconds=15)  # a sweep is noted no more often
LONG = 1.0  # seconds, unless it took as long as that
TIDYING = timedelta(days=1)


class SweepRecorder:
    """Notes how long the sweeps of a clock take; called after each."""

    def __init__(self) -> None:
        self._noted: datetime | None = None

    def __call__(self, clock: DeadlineClock) -> None:
        now = timezone.now()
        fresh = self._noted is not None and abs(now - self._noted) < NOTED
        if not fresh or clock.last_tick_seconds > LONG:
            self._noted = now
            found = {"noted_at": now, "seconds": clock.last_tick_seconds}
            ClockSweep.objects.update_or_create(clock_name=clock.name, defaults=found)


class Monitor:
    """What one watch has done."""

    def __init__(self) -> None:
        self._tidied: datetime | None = None

    def check_once(self, now: datetime) -> None:
        """Look, tell what is wrong, tidy up; and hear of settings that were saved by another process."""
        kept_settings.refresh()
        alarms.update_alarms(health_checks.check_health(now), now)
        if self._tidied is None or abs(now - self._tidied) >= TIDYING:
            self._tidied = now  # also where it fails: there is time tomorrow
            retention.prune(now)


def run_monitor(stop: threading.Event, pause: float = PAUSE) -> None:
    """Look until `stop` is set, for the first time when the clock has had a minute to begin."""
    rounds = Monitor()
    if not stop.wait(pause):
        repeat_works("the watch", [lambda: rounds.check_once(timezone.now())], stop, lambda: pause)
