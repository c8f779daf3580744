"""What is live as an ASGI application: thousands of streams, one connection to the database for all of them.

Beside the streams it answers whoever watches over this process, and nothing else.
"""

from __future__ import annotations

import os
from typing import cast

from django.core.asgi import get_asgi_application

from .limits import Application, Receive, Scope, Send, limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
_site = cast(Application, get_asgi_application())

from .notices import door, hub  # noqa: E402 (models can be imported from here on)
from .settings.security import bare  # noqa: E402

WATCHED = frozenset({"/health/", "/health.txt", "/metrics/"})
MOST = 20_000  # streams, where the process does nothing else


async def _watched(scope: Scope, receive: Receive, send: Send) -> None:
    """The health and the figures of this process; 404 for the rest, which is served elsewhere."""
    if scope["type"] == "http" and scope["path"] in WATCHED:
        await _site(scope, receive, send)
        return
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store"), *bare()]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


hub.MOST_STREAMS = MOST
application = limit_body(door.with_streams(_watched))
