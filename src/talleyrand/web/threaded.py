"""Django's pages as an ASGI application, answered by a few threads that keep their connections.

Django's own handler gives each request a thread that lives no longer than it, and so a new connection to
the database, and changes threads twice more on the way to a view that waits: that costs as much as a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from django.utils import timezone

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
RECEIVED = "talleyrand.received"
READING = ("GET", "HEAD")  # what changes nothing


def received(request: HttpRequest) -> datetime:
    """When a request was here entirely: however many others it waited for then, it is no later for that."""
    scope: Scope = getattr(request, "scope", {})
    return scope.get(RECEIVED) or timezone.now()


@dataclass(frozen=True)
class Answer:
    """All of an answer; a file is read by the thread that found it."""

    status: int
    headers: Headers
    body: bytes


class Pages(ASGIHandler):
    """As many requests at once as there are threads; the others wait in the order of their arrival.

    What was sent is done, though its visitor hangs up: an order on its way is kept all the same. But who
    reloads a page does not wait for those he has given up.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 what Django asks for
        """In a thread nothing is asynchronous."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of HTTP; nothing for one that was broken off."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        scope[RECEIVED] = timezone.now()
        # Language and zone are set for the request alone.
        work = self._threads.submit(copy_context().run, self._answer, scope, body)
        answering = asyncio.wrap_future(work)
        if scope["method"] in READING and await _is_left(answering, receive) and work.cancel():
            body.close()
            return
        answer = await answering
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    def _answer(self, scope: Scope, body: IO[bytes]) -> Answer:
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        with body:
            request, response = self.create_request(scope, body)
            found = response if request is None else self.get_response(request)
            assert found is not None  # one of the two is there
            found._handler_class = self.__class__  # type: ignore[attr-defined]  # Django tells it its signal
            try:
                return Answer(found.status_code, _headers(found), b"".join(found))
            finally:
                found.close()  # which gives the connection back


async def _is_left(answering: asyncio.Future[Answer], receive: Receive) -> bool:
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
