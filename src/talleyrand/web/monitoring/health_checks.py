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

from talleyrand.web.background import procrastinate_queue
from talleyrand.web.games.deadline_clock import SITE_HEARTBEAT
from talleyrand.web.games.models import Game, GameState, Heartbeat
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.mail.pages import mail_health

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


def check_health(now: datetime) -> Health:
    """Ask everything. A database that does not answer is an answer too; nothing is raised."""
    disk = {"disk": _state_text(free_disk_bytes() >= LEAST_FREE)}
    try:
        found = {"database": OK, **{name: _state_text(check(now)) for name, check in _checks().items()}}
        return Health({**found, **disk}, problem_counts(now))
    except Error:
        connection.close()
        return Health({"database": FAILING, **dict.fromkeys(_checks(), UNKNOWN), **disk})


def problem_counts(now: datetime) -> dict[str, int]:
    """Games the clock is late with, games that failed and wait for their game master, mails that failed."""
    return {
        "overdue": overdue_games(now).count(),
        "parked": parked_games().count(),
        "faults": mail_health.failed_deliveries().count(),
    }


def _state_text(well: bool) -> str:
    return OK if well else FAILING


def _checks() -> dict[str, Callable[[datetime], bool]]:
    post = {"post": mail_is_moving} if settings.HAS_MAIL else {}
    workers = {"workers": has_workers} if settings.WORKERS else {}
    return {
        "migrations": has_all_migrations,
        "clock": has_clock,
        "phases": phases_are_on_time,
        **post,
        **workers,
    }


def has_all_migrations(_now: datetime) -> bool:
    """Whether the database has every migration of this version."""
    return _migrations() <= set(MigrationRecorder.Migration.objects.values_list("app", "name"))


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """Read from the disk once in a process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def has_clock(now: datetime) -> bool:
    """Whether any clock was heard of lately."""
    beat = (
        Heartbeat.objects.filter(process_name=SITE_HEARTBEAT).values_list("last_seen_at", flat=True).first()
    )
    return beat is not None and abs(now - beat) < SILENT


def phases_are_on_time(now: datetime) -> bool:
    return not overdue_games(now).exists()


def overdue_games(now: datetime) -> QuerySet[Game]:
    """Games that a clock should have looked at five minutes ago."""
    return Game.objects.filter(state=GameState.PLAYING, adjudication_error="", next_check_at__lt=now - LATE)


def parked_games() -> QuerySet[Game]:
    """Games that stopped because a phase could not be adjudicated."""
    return Game.objects.filter(state=GameState.PLAYING).exclude(adjudication_error="")


def mail_is_moving(now: datetime) -> bool:
    """Whether no mail has waited for long while none was read, or none left: many may take their time.

    A post without any mail is not heard of.
    """
    before = now - mail_health.SLOW
    unread = InboundDelivery.objects.filter(outcome="", email__stored_at__lt=before)
    unsent = OutboundEmail.objects.filter(sent_at=None, drop_reason="", due_at__lt=before)
    reads = InboundDelivery.objects.filter(processed_at__gt=before)
    sends = OutboundEmail.objects.filter(attempted_at__gt=before, sent_at__gt=before)
    return not ((unread.exists() and not reads.exists()) or (unsent.exists() and not sends.exists()))


def has_workers(_now: datetime) -> bool:
    """Whether any worker was heard of within a minute."""
    return procrastinate_queue.queue_status().workers > 0


def free_disk_bytes() -> int:
    """The bytes that are left where the data folder is."""
    return shutil.disk_usage(settings.DATA).free
