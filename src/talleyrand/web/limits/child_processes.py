"""Processes that one starts beside itself; they end with it, however that comes: their input is closed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence

STOP_SECONDS = 10.0  # seconds that each is given to finish what it has begun


def start_child(
    command: Sequence[str], stdin: int, *, silent: bool = False, sockets: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """A new process, waited for from the first: however it ends, nothing of it stays in the system's table.

    `silent`: what it writes is nobody's; it inherits `sockets`. Raises OSError where none can be.
    """
    out = subprocess.DEVNULL if silent else None
    process = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=out, pass_fds=sockets)  # noqa: S603 our own words
    threading.Thread(target=process.wait, daemon=True).start()
    return process


class ChildProcesses:
    """So many processes of one command, begun again where they have died."""

    def __init__(self, most: int, command: Sequence[str], sockets: Sequence[int] = ()) -> None:
        self.most, self.command, self.sockets = most, command, tuple(sockets)
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def running_count(self) -> int:
        return sum(one.poll() is None for one in self._processes)

    def start_missing(self) -> None:
        """As many as there may be, for those that have died too; raises OSError where none can be."""
        alive = [one for one in self._processes if one.poll() is None]
        _close(one for one in self._processes if one not in alive)
        self._processes = alive
        while len(self._processes) < self.most:
            self._processes.append(start_child(self.command, subprocess.PIPE, sockets=self.sockets))

    def stop_all(self) -> None:
        """Let each finish what it has begun."""
        ending, self._processes = self._processes, []
        _close(ending)
        for one in ending:
            try:
                one.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def _close(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """What each of them waits for."""
    for one in processes:
        if one.stdin is not None:
            one.stdin.close()


def stop_with_parent(end: Callable[[], object]) -> None:
    """In a process that was begun: call `end` once whoever has begun it is gone, or wants it no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the first one, which tells it when to end
    threading.Thread(target=_wait, args=(end,), daemon=True).start()


def _wait(end: Callable[[], object]) -> None:
    sys.stdin.buffer.read()
    end()
