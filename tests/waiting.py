"""To wait for what a process or a thread beside the test comes to: for its sign, never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable

PATIENCE = 300  # seconds, on a machine that does other things too
PAUSE = 0.02
Reason = str | Callable[[], object]
NOT_THERE = "it did not come"


def wait_until(what: Callable[[], object], why: Reason = NOT_THERE, patience: float = PATIENCE) -> None:
    """Return once `what()` holds; fail with `why`, a text or what gives one, after so many seconds."""
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end, why() if callable(why) else why
        time.sleep(PAUSE)


async def reached(what: Callable[[], object], patience: float = PATIENCE) -> None:
    """The same where the loop goes on meanwhile, and where one may have to wait for `what()` itself; raises
    TimeoutError.
    """
    async with asyncio.timeout(patience):
        while not (await found if isawaitable(found := what()) else found):
            await asyncio.sleep(PAUSE)
