"""Counts what comes from one address, generously: a whole club may sit behind it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from talleyrand.web.common import error_pages, rate_limits
from talleyrand.web.common.visitor_quota import client_address

View = Callable[..., HttpResponse]


def limit_attempts(action: str) -> Callable[[View], View]:
    """Refuse a form from an address that has sent more of them than ATTEMPTS_BY_ADDRESS allows."""

    def counting(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not count_attempt(request, action):
                return error_pages.too_many(request)
            return view(request, *args, **kwargs)

        return guarded

    return counting


def count_attempt(request: HttpRequest, action: str) -> bool:
    """Count one more from the address of a request; whether it has not sent too many."""
    return not rate_limits.hit(action, client_address(request), settings.ATTEMPTS_BY_ADDRESS[action]).wait
