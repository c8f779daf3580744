"""Processes that come of this one, which has read everything and opened nothing: each works on one site, and
may end in the middle.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections

from talleyrand.web.common import failpoints
from tests.waiting import PATIENCE

KILLED = -signal.SIGKILL
KILL, STOP, FULL = "kill", "stop", "full"
ROOM = 4096  # bytes in a file, while the disk is full
STARVED = 3  # the status of a process that failed for want of room

Say = Callable[[Any], None]


@dataclass
class Fuse:
    """Counts the points that a process passes; at the `nth` passage of one, what is said by `how` befalls it.

    KILL: it ends. STOP: it stands still, unless it is in a transaction, until somebody has it go on. FULL: no
    file may grow any more, whatever it does from then on.
    """

    name: str = ""
    nth: int = 1
    how: str = KILL
    passed: Counter[str] = field(default_factory=Counter)
    is_burnt: bool = False

    def __call__(self, name: str) -> None:
        self.passed[name] += 1
        if name == self.name and self.passed[name] == self.nth:
            self._burn()

    def _burn(self) -> None:
        if self.how == STOP and connection.in_atomic_block:
            return
        self.is_burnt = True
        if self.how == FULL:
            resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))
        else:
            os.kill(os.getpid(), signal.SIGSTOP if self.how == STOP else signal.SIGKILL)


@dataclass(frozen=True)
class Ended:
    """How a child ended, what it said before, and the points it passed if it came to its end."""

    status: int
    said: list[Any]
    passed: Counter[str]
    has_stood: bool = False

    @property
    def is_killed(self) -> bool:
        return self.status in (KILLED, STARVED)


class ChildFailed(Exception):
    """A child ended otherwise than it should."""


def fork(
    database: str,
    work: Callable[[Say], None],
    fuse: Fuse | None = None,
    meanwhile: Callable[[], Any] = lambda: None,
) -> Ended:
    """A child works on a database; `meanwhile` is done out here, where it is to stand still once it does.

    Raises ChildFailed.
    """
    hear, speak = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(hear)
        _work(database, work, fuse or Fuse(), speak)
    os.close(speak)
    stands = fuse is not None and fuse.how == STOP and _stands(pid)
    try:
        if stands or fuse is None or fuse.how != STOP:
            meanwhile()
    finally:
        if stands:
            os.kill(pid, signal.SIGCONT)
        with os.fdopen(hear, encoding="utf-8") as lines:
            told = [json.loads(line) for line in lines if line.endswith("\n")]
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status not in (0, KILLED, STARVED):
        raise ChildFailed(f"status {status}")
    passed = Counter(told.pop()) if status == 0 else Counter[str]()
    return Ended(status, told, passed, stands)


def _stands(pid: int) -> bool:
    """Whether a child stands still in the end, rather than coming to its own."""
    found = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return found is not None and found.si_code == os.CLD_STOPPED


def _work(database: str, work: Callable[[Say], None], fuse: Fuse, speak: int) -> None:
    """All of a child’s life: nothing of its parent is to run here."""

    def say(what: Any) -> None:
        os.write(speak, (json.dumps(what) + "\n").encode())

    try:
        signal.alarm(PATIENCE)
        connections["default"].settings_dict["NAME"] = database
        with failpoints.observe_failpoints(fuse):
            work(say)
        connections.close_all()
        say(fuse.passed)
    except BaseException:  # noqa: BLE001
        if fuse.how == FULL and fuse.is_burnt:
            os._exit(STARVED)
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


class Files:
    """Sites beside SQLite: each is a file."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.made = 0

    def first(self) -> str:
        return str(self.place / "first.sqlite3")

    def copy(self, database: str) -> str:
        """A new site like another one, on which nobody works at the moment."""
        self.made += 1
        found = self.place / f"site{self.made}.sqlite3"
        shutil.copy(database, found)
        return str(found)

    def drop(self, database: str) -> None:
        for end in ("", "-wal", "-shm"):
            Path(f"{database}{end}").unlink(missing_ok=True)


class Databases:
    """Sites beside PostgreSQL: each is a database of one cluster."""

    def __init__(self, place: Path) -> None:
        self.own = str(settings.DATABASES["default"]["NAME"])
        self.mark = place.name.replace("-", "_")
        self.made = 0

    def first(self) -> str:
        name = f"{self.mark}_first"
        self._do(f'CREATE DATABASE "{name}"')
        return name

    def copy(self, database: str) -> str:
        self.made += 1
        found = f"{self.mark}_{self.made}"
        self._do(f'CREATE DATABASE "{found}" TEMPLATE "{database}" STRATEGY FILE_COPY')
        return found

    def drop(self, database: str) -> None:
        self._do(f'DROP DATABASE "{database}" WITH (FORCE)')

    def _do(self, order: str) -> None:
        import psycopg

        known = settings.DATABASES["default"]
        where = {"host": known["HOST"], "user": known["USER"], "port": known["PORT"] or None}
        with psycopg.connect(dbname=self.own, autocommit=True, **where) as line:
            line.execute(order.encode())


def sites(place: Path) -> Files | Databases:
    """Beside the database that the settings name."""
    engine = str(settings.DATABASES["default"]["ENGINE"])
    return Files(place) if engine.endswith("sqlite3") else Databases(place)
