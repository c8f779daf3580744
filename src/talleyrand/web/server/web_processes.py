"""More processes that answer at the site's socket: Python answers on one core in each.

They serve pages and what is live, and nothing else; the first process has all the other duties. What happens
in one is shown by the others a second later, as the numbers of the database tell them.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Sequence

from talleyrand.web.limits.child_processes import ChildProcesses

PAUSE = 5.0  # seconds between two looks whether one has died

logger = logging.getLogger(__name__)


def run_web_processes(
    stop: threading.Event, count: int, command: Sequence[str], listening: socket.socket
) -> None:
    """Keep so many processes answering beside this one until `stop` is set.

    `command` starts one; the number of the socket, which it inherits, is added.
    """
    number = listening.fileno()
    others = ChildProcesses(count, (*command, str(number)), [number])
    try:
        while not stop.is_set():
            _begin(others)
            stop.wait(PAUSE)
    finally:
        others.stop_all()


def _begin(others: ChildProcesses) -> None:
    try:
        others.start_missing()
    except OSError:
        logger.exception("no process could be started to answer beside this one")
