"""The site as an ASGI application."""

from __future__ import annotations

import os
import warnings
from typing import cast

from django.core.asgi import get_asgi_application

from .limits import Application, limit_body

# Static files are small and read in a thread: that their answer is not asynchronous does not matter.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
_pages = cast(Application, get_asgi_application())

from .notices.door import with_streams  # noqa: E402 (models can be imported from here on)

application = limit_body(with_streams(_pages))
