"""Refuses a body that is too large before it is read, and one that comes too slowly."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApplication = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 6 * 1024 * 1024
API_PREFIX = "/api/"
LARGEST_DRAINED = 100 * 1024 * 1024
# A body has so many seconds, and one more for each so many bytes that have come: a bad line is quicker.
PATIENCE, LEAST_PACE = 30.0, 4000
TOO_LARGE_TEXT = (
    "Envoi trop gros : six mégaoctets au plus. Rien n’a été changé.\n"
    "Too large: six megabytes at most. Nothing has been changed.\n"
)
TOO_SLOW_TEXT = (
    "Envoi interrompu : il arrivait trop lentement. Rien n’a été changé ; recommencer.\n"
    "Broken off: it came too slowly. Nothing has been changed; try again.\n"
)


def limit_body(application: AsgiApplication) -> AsgiApplication:
    """The same application, which answers 413 to a body announced or found to be too large, and 408 to one
    that comes too slowly.
    """

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
        elif _announced(scope) > LARGEST_BODY:
            await _refuse(scope, receive, send)
        else:
            await _counted(application, scope, receive, send)

    return limited


class _TooLarge(Exception):
    pass


class _TooSlow(Exception):
    pass


async def _in_time(receive: Receive, until: float) -> MutableMapping[str, Any]:
    try:
        async with asyncio.timeout(until - time.monotonic()):
            return await receive()
    except TimeoutError:
        raise _TooSlow from None


async def _counted(application: AsgiApplication, scope: Scope, receive: Receive, send: Send) -> None:
    begun, received, whole = time.monotonic(), 0, False

    async def counting() -> MutableMapping[str, Any]:
        nonlocal received, whole
        if whole:  # what follows is that the visitor hangs up
            return await receive()
        message = await _in_time(receive, begun + PATIENCE + received / LEAST_PACE)
        received += len(message.get("body", b""))
        whole = not message.get("more_body")
        if received > LARGEST_BODY:
            raise _TooLarge
        return message

    try:
        await application(scope, counting, send)
    except _TooLarge:
        await _refuse(scope, receive, send)
    except _TooSlow:
        await _break_off(scope, send)


async def _drain(receive: Receive) -> None:
    """Let the rest go by: a browser that is cut off while it sends never hears the answer."""
    passed = 0
    while passed < LARGEST_DRAINED:
        message = await receive()
        passed += len(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return


def _announced(scope: Scope) -> int:
    for name, value in scope.get("headers", ()):
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    kind, body = _refusal_body(scope, "too_large", TOO_LARGE_TEXT)
    await send(_start(413, kind))
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await _drain(receive)
    await send({"type": "http.response.body", "body": b""})


async def _break_off(scope: Scope, send: Send) -> None:
    kind, body = _refusal_body(scope, "too_slow", TOO_SLOW_TEXT)
    await send(_start(408, kind))
    await send({"type": "http.response.body", "body": body})


def _start(status: int, kind: bytes) -> MutableMapping[str, Any]:
    from talleyrand.web.common.security_headers import bare_headers  # the settings are read first

    headers = [(b"content-type", kind), (b"connection", b"close"), *bare_headers()]
    return {"type": "http.response.start", "status": status, "headers": headers}


def _refusal_body(scope: Scope, code: str, sentence: str) -> tuple[bytes, bytes]:
    if not str(scope.get("path", "")).startswith(API_PREFIX):
        return b"text/plain; charset=utf-8", sentence.encode()
    body = {"code": code, "sentence": sentence.replace("\n", " ").strip(), "fields": []}
    return b"application/json", json.dumps(body, ensure_ascii=False).encode()
