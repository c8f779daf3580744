"""The site as an ASGI application."""

from __future__ import annotations

import os
import sys

import django

from talleyrand.web.limits.body_limits import limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
django.setup()

from talleyrand.web.games.returning_orders import ReturningOrders  # noqa: E402 (models can be imported from here on)
from talleyrand.web.limits.low_priority import LowPriorityProcess, LowPriorityWork  # noqa: E402
from talleyrand.web.limits.thread_pool import ThreadPoolHandler  # noqa: E402
from talleyrand.web.monitoring.request_metrics import request_metrics  # noqa: E402
from talleyrand.web.notifications.event_streams import with_event_streams  # noqa: E402
from talleyrand.web.settings.databases import REQUEST_THREADS  # noqa: E402

# After each answer of the database a request waits until the other threads let it go on: 5 ms each, as Python
# has it, so that orders, which ask a dozen times, would wait for every page that is made meanwhile.
sys.setswitchinterval(0.0005)
LowPriorityWork.process = LowPriorityProcess()  # begun by whoever serves
application = limit_body(
    with_event_streams(
        ThreadPoolHandler(
            REQUEST_THREADS, LowPriorityWork.process, request_metrics.observe, ReturningOrders().note
        )
    )
)
