"""The site as an ASGI application."""

from __future__ import annotations

import os

import django

from .limits import limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
django.setup()

from .low_priority import Here, LowPriority  # noqa: E402
from .notices.door import with_streams  # noqa: E402 (models can be imported from here on)
from .settings.databases import AT_ONCE  # noqa: E402
from .threaded import Pages  # noqa: E402
from .watching.counting import requests  # noqa: E402

Here.process = LowPriority()  # begun by whoever serves
application = limit_body(with_streams(Pages(AT_ONCE, Here.process, requests.count)))
