"""The process of low priority: does what comes down its line, several things at once, until it is cut."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from django.utils.module_loading import import_string

from talleyrand.web.limits import low_priority

AT_ONCE = 4
# No work that the site knows of takes so long: what does would take for ever.
LONGEST_CPU_SECONDS = 300.0  # seconds of processor
LOOK = 1.0
TOO_LONG = 70  # the status of a process that has ended for it

logger = logging.getLogger(__name__)


def run_low_priority_worker(number: int) -> None:
    """Do what comes down the line of this number."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the site, which closes the line
    low_priority.lower_priority()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
    import django

    django.setup()
    line, answering = Connection(number), threading.Lock()
    threading.Thread(target=_watch, daemon=True).start()
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="work")
    low_priority.LowPriorityWork.threads = ThreadPoolExecutor(1, thread_name_prefix="documents")

    def do(number: int, path: str, arguments: tuple[Any, ...]) -> None:
        answer = _call(path, arguments)
        with answering, suppress(OSError):
            _send(line, number, *answer)

    low_priority.LowPriorityWork.threads.submit(_begin)  # before any document is begun
    with suppress(EOFError, OSError):
        line.send((low_priority.READY, True, None))
        while True:
            threads.submit(do, *line.recv())
    threads.shutdown(cancel_futures=True)
    os._exit(0)  # threads that think for long are not waited for: what they do can be done again


def _begin() -> None:
    """Go on with what was under way when the site stopped, or the process before this one."""
    from django.conf import settings

    from talleyrand.web.background import generated_documents
    from talleyrand.web.bots import bot_queue, bot_threads

    try:
        if settings.PROCESSES == 1 and not settings.WORKERS:
            generated_documents.release_claims()
            bot_queue.release_all_claims()
        bot_threads.wake_bots()
    except Exception:
        logger.exception("what was under way is not gone on with before somebody asks for it")


def _call(path: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    with low_priority.cpu_bounded(path):
        try:
            return True, import_string(path)(*arguments)
        except Exception as problem:  # noqa: BLE001 it is raised again where it was asked for
            return False, problem


def _send(line: Connection, number: int, done: bool, value: Any) -> None:
    try:
        told = pickle.dumps((number, done, value))
        if not done:
            pickle.loads(told)  # noqa: S301 our own; an exception may be made again of other facts than it says
    except Exception:
        logger.exception("what came of a work cannot be sent: %r", type(value))
        told = pickle.dumps((number, False, low_priority.ProcessGone()))
    line.send_bytes(told)


def _watch() -> None:
    """End this process where one work takes more than any may: nothing else ends what never returns."""
    while True:
        time.sleep(LOOK)
        for path, begun, clock in list(low_priority.LowPriorityWork.running_work.values()):
            if time.clock_gettime(clock) - begun > LONGEST_CPU_SECONDS:
                logger.error(
                    "%s took more than %.0f s of processor, and is given up", path, LONGEST_CPU_SECONDS
                )
                logging.shutdown()
                os._exit(TOO_LONG)
