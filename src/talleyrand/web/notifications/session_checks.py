"""Whether the sessions of those who listen are still open: one question for many, one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection

logger = logging.getLogger(__name__)

GATHERING = 0.05  # seconds: those who come together are asked for together
Look = Callable[[Collection[str]], Collection[str]]


class SessionChecker:
    """All but `look` runs in the loop that serves; `look` gives those of some sessions that are open."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.looks = 0
        self._waiting: dict[str, asyncio.Future[bool]] = {}
        self._task: asyncio.Task[None] | None = None

    async def is_open(self, session: str) -> bool:
        """Also where nobody can say: the next question may find it out."""
        if self._task is None or self._task.done():
            self._waiting.clear()  # of a loop that has ended
            self._task = asyncio.create_task(self._check_sessions(), name="admission")
        answer = self._waiting.setdefault(session, asyncio.get_running_loop().create_future())
        return await asyncio.shield(answer)

    async def _check_sessions(self) -> None:
        await asyncio.sleep(GATHERING)
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            found = await asyncio.to_thread(self._looked, list(asked))
            self.looks += 1
            for session, answer in asked.items():
                if not answer.done():
                    answer.set_result(session in found)
            await asyncio.sleep(GATHERING)

    def _looked(self, asked: list[str]) -> Collection[str]:
        from django.db import connections

        try:
            return self.look(asked)
        except Exception as problem:  # noqa: BLE001 nobody may wait for an answer that never comes
            logger.warning("sessions of those who listen: %s", problem)
            return asked
        finally:
            connections.close_all()
