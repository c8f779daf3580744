"""The post at work: reads what has come, gathers what is to be told, hands over what is to leave.

Any number may run at once, here and in other processes.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from functools import partial

from django.conf import settings
from django.utils import timezone

from talleyrand.web.background.periodic_runner import repeat_works

from .inbound import inbound_processing
from .inbound.smtp_server import running_mail_server
from .outbound import email_sending
from .subscriptions import subscription_sweep

Work = Callable[[datetime], object]

PAUSE, LONGEST_PAUSE = 1.0, 10.0
LAST_MAIL = 5.0  # seconds that a mail is given which is being handed over


def run_mail_worker(
    stop: threading.Event, listening: socket.socket | None = None, *, lmtp: bool = False
) -> None:
    """Work until `stop` is set; on a socket that listens, mail is taken meanwhile, and read at once.

    Mail that leaves has a thread of its own: orders do not wait for a server that is out of reach.
    """
    while not settings.HAS_MAIL:  # until an administrator names a server
        if stop.wait(PAUSE):
            return
    rung, outgoing = threading.Event(), threading.Event()
    sender = threading.Thread(target=_leave, args=(stop, outgoing), name="outgoing post", daemon=True)
    sender.start()
    with running_mail_server(listening, lmtp=lmtp, kept=rung.set) if listening else nullcontext():
        _repeat(stop, rung, [lambda now: _sort(now, outgoing)] if settings.HAS_PLAY_BY_MAIL else [])
    sender.join(LAST_MAIL)


def _sort(now: datetime, outgoing: threading.Event) -> None:
    if inbound_processing.process_due_mail(now):
        outgoing.set()


def _leave(stop: threading.Event, bell: threading.Event) -> None:
    _repeat(stop, bell, outbound_work())


def outbound_work() -> list[Work]:
    """What is done for mail that leaves."""
    works: list[Work] = [email_sending.send_due_emails]
    return [subscription_sweep.queue_due_mail, *works] if settings.HAS_PLAY_BY_MAIL else works


def _repeat(stop: threading.Event, bell: threading.Event, works: list[Work]) -> None:
    at_once = [partial(_do_now, work) for work in works]
    repeat_works("the post", at_once, stop, lambda: PAUSE, bell=bell, most_pause=LONGEST_PAUSE)


def _do_now(work: Work) -> None:
    work(timezone.now())
