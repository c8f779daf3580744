"""Where streams of server-sent events begin, beside Django's own handler.

There a request has a thread and often a connection to the database for as long as it lasts; hundreds that
last for hours need neither. The words that Django signed for the page say all that has to be known here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.http import parse_cookie
from django.urls import reverse
from django.utils.translation import override

from talleyrand.web.accounts import open_sessions
from talleyrand.web.common import network
from talleyrand.web.common.security_headers import bare_headers

from . import signed_topics, topic_versions
from .session_checks import SessionChecker
from .stream_hub import MOST_FOR_ONE, MOST_FOR_VISITORS, EventStream, StreamHub, TooManyStreams

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApplication = Callable[[Scope, Receive, Send], Awaitable[None]]

BEAT = 20  # seconds without news after which a sign of life is sent
TRUST = 15  # seconds for which a session that was found open is not asked for again
RETRY = 3000  # milliseconds
LONGEST_KEY = 40
LONGEST_QUERY = 16_000
HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
}
hub = StreamHub(topic_versions.current_versions)
admission = SessionChecker(open_sessions.people_by_session)


def with_event_streams(application: AsgiApplication) -> AsgiApplication:
    """The same application, with the streams at their addresses."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in stream_paths() and scope["method"] == "GET":
            await _listen(scope, receive, send)
        else:
            await application(scope, receive, send)

    return served


@cache
def stream_paths() -> frozenset[str]:
    """The paths of `notices:stream`, one for each language."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            found.add(reverse("notices:stream"))
    return frozenset(found)


@dataclass
class StreamTicket:
    """By what somebody listens: the words of his pages, and the session for which they were signed."""

    signed_topics: list[str]
    session: str
    checked_at: float = 0.0  # when the session was last found open

    async def is_good(self) -> bool:
        """Whether it still is; a session is asked for now and then."""
        try:
            signed_topics.unsign_topics(self.signed_topics, self.session)
        except signed_topics.InvalidTopics:
            return False
        return not self.session or await self._is_open()

    async def _is_open(self) -> bool:
        now = time.monotonic()
        if self.checked_at and now - self.checked_at < TRUST:
            return True
        self.checked_at = now
        return await admission.is_open(self.session)


async def _listen(scope: Scope, receive: Receive, send: Send) -> None:
    try:
        ticket, numbers = _requested_stream(scope)
        if not await ticket.is_good():
            raise signed_topics.InvalidTopics
    except signed_topics.InvalidTopics:
        await _refuse(send, 404)
        return
    stream = EventStream(numbers)
    try:
        hub.join(stream, *_owner(scope, numbers))
    except TooManyStreams:
        await _refuse(send, 503)
        return
    try:
        await _talk(stream, ticket, receive, send)
    finally:
        hub.leave(stream)


def _requested_stream(scope: Scope) -> tuple[StreamTicket, dict[str, int]]:
    """By what somebody asks, and what he knows of its topics. Raises InvalidTopics."""
    query: bytes = scope.get("query_string", b"")
    if len(query) > LONGEST_QUERY:
        raise signed_topics.InvalidTopics
    asked = parse_qs(query.decode("latin-1"), max_num_fields=signed_topics.MOST_WORDS + 10)
    words = asked.get("topics", [])
    ticket = StreamTicket(
        words,
        _session(scope) if signed_topics.are_bound_to_session(words[: signed_topics.MOST_WORDS]) else "",
    )
    made = signed_topics.unsign_topics(words, ticket.session)
    return ticket, signed_topics.known_versions(made, *asked.get("since", [])[:1], _last_event(scope))


def _session(scope: Scope) -> str:
    """The key of the session that a browser shows; "-" where it shows none."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    return parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")[:LONGEST_KEY].replace("\0", "") or "-"


def _last_event(scope: Scope) -> str:
    found: Iterable[bytes] = (value for name, value in scope["headers"] if name == b"last-event-id")
    return next(iter(found), b"").decode("latin-1")


def _owner(scope: Scope, numbers: Mapping[str, int]) -> tuple[str, int]:
    """Whom a stream counts for, and how many he may have."""
    person = next((topic for topic in numbers if topic.startswith("person:")), "")
    if person:
        return person, MOST_FOR_ONE
    return network.client_network(str((scope.get("client") or [""])[0])), MOST_FOR_VISITORS


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store"), (b"retry-after", b"60")]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *bare_headers()]})
    await send({"type": "http.response.body", "body": b""})


async def _talk(stream: EventStream, ticket: StreamTicket, receive: Receive, send: Send) -> None:
    headers = [*((name.encode(), value.encode()) for name, value in HEADERS.items()), *bare_headers()]
    gone = asyncio.create_task(_gone(receive))
    gone.add_done_callback(lambda _task: stream.wake())
    try:
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await _say(send, f"retry: {RETRY}\n{_event('ready', {}, stream.versions)}")
        while not (gone.done() or hub.closing) and await ticket.is_good():
            await _tell(stream, send, gone)
        await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()


async def _tell(stream: EventStream, send: Send, gone: asyncio.Task[None]) -> None:
    """One event with all that changed: half of it is never taken for the whole by its `id`."""
    news = await stream.changes(BEAT)
    if not gone.done():
        await _say(send, _event("changed" if news else "beat", news, stream.versions))


async def _say(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def _event(name: str, facts: Mapping[str, object], numbers: Mapping[str, int]) -> str:
    return f"id: {signed_topics.event_id(numbers)}\nevent: {name}\ndata: {json.dumps(facts)}\n\n"


async def _gone(receive: Receive) -> None:
    """Ends when the listener hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
