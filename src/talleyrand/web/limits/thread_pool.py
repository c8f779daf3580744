"""Django's pages as an ASGI application, answered by a few threads that keep their connections.

Django's own handler gives each request a thread that lives no longer than it, and so a new connection to
the database, and changes threads twice more on the way to a view that waits: that costs as much as a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import IO, Any, cast

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse, set_script_prefix
from django.utils import timezone, translation

from talleyrand.web.common import network
from talleyrand.web.common.error_pages import SCOPE_ANSWER_LOST, SCOPE_COME_BACK, SCOPE_TOO_BUSY

from . import first_tries
from .low_priority import LowPriorityProcess, ProcessGone
from .request_queue import AddressQueue, QueueFull

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Count = Callable[[tuple[str, str, str], float], None]
Returning = Callable[[str, datetime], None]
SCOPE_RECEIVED = "talleyrand.received"
SCOPE_COUNTED = "talleyrand.counted"
READING = ("GET", "HEAD")  # what changes nothing
ANSWERED = "talleyrand.web.limits.thread_pool.answer_request"
# Of one address, in the process of low priority: a page brings a few others along.
AT_ONCE, MOST_WAITING = 2, 30
REFUSING = 2  # threads
AGAIN, LOOK = 5.0, 0.1  # seconds that a process which has died is waited for, and between two looks


def received_at(request: HttpRequest) -> datetime:
    """When a request was here entirely: however many others it waited for then, it is no later for that.

    Of orders that were told to come back, when they were here first.
    """
    scope: Scope = getattr(request, "scope", {})
    return scope.get(SCOPE_RECEIVED) or timezone.now()


@dataclass(frozen=True)
class BufferedResponse:
    """All of an answer; a file is read by the thread that found it. `counted`: of what kind it is, and how
    many seconds it took, as the process that made it counted them."""

    status: int
    headers: Headers
    body: bytes
    counted: Any = None


class ThreadPoolHandler(ASGIHandler):
    """As many requests at once as there are threads; the others wait in the order of their arrival.

    What was sent is done, though its visitor hangs up: an order on its way is kept all the same. But who
    reloads a page does not wait for those he has given up.

    Pages that cost what their visitor wants them to cost are answered by a process of low priority, if there
    is one: a few of each address at a time, so that everybody has a turn. `count` hears of each of those.

    Orders that have waited for a thread as long as anybody should are told to come back, by threads that do
    nothing else: in time, whatever the others are at. `returning` hears for which game, and when the orders
    were here first.
    """

    def __init__(
        self,
        threads: int,
        beside: LowPriorityProcess | None = None,
        count: Count = lambda _kind, _seconds: None,
        returning: Returning = lambda _game, _first: None,
    ) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._refusals = ThreadPoolExecutor(REFUSING, thread_name_prefix="refusal")
        self._beside = beside
        self._count = count
        self._returning = returning
        self._turns = AddressQueue(AT_ONCE, MOST_WAITING)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 what Django asks for
        """In a thread nothing is asynchronous."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of HTTP; nothing for one that was broken off."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        now = timezone.now()
        orders = first_tries.game_of_orders(scope)
        scope[SCOPE_RECEIVED] = (first_tries.first_try(scope, body, now) if orders else None) or now
        beside = self._beside is not None and self._beside.is_ready and is_expensive(scope["path"])
        begun = asyncio.Event()
        work = self._asked(scope, body, begun) if beside else self._threaded(scope, body, begun)
        answering = asyncio.create_task(work)
        if scope["method"] in READING and await _is_left(answering, receive) and not begun.is_set():
            answering.cancel()
            return
        answer = await answering
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _threaded(self, scope: Scope, body: IO[bytes], begun: asyncio.Event) -> BufferedResponse:
        """What a thread answers, once one is free; `begun` says that it is at it."""
        loop = asyncio.get_running_loop()

        def answered() -> BufferedResponse:
            loop.call_soon_threadsafe(begun.set)
            return self.answer(scope, body)

        # Language and zone are set for the request alone.
        work = self._threads.submit(copy_context().run, answered)
        answer = asyncio.wrap_future(work)
        if game := first_tries.game_of_orders(scope):
            await asyncio.wait([answer], timeout=first_tries.LONGEST_WAIT)
            if work.cancel():  # no thread is at it
                return await self._told_to_return(game, scope, body)
        try:
            return await answer
        finally:
            if work.cancelled():
                body.close()

    async def _told_to_return(self, game: str, scope: Scope, body: IO[bytes]) -> BufferedResponse:
        """What orders are answered that have waited too long."""
        first = scope[SCOPE_RECEIVED]
        self._returning(game, first)
        scope[SCOPE_COME_BACK] = first_tries.sign_first_try(scope, first_tries.whole(body), first)
        work = self._refusals.submit(copy_context().run, self.answer, scope, body)
        return await asyncio.wrap_future(work)

    async def _asked(self, scope: Scope, body: IO[bytes], begun: asyncio.Event) -> BufferedResponse:
        """What the process of low priority answers; a reading is asked for again where it has died."""
        assert self._beside is not None
        with body:
            sent = body.read()
        tries = 2 if scope["method"] in READING else 1
        flag = SCOPE_TOO_BUSY
        with suppress(QueueFull):
            client = scope["client"]
            async with self._turns.turn(network.client_network(client[0]) if client else ""):
                begun.set()  # whoever hangs up and asks again keeps the turn of the first until it is done
                for _ in range(tries):
                    with suppress(ProcessGone):
                        answer = await asyncio.wrap_future(self._beside.submit(ANSWERED, scope, sent))
                        if answer.counted:
                            self._count(*answer.counted)
                        return cast(BufferedResponse, answer)
                    await self._awaited()
                flag = SCOPE_ANSWER_LOST
        return await self._threaded({**scope, flag: True}, BytesIO(sent), begun)

    async def _awaited(self) -> None:
        """Until the process of low priority is there again, for a while."""
        assert self._beside is not None
        for _ in range(round(AGAIN / LOOK)):
            if self._beside.is_ready:
                return
            await asyncio.sleep(LOOK)

    def answer(self, scope: Scope, body: IO[bytes]) -> BufferedResponse:
        """All that becomes of a request whose body is there."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        with body:
            request, response = self.create_request(scope, body)
            found = response if request is None else self.get_response(request)
            assert found is not None  # one of the two is there
            found._handler_class = self.__class__  # type: ignore[attr-defined]  # Django tells it its signal
            try:
                return BufferedResponse(
                    found.status_code, _headers(found), b"".join(found), scope.get(SCOPE_COUNTED)
                )
            finally:
                found.close()  # which gives the connection back


def answer_request(scope: Scope, body: bytes) -> BufferedResponse:
    """What a request comes to, in the process of low priority."""
    return copy_context().run(_pages().answer, scope, BytesIO(body))


@cache
def _pages() -> ThreadPoolHandler:
    return ThreadPoolHandler(1)


def is_expensive(path: str) -> bool:
    """Whether a page computes what its visitor sends: boards to practise on, books compared, the judge."""
    return path.startswith(expensive_prefixes())


@cache
def expensive_prefixes() -> tuple[str, ...]:
    """The beginnings of the addresses of such pages, in every language."""
    found = ["/api/judge"]
    for language, _title in settings.LANGUAGES:
        with translation.override(language):
            names = ("practice:import", "library:compare", "library:lessons")
            paths = [reverse("practice:shared", args=["x"]), *map(reverse, names)]
        parts = 2 if language == settings.LANGUAGE_CODE else 3
        found += ["/".join(path.split("/")[:parts]) + "/" for path in paths]
    return tuple(found)


async def _is_left(answering: asyncio.Future[BufferedResponse], receive: Receive) -> bool:
    """Whether the visitor hangs up before the answer is there."""
    left = asyncio.ensure_future(receive())
    try:
        await asyncio.wait((answering, left), return_when=asyncio.FIRST_COMPLETED)
        return not answering.done() and left.result()["type"] == "http.disconnect"
    finally:
        left.cancel()


def _headers(response: HttpResponseBase) -> Headers:
    """The fields of an answer's head, those of its cookies last."""
    told = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    cookies = (one.output(header="").strip().encode("ascii") for one in response.cookies.values())
    return [*told, *((b"Set-Cookie", one) for one in cookies)]
