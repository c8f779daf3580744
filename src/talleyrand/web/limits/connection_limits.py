"""Connections of the server that cost it nothing for long: heads that come drip by drip, answers that nobody
reads, and one address that would take every place.

Bodies that come slowly are refused in `limits`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from talleyrand.web.common import network

HEAD = 20.0  # seconds for the head of a request; a browser that connects beforehand waits no longer
UNREAD = 60.0  # seconds for which nothing of an answer is read
STEP = 5.0
MOST_FROM_ONE_ADDRESS = (
    2000  # from one address: 210 phones behind one have six each at the worst, and a stream
)
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 30\r\ncontent-length: 0\r\n\r\n"
)


class ConnectionCounter:
    """How many connections each address has now."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        """Whether there is a place left; it is to be given back then."""
        if self._taken[address] >= _most(address):
            return False
        self._taken[address] += 1
        return True

    def release(self, address: str) -> None:
        self._taken[address] -= 1
        if self._taken[address] <= 0:
            del self._taken[address]


def _most(address: str) -> float:
    """The proxy before a site is often on its machine, and speaks for everybody."""
    if settings.CONNECTIONS:
        return float(settings.CONNECTIONS)
    return float("inf") if not address or ip_network(address).is_loopback else MOST_FROM_ONE_ADDRESS


connection_counter = ConnectionCounter()


class TimedHttpProtocol(H11Protocol):
    """One connection, looked at now and then."""

    _address: str | None = None  # that has taken a place
    _timer: asyncio.TimerHandle | None = None
    _known: Any = None  # the request that was there at the last look
    _since = 0.0  # since when no request is under way
    _stuck: float | None = None  # since when nobody reads

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = network.client_network(self.client[0]) if self.client else ""
        if not connection_counter.acquire(address):
            transport.write(FULL)
            transport.close()
            return
        self._address, self._since = address, self.loop.time()
        self._timer = self.loop.call_later(STEP, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._address is not None:
            connection_counter.release(self._address)
            self._address = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._stuck = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stuck = None
        super().resume_writing()

    def _look(self) -> None:
        now = self.loop.time()
        if self.cycle is not self._known or (self.cycle is not None and not self.cycle.response_complete):
            self._known, self._since = self.cycle, now
        if self.transport.is_closing() or (self._stuck is not None and now - self._stuck >= UNREAD):
            self.transport.abort()
        elif now - self._since >= HEAD:
            self.transport.close()
        self._timer = self.loop.call_later(STEP, self._look)
