"""What is live as an ASGI application: thousands of streams, one connection to the database for all of them.

Beside the streams it answers whoever watches over this process, and nothing else.
"""

from __future__ import annotations

import os
from typing import cast

from django.core.asgi import get_asgi_application

from talleyrand.web.limits.body_limits import AsgiApplication, Receive, Scope, Send, limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
_site = cast(AsgiApplication, get_asgi_application())

from talleyrand.web.common.security_headers import bare_headers  # noqa: E402
from talleyrand.web.notifications import event_streams, stream_hub  # noqa: E402 (models can be imported from here on)

WATCHED = frozenset({"/health/", "/health.txt", "/metrics/"})
MOST_STREAMS_ALONE = 20_000  # streams, where the process does nothing else


async def _watched(scope: Scope, receive: Receive, send: Send) -> None:
    """The health and the figures of this process; 404 for the rest, which is served elsewhere."""
    if scope["type"] == "http" and scope["path"] in WATCHED:
        await _site(scope, receive, send)
        return
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store"), *bare_headers()]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


stream_hub.MOST_STREAMS = MOST_STREAMS_ALONE
application = limit_body(event_streams.with_event_streams(_watched))
