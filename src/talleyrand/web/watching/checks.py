"""Whether the site is well: a few questions to the database, none of which writes.

Answers are codes and counts; nothing of a game, a person or a setting is in them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import QuerySet

from talleyrand.web.background import queue
from talleyrand.web.games.clock import SITE
from talleyrand.web.games.models import Beat, Game, State
from talleyrand.web.mail.models import Arrival, Departure
from talleyrand.web.mail.pages import oversight

OK, FAILING, UNKNOWN = "ok", "failing", "unknown"
SILENT = timedelta(minutes=2)  # a clock says every quarter of a minute that it is there
LATE = timedelta(minutes=5)
LEAST_FREE = 256 * 1024 * 1024  # bytes


@dataclass(frozen=True)
class Health:
    """A code for each check, in their order; how many games are late, and how many wait for a person."""

    checks: Mapping[str, str]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def failing(self) -> list[str]:
        """What is not well, or could not be asked."""
        return [name for name, found in self.checks.items() if found != OK]

    @property
    def is_well(self) -> bool:
        return not self.failing

    @property
    def line(self) -> str:
        """In one line: "ok", or what is failing."""
        return "ok" if self.is_well else f"failing: {', '.join(self.failing)}"


def look(now: datetime) -> Health:
    """Ask everything. A database that does not answer is an answer too; nothing is raised."""
    disk = {"disk": _said(free() >= LEAST_FREE)}
    try:
        found = {"database": OK, **{name: _said(check(now)) for name, check in _asked().items()}}
        return Health({**found, **disk}, counts(now))
    except Error:
        connection.close()
        return Health({"database": FAILING, **dict.fromkeys(_asked(), UNKNOWN), **disk})


def counts(now: datetime) -> dict[str, int]:
    """Games the clock is late with, games that failed and wait for their game master, mails that failed."""
    return {"overdue": overdue(now).count(), "parked": parked().count(), "faults": oversight.faults().count()}


def _said(well: bool) -> str:
    return OK if well else FAILING


def _asked() -> dict[str, Callable[[datetime], bool]]:
    post = {"post": post_moves} if settings.HAS_MAIL else {}
    workers = {"workers": has_workers} if settings.WORKERS else {}
    return {"migrations": is_current, "clock": clock_beats, "phases": is_on_time, **post, **workers}


def is_current(_now: datetime) -> bool:
    """Whether the database has every migration of this version."""
    return _migrations() <= set(MigrationRecorder.Migration.objects.values_list("app", "name"))


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """Read from the disk once in a process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def clock_beats(now: datetime) -> bool:
    """Whether any clock was heard of lately."""
    beat = Beat.objects.filter(worker=SITE).values_list("at", flat=True).first()
    return beat is not None and abs(now - beat) < SILENT


def is_on_time(now: datetime) -> bool:
    return not overdue(now).exists()


def overdue(now: datetime) -> QuerySet[Game]:
    """Games that a clock should have looked at five minutes ago."""
    return Game.objects.filter(state=State.PLAYING, trouble="", sweep__lt=now - LATE)


def parked() -> QuerySet[Game]:
    """Games that stopped because a phase could not be adjudicated."""
    return Game.objects.filter(state=State.PLAYING).exclude(trouble="")


def post_moves(now: datetime) -> bool:
    """Whether no mail has waited for long while none was read, or none left: many may take their time.

    A post without any mail is not heard of.
    """
    before = now - oversight.SLOW
    unread = Arrival.objects.filter(outcome="", message__kept__lt=before)
    unsent = Departure.objects.filter(sent=None, dropped="", due__lt=before)
    reads = Arrival.objects.filter(sorted__gt=before)
    sends = Departure.objects.filter(tried__gt=before, sent__gt=before)
    return not ((unread.exists() and not reads.exists()) or (unsent.exists() and not sends.exists()))


def has_workers(_now: datetime) -> bool:
    """Whether any worker was heard of within a minute."""
    return queue.standing().workers > 0


def free() -> int:
    """The bytes that are left where the data folder is."""
    return shutil.disk_usage(settings.DATA).free
