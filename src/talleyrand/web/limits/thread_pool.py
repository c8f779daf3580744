"""Django's pages as an ASGI application, answered by a few threads that keep their connections.

Django's own handler gives each request a thread that lives no longer than it, and so a new connection to
the database, and changes threads twice more on the way to a view that waits: that costs as much as a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from math import ceil
from typing import IO, Any, cast

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse, set_script_prefix
from django.utils import timezone, translation
from django.utils.translation import get_language_from_request

from talleyrand.web.common import error_pages, network
from talleyrand.web.common.error_pages import SCOPE_ANSWER_LOST, SCOPE_COME_BACK, SCOPE_TOO_BUSY
from talleyrand.web.common.security_headers import bare_headers

from . import first_tries
from .first_tries import FirstTry
from .low_priority import LowPriorityProcess, ProcessGone
from .order_turns import OrderTurns
from .request_queue import AddressQueue, QueueFull

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Count = Callable[[tuple[str, str, str], float], None]
Returning = Callable[
    [str, datetime, datetime], None
]  # a game, when its orders first came, when they do again
SCOPE_RECEIVED = "talleyrand.received"
SCOPE_COUNTED = "talleyrand.counted"
READING = ("GET", "HEAD")  # what changes nothing
ANSWERED = "talleyrand.web.limits.thread_pool.answer_request"
# Of one address, in the process of low priority: a page brings a few others along.
AT_ONCE, MOST_WAITING = 2, 30
FOR_PAGES = (
    0.6  # of the threads; the others are for orders alone, so that no crowd that reloads is before them
)
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
    """As many requests at once as there are threads, some of which pages leave to orders; the others wait in
    the order of their arrival.

    What was sent is done, though its visitor hangs up: an order on its way is kept all the same. But who
    reloads a page does not wait for those he has given up.

    Pages that cost what their visitor wants them to cost are answered by a process of low priority, if there
    is one: a few of each address at a time, so that everybody has a turn. `count` hears of each of those.

    Orders that would wait for a thread longer than anybody should are told to come back: those of a script or
    a program at once, which costs next to nothing, those of a form by threads that do nothing else. `count`
    hears of the former, `returning` of all: for which game, when they came first, when they will come again.
    """

    def __init__(
        self,
        threads: int,
        beside: LowPriorityProcess | None = None,
        count: Count = lambda _kind, _seconds: None,
        returning: Returning = lambda _game, _first, _back: None,
    ) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._page_places = asyncio.Semaphore(threads_for_pages(threads))
        self._refusals = ThreadPoolExecutor(REFUSING, thread_name_prefix="refusal")
        self._beside = beside
        self._count = count
        self._returning = returning
        self._line = OrderTurns(threads)
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
        scope[SCOPE_RECEIVED] = timezone.now()
        begun = asyncio.Event()
        if self._beside is not None and self._beside.is_ready and is_expensive(scope["path"]):
            work = self._slow_response(scope, body, begun)
        elif game := first_tries.game_of_orders(scope):
            work = self._ordered(game, scope, body)
        else:
            work = self._threaded(scope, body, begun)
        answering = asyncio.create_task(work)
        if scope["method"] in READING and await _is_left(answering, receive) and not begun.is_set():
            answering.cancel()
            return
        answer = await answering
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _threaded(self, scope: Scope, body: IO[bytes], begun: asyncio.Event) -> BufferedResponse:
        """What a thread answers, once one is free; `begun` says that it is at it."""
        work: Future[BufferedResponse] | None = None
        try:
            async with self._page_places:
                work = self._submit(scope, body, begun.set)
                return await asyncio.wrap_future(work)
        finally:
            if work is None or work.cancelled():
                body.close()

    def _submit(
        self, scope: Scope, body: IO[bytes], begun: Callable[[], None], *, orders: bool = False
    ) -> Future[BufferedResponse]:
        """Have a thread answer; `begun` is called in the event loop once one does."""
        loop, line = asyncio.get_running_loop(), self._line

        def begins() -> None:
            line.begun(timezone.now())
            begun()

        def answered() -> BufferedResponse:
            loop.call_soon_threadsafe(begins)
            try:
                return self.answer(scope, body)
            finally:
                loop.call_soon_threadsafe(lambda: line.ended(timezone.now(), orders=orders))

        # Language and zone are set for the request alone.
        return self._threads.submit(copy_context().run, answered)

    async def _ordered(self, game: str, scope: Scope, body: IO[bytes]) -> BufferedResponse:
        """What orders are answered: by a thread, if one will be free soon."""
        now, line = timezone.now(), self._line
        known = first_tries.first_try(scope, body, now)
        if known is not None:
            scope[SCOPE_RECEIVED] = known.at
        if line.has_place(known, now):
            line.joined(now)
            work = self._submit(scope, body, lambda: line.left(timezone.now()), orders=True)
            answer = asyncio.wrap_future(work)
            await asyncio.wait([answer], timeout=first_tries.LONGEST_WAIT)
            if not work.cancel():  # a thread is at it
                return await answer
            line.left(timezone.now())
        self._note_return(game, scope, body, known)
        if error_pages.is_for_reader(scope):
            work = self._refusals.submit(copy_context().run, self.answer, scope, body)
            return await asyncio.wrap_future(work)
        method = scope["method"] if scope["method"] == "POST" else "other"
        self._count(("other", method, "503"), (timezone.now() - now).total_seconds())
        return self._told_at_once(scope, body)

    def _note_return(self, game: str, scope: Scope, body: IO[bytes], known: FirstTry | None) -> None:
        """What orders are to be told that have no place, or have waited too long; the clock hears it too."""
        now, first = timezone.now(), scope[SCOPE_RECEIVED]
        tried = known or FirstTry(first, self._line.turn(now))
        pause = self._line.pause(tried, now)
        self._returning(game, first, now + timedelta(seconds=pause))
        word = first_tries.sign_first_try(scope, first_tries.whole(body), tried)
        scope[SCOPE_COME_BACK] = error_pages.ComeBack(word, pause)

    def _told_at_once(self, scope: Scope, body: IO[bytes]) -> BufferedResponse:
        """What a script or a program is answered that is to come back: in the event loop, and past whatever
        else is asked of a request.
        """
        with body:
            request, broken = self.create_request(scope, body)
            language = get_language_from_request(request, check_path=True) if request else None
            with translation.override(language):
                found = broken if request is None else error_pages.come_back_with_orders(request)
        assert found is not None  # one of the two is there
        return BufferedResponse(found.status_code, [*_headers(found), *bare_headers()], b"".join(found))

    async def _slow_response(self, scope: Scope, body: IO[bytes], begun: asyncio.Event) -> BufferedResponse:
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


def threads_for_pages(threads: int) -> int:
    """How many pages are answered at once, of so many threads."""
    return max(1, ceil(FOR_PAGES * threads))


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
