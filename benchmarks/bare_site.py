"""A bare view of Django behind the server of the site: python -m benchmarks.bare_site PORT, until ended.

At every address it reads the session and writes one row in one transaction on the database of the site.
"""

from __future__ import annotations

import sys
from typing import Any

from .load_processes import HERE

NAME = "floor"  # of the row, which is there


def bare_view(request: Any) -> Any:
    """Read the session, write a row."""
    from django.db import transaction
    from django.http import HttpResponse
    from django.utils import timezone

    from talleyrand.web.games.models import Heartbeat

    assert request.session["_auth_user_id"]
    with transaction.atomic():
        assert Heartbeat.objects.filter(process_name=NAME).update(last_seen_at=timezone.now())
    return HttpResponse("{}")


def __getattr__(name: str) -> Any:
    """`application`, which the server asks for once the settings are read."""
    if name != "application":
        raise AttributeError(name)
    from django.conf import settings
    from django.urls import re_path

    globals()["urlpatterns"] = [re_path("", bare_view)]
    settings.ROOT_URLCONF = __name__
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.db"  # Django's own
    settings.MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware"]
    from talleyrand.web.limits.thread_pool import ThreadPoolHandler
    from talleyrand.web.settings.databases import REQUEST_THREADS

    return ThreadPoolHandler(REQUEST_THREADS)


def serve(port: int) -> None:
    import django

    from talleyrand.web.server import site_server

    site_server.load_settings(None)
    django.setup()
    site_server.run_asgi(site_server.bind_port(HERE, port), application="benchmarks.bare_site:application")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
