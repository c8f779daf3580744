"""The pages of a large site as an ASGI application: a few threads in each process, a connection for each.

What is live is told by `events`, in a process of its own; here its address answers that there is no stream.
"""

from __future__ import annotations

import os

import django

from talleyrand.web.limits.body_limits import AsgiApplication, limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
django.setup()

from talleyrand.web.games.returning_orders import ReturningOrders  # noqa: E402 (models can be imported from here on)
from talleyrand.web.limits.thread_pool import ThreadPoolHandler  # noqa: E402
from talleyrand.web.monitoring.request_metrics import request_metrics  # noqa: E402


def pages(threads: int) -> AsgiApplication:
    """The application, which answers so many requests at once."""
    return limit_body(
        ThreadPoolHandler(threads, count=request_metrics.observe, returning=ReturningOrders().note)
    )
