"""Processes of a pool end with the one that began them."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any


def end_with_parent() -> None:
    """Have this process end as soon as the one that began it does, however that ends."""
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def end_pool(pool: ProcessPoolExecutor, before: Collection[BaseProcess]) -> None:
    """Give up what a pool has to do, and kill its processes: those that were not there `before`.

    Before Python 3.11.5 a pool waits for ever to hand work to processes that were killed (gh-94777): the pipe
    to them is closed here as it is by Python since then. It waits for the rest of an answer too that a
    process was killed in the middle of: our own end of that pipe is closed, so that it sees the end.
    """
    calls: Any = getattr(pool, "_call_queue", None)
    answers: Any = getattr(pool, "_result_queue", None)
    pool.shutdown(wait=False, cancel_futures=True)
    if calls is not None and sys.version_info < (3, 11, 5):
        with suppress(OSError):  # closed meanwhile by the pool's own thread
            calls._reader.close()
    for child in set(multiprocessing.active_children()) - set(before):
        child.kill()
    if answers is not None:
        answers._writer.close()
