"""What befalls a large site while people play on it: one thing after another, drawn from a seed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests import postgresql
from tests.web.server.large import Process, Site

SMALL = 64 * 1024  # bytes that a file may have while the disk is full
FROZEN = 2.0  # seconds


@dataclass
class Chaos:
    """Kills processes of a site, which begin again, and does worse to its database; counts what it did."""

    site: Site
    database: str
    chance: Random
    done: Counter[str] = field(default_factory=Counter)
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        acts: list[Callable[[], None]] = [self.kill] * 12
        acts += [self.freeze] * 3 + [self.freeze_database] * 2 + [self.restart_database, self.fill_disk]
        while not self.stopped.is_set():
            act = self.chance.choice(acts)
            act()
            self.done[act.__name__] += 1
            self.stopped.wait(self.chance.uniform(0.2, 1.5))

    def kill(self) -> None:
        """kill -9 of any process, with all that it has started."""
        kind = self.chance.choice(sorted({name.partition("-")[0] for name in self.site.processes}))
        name = self.chance.choice(sorted(name for name in self.site.processes if name.startswith(kind)))
        self.site[name].kill()
        self.site[name].begin()
        self.done[f"kill {kind}"] += 1

    def freeze(self) -> None:
        """A process stands still, and goes on where it stood: by then others may have done its work."""
        one = self.site[self.chance.choice(sorted(self.site.processes))]
        _signal(one, signal.SIGSTOP)
        self.stopped.wait(FROZEN)
        _signal(one, signal.SIGCONT)

    def freeze_database(self) -> None:
        """A disk that answers nobody: all that writes stands still for a while."""
        pids = self._postgres()
        for pid in pids:
            _send(pid, signal.SIGSTOP)
        self.stopped.wait(FROZEN)
        for pid in pids:
            _send(pid, signal.SIGCONT)

    def restart_database(self) -> None:
        """The database ends as by a power cut, and recovers."""
        postgresql.restart(self.database)

    def fill_disk(self) -> None:
        """No file of the database may grow any more, its log neither; then there is room again."""
        postgresql.limit_files(self._postgres(), SMALL)
        self.stopped.wait(FROZEN)
        postgresql.limit_files(self._postgres(), None)
        postgresql.restart(self.database)

    def _postgres(self) -> list[int]:
        """The database’s processes, the first of them first: those that it starts are like it."""
        try:
            first = int((postgresql.base(self.database) / "postmaster.pid").read_text().split("\n")[0])
        except (FileNotFoundError, ValueError):
            return []
        return [first, *_children(first)]


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _signal(one: Process, number: signal.Signals) -> None:
    if one.running is not None:
        with suppress(ProcessLookupError):
            os.killpg(one.running.pid, number)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


@contextmanager
def raging(chaos: Chaos) -> Iterator[Chaos]:
    """Meanwhile it goes on; afterwards everything is on its feet again."""
    thread = threading.Thread(target=chaos.run, name="chaos")
    thread.start()
    try:
        yield chaos
    finally:
        chaos.stopped.set()
        thread.join()
        postgresql.restart(chaos.database)
        for one in chaos.site.processes.values():
            if not one.is_alive():
                one.begin()
        time.sleep(1)
