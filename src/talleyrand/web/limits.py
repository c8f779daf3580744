"""Refuses a body that is too large before it is read."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 6 * 1024 * 1024
FOR_PROGRAMS = "/api/"
LARGEST_DRAINED = 100 * 1024 * 1024
SENTENCE = (
    "Envoi trop gros : six mégaoctets au plus. Rien n’a été changé.\n"
    "Too large: six megabytes at most. Nothing has been changed.\n"
)


def limit_body(application: Application) -> Application:
    """The same application, which answers 413 to a body announced or found to be too large."""

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


async def _counted(application: Application, scope: Scope, receive: Receive, send: Send) -> None:
    received = 0

    async def counting() -> MutableMapping[str, Any]:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > LARGEST_BODY:
            raise _TooLarge
        return message

    try:
        await application(scope, counting, send)
    except _TooLarge:
        await _refuse(scope, receive, send)


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
    from .settings.security import bare  # the settings are read first

    kind, body = _told(scope)
    headers = [(b"content-type", kind), (b"connection", b"close"), *bare()]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await _drain(receive)
    await send({"type": "http.response.body", "body": b""})


def _told(scope: Scope) -> tuple[bytes, bytes]:
    if not str(scope.get("path", "")).startswith(FOR_PROGRAMS):
        return b"text/plain; charset=utf-8", SENTENCE.encode()
    body = {"code": "too_large", "sentence": SENTENCE.replace("\n", " ").strip(), "fields": []}
    return b"application/json", json.dumps(body, ensure_ascii=False).encode()
