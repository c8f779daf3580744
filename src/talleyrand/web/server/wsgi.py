"""The pages as a WSGI application: a thread for each request under way, a connection for each thread.

What is live is told by `events`, in a process of its own; here its address answers that there is no stream.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.db import connections

from talleyrand.web.limits.body_limits import LARGEST_BODY, LARGEST_DRAINED, TOO_LARGE_TEXT

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WsgiApplication = Callable[[Environ, StartResponse], Iterable[bytes]]

KEPT = 60  # seconds that a thread keeps its connection for the next request
CHUNK = 1024 * 1024

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")


def limit_body(pages: WsgiApplication) -> WsgiApplication:
    """The same application, which answers 413 to a body announced to be too large.

    Of one that is not announced nothing is read.
    """

    def limited(environ: Environ, start: StartResponse) -> Iterable[bytes]:
        announced = str(environ.get("CONTENT_LENGTH") or "0")
        if announced.isdigit() and int(announced) > LARGEST_BODY:
            return _refuse(environ, start)
        return pages(environ, start)

    return limited


def _refuse(environ: Environ, start: StartResponse) -> Iterable[bytes]:
    """Once the rest has gone by: a browser that is cut off while it sends never hears the answer."""
    from talleyrand.web.common.security_headers import bare_headers

    passed = 0
    while passed < LARGEST_DRAINED and (chunk := environ["wsgi.input"].read(CHUNK)):
        passed += len(chunk)
    own = [(name.decode(), value.decode()) for name, value in bare_headers()]
    headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close"), *own]
    start("413 Content Too Large", headers)
    return [TOO_LARGE_TEXT.encode()]


def _pages() -> WsgiApplication:
    pages: WsgiApplication = get_wsgi_application()
    connections.settings["default"]["CONN_MAX_AGE"] = KEPT
    connections.settings["default"]["CONN_HEALTH_CHECKS"] = True
    return pages


application = limit_body(_pages())
