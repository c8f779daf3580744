"""More processes that answer at the site's socket: Python answers on one core in each.

They serve pages and what is live, and nothing else; the first process has all the other duties. What happens
in one is shown by the others a second later, as the numbers of the database tell them.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence

from talleyrand.web.background.periodic_runner import repeat_works
from talleyrand.web.limits.child_processes import ChildProcesses

PAUSE = 5.0  # seconds between two looks whether one has died


def run_web_processes(
    stop: threading.Event, count: int, command: Sequence[str], listening: socket.socket
) -> None:
    """Keep so many processes answering beside this one until `stop` is set.

    `command` starts one; the number of the socket, which it inherits, is added.
    """
    number = listening.fileno()
    others = ChildProcesses(count, (*command, str(number)), [number])
    try:
        repeat_works("the processes that answer beside this one", [others.start_missing], stop, lambda: PAUSE)
    finally:
        others.stop_all()
