"""So many requests of one address at a time: the others of it wait, in the order of their arrival."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class QueueFull(Exception):
    """More requests of this address wait already than anybody would wait for."""


@dataclass
class _WaitingRequests:
    """The requests of one address: how many are being answered, and who waits."""

    running: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class AddressQueue:
    """Whose turn it is, of each address. For one event loop."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self.at_once, self.most_waiting = at_once, most_waiting
        self._lines: dict[str, _WaitingRequests] = {}

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the turn of a request from this address, and have it within the block. Raises
        QueueFull.
        """
        line = self._lines.setdefault(address, _WaitingRequests())
        if line.running < self.at_once:
            line.running += 1
        else:
            await self._wait(line)
        try:
            yield
        finally:
            self._next(address, line)

    async def _wait(self, line: _WaitingRequests) -> None:
        if len(line.waiting) >= self.most_waiting:
            raise QueueFull
        turn = asyncio.get_running_loop().create_future()
        line.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came just now: the next one has it
                self._hand_on(line)
            elif turn in line.waiting:
                line.waiting.remove(turn)
            raise

    def _next(self, address: str, line: _WaitingRequests) -> None:
        self._hand_on(line)
        if not line.running:
            self._lines.pop(address, None)

    def _hand_on(self, line: _WaitingRequests) -> None:
        while line.waiting:
            turn = line.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        line.running -= 1
