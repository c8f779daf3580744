"""Work of which anybody may ask as much as they like, done in a process beside this one at low priority.

So no other page waits for it, however much of it there is: Python runs one thread of a process at a time.
The process is begun again where it has died; it ends itself where one piece of work takes more than it may
ever take, and ends with this process, however that comes: its line is closed then.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection
from socket import SHUT_RDWR, socket, socketpair
from typing import Any, ClassVar

from django.db import close_old_connections
from django.utils.module_loading import import_string

COMMAND = (
    sys.executable,
    "-P",
    "-c",
    (
        "import sys; from talleyrand.web.server.low_priority_worker import run_low_priority_worker as run; "
        "run(int(sys.argv[1]))"
    ),
)
READY = 0  # the number of no work: the process says by it that it can begin
LAST = 5.0  # seconds that it is given to finish what it has begun
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before one that could not begin is begun again
RUN_PATH = "talleyrand.web.limits.low_priority.run_at_low_priority"

logger = logging.getLogger(__name__)


class ProcessGone(Exception):
    """The process is not there: it has died of this work or of another, or has not begun yet."""


class LowPriorityProcess:
    """One process that does the work of many threads of this one. Safe among threads."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._numbers = count(READY + 1)
        self._waiting: dict[int, Future[Any]] = {}
        self._ready = threading.Event()
        self._line: Connection | None = None
        self._socket: socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._sender = ThreadPoolExecutor(1, thread_name_prefix="low priority")
        self._pause = 0.0
        self._ended = threading.Event()

    @property
    def is_ready(self) -> bool:
        return self._ready.is_set()

    @property
    def is_started(self) -> bool:
        """Whether there is one, which may not be ready yet."""
        return self._process is not None

    def start(self) -> None:
        """Start the process, if it is not there; it is ready somewhat later. Raises OSError."""
        with self._lock:
            if self._line is not None or self._ended.is_set():
                return
            self._socket, theirs = socketpair()
            with theirs:
                number = theirs.fileno()
                self._process = subprocess.Popen(  # noqa: S603 our own words
                    (*self._command, str(number)), stdin=subprocess.DEVNULL, pass_fds=[number]
                )
            self._line = Connection(os.dup(self._socket.fileno()))
            listening = (self._line, self._process)
        threading.Thread(target=self._listen, args=listening, name="low priority", daemon=True).start()

    def submit(self, path: str, *arguments: Any) -> Future[Any]:
        """What the function of this dotted path gives, or the exception that it raises; Gone if never."""
        number, answer = next(self._numbers), Future[Any]()
        with self._lock:
            if self._line is None or not self.is_ready:
                answer.set_exception(ProcessGone())
                return answer
            self._waiting[number] = answer
            line = self._line
        self._sender.submit(self._send, line, number, (number, path, arguments))
        return answer

    def stop(self) -> None:
        """Let it finish what it has begun, for a moment."""
        with self._lock:
            self._ended.set()
            process = self._process
            self._close()
        self._sender.shutdown(wait=False)
        if process is not None:
            try:
                process.wait(LAST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _send(self, line: Connection, number: int, work: Any) -> None:
        try:
            line.send(work)
        except OSError:
            self._answer(number, ProcessGone(), done=False)

    def _listen(self, line: Connection, process: subprocess.Popen[bytes]) -> None:
        try:
            while True:
                number, done, value = line.recv()
                if number == READY:
                    self._pause = 0.0
                    self._ready.set()
                else:
                    self._answer(number, value, done=done)
        except (EOFError, OSError):
            line.close()
            self._lost(process)

    def _answer(self, number: int, value: Any, *, done: bool) -> None:
        with self._lock:
            answer = self._waiting.pop(number, None)
        if answer is None or not answer.set_running_or_notify_cancel():
            return
        if done:
            answer.set_result(value)
        else:
            answer.set_exception(value)

    def _lost(self, process: subprocess.Popen[bytes]) -> None:
        """Nobody waits for what will not come; the next one is begun."""
        with self._lock:
            self._ready.clear()
            lost = list(self._waiting)
            self._close()
        for number in lost:
            self._answer(number, ProcessGone(), done=False)
        status = process.wait()
        if not self._ended.is_set():
            logger.error("the process of low priority ended with status %s and is begun again", status)
        if self._ended.wait(self._pause):
            return
        self._pause = min(LONGEST_PAUSE, 2 * self._pause or FIRST_PAUSE)
        try:
            self.start()
        except OSError:
            self._process = None
            logger.exception("no process of low priority could be started")

    def _close(self) -> None:
        """Both ends hear of it, the thread that listens too."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(SHUT_RDWR)
            self._socket.close()
        self._socket = self._line = None


class LowPriorityWork:
    """What this process does at low priority: by the process beside it, or by a thread of its own there.

    `queued_paths` are the functions that the thread is to call; `running_work`, by thread, is the work that
    each is at, its processor time then and its clock.
    """

    process: LowPriorityProcess | None = None
    threads: ThreadPoolExecutor | None = None
    queued_paths: ClassVar[set[str]] = set()
    running_work: ClassVar[dict[int, tuple[str, float, int]]] = {}


def run_at_low_priority(path: str) -> bool:
    """Have the function of this dotted path called at low priority; False where nothing here can do it.

    It is to be asked for again by whoever still waits: the process may die meanwhile, or not be ready yet.
    """
    if LowPriorityWork.threads is not None:
        if path not in LowPriorityWork.queued_paths:
            LowPriorityWork.queued_paths.add(path)
            LowPriorityWork.threads.submit(_do, path)
        return True
    if LowPriorityWork.process is None or not LowPriorityWork.process.is_started:
        return False
    LowPriorityWork.process.submit(RUN_PATH, path)
    return True


def _do(path: str) -> None:
    """A thread that lives for long has lines to the database that have been cut meanwhile."""
    LowPriorityWork.queued_paths.discard(path)
    close_old_connections()
    try:
        import_string(path)()
    except Exception:
        logger.exception("what was to be done at low priority failed: %s", path)
    finally:
        close_old_connections()


@contextmanager
def cpu_bounded(work: str) -> Iterator[None]:
    """One piece of work: the process of low priority gives it up where it takes more than any may.

    Nothing of it is measured on systems that cannot tell what a thread has taken of the processor.
    """
    thread, clock = threading.get_ident(), getattr(time, "pthread_getcpuclockid", None)
    before = LowPriorityWork.running_work.get(thread)
    if clock is not None:
        LowPriorityWork.running_work[thread] = work, time.thread_time(), clock(thread)
    try:
        yield
    finally:
        if before is not None:
            LowPriorityWork.running_work[thread] = before
        else:
            LowPriorityWork.running_work.pop(thread, None)


def lower_priority(amount: int = 5) -> None:
    """Let every other process of this machine go first."""
    try:
        os.nice(amount)
    except OSError:  # a sandbox may forbid it: the work is done all the same
        logger.warning("the priority of this process could not be lowered")
