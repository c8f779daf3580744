"""Who listens in this process, and the one task that looks for all of them what has changed."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter as Tally
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from . import signed_topics

logger = logging.getLogger(__name__)

LEAST_PAUSE, MOST_PAUSE = 0.2, 1.0  # seconds between two looks
A_SECOND = 1000  # topics that are looked at in a second, but for a pause that is the longest
MOST_STREAMS = 3000  # in a process; `room` lowers it where fewer files may be open
MOST_FOR_ONE = 8  # one person's browsers; a browser shares one among its pages
MOST_FOR_VISITORS = 300  # from one address without an account: the hall of a tournament
Look = Callable[[Iterable[str]], dict[str, int]]


class TooManyStreams(Exception):
    """No more streams, for this listener or for anybody."""


class EventStream:
    """One listener: what it knows of its topics, and what it has to be told."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.versions = numbers
        self._fresh: dict[str, int] = {}
        self._woken = asyncio.Event()

    def compare(self, now: dict[str, int]) -> None:
        """Compare with what the counters say now; wakes the stream where something changed."""
        mine = {topic: now[topic] for topic in self.versions if topic in now}
        fresh = signed_topics.changed_topics(self.versions, mine)
        if fresh:
            self.versions |= fresh
            self._fresh |= fresh
            self._woken.set()

    def wake(self) -> None:
        self._woken.set()

    async def changes(self, patience: float) -> dict[str, int]:
        """What changed since the last time; empty after so many seconds without anything."""
        try:
            await asyncio.wait_for(self._woken.wait(), patience)
        except TimeoutError:
            return {}
        self._woken.clear()
        fresh, self._fresh = self._fresh, {}
        return fresh


class StreamHub:
    """The streams of one process. All but `look` runs in the loop that serves. `pause`: seconds between two
    looks; None: the shorter the fewer topics there are.
    """

    def __init__(self, look: Look, pause: float | None = None) -> None:
        self.look, self.pause = look, pause
        self.closing = False
        self.streams: dict[EventStream, str] = {}
        self.looks = 0
        self._owners: Tally[str] = Tally()
        self._task: asyncio.Task[None] | None = None

    def join(self, stream: EventStream, owner: str, most: int) -> None:
        """Listen from now on; raises TooManyStreams. The first look comes at once."""
        if self.closing or len(self.streams) >= MOST_STREAMS or self._owners[owner] >= most:
            raise TooManyStreams
        self.streams[stream] = owner
        self._owners[owner] += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch(), name="news")

    def leave(self, stream: EventStream) -> None:
        owner = self.streams.pop(stream, None)
        if owner is not None:
            self._owners[owner] -= 1
            self._owners += Tally()  # forget those without any

    def close(self) -> None:
        """End every stream now: the site is stopping."""
        self.closing = True
        for stream in self.streams:
            stream.wake()

    async def _watch(self) -> None:
        """Look until nobody listens. One thread, so one connection to the database, for all."""
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="news") as thread:
            loop = asyncio.get_running_loop()
            while self.streams and not self.closing:
                topics = {topic for stream in self.streams for topic in stream.versions}
                now = await loop.run_in_executor(thread, self._looked, topics)
                self.looks += 1
                for stream in self.streams:
                    stream.compare(now)
                usual = min(max(LEAST_PAUSE, len(topics) / A_SECOND), MOST_PAUSE)
                await asyncio.sleep(usual if self.pause is None else self.pause)
            self._task = None
            await loop.run_in_executor(thread, _disconnect)

    def _looked(self, topics: Iterable[str]) -> dict[str, int]:
        """Nothing where the database does not answer: the next look may find it again."""
        from django.db import Error, close_old_connections

        close_old_connections()
        try:
            return self.look(topics)
        except Error as problem:
            logger.warning("news: %s", problem)
            return {}


def _disconnect() -> None:
    from django.db import connections

    connections.close_all()
