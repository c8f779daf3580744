"""Counts what comes from one address, generously: a whole club may sit behind it.

django-allauth would count addresses under a lock that it does not wait for; thirty people who sign in at
once would be refused. Here two at once may count as one, and nobody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from talleyrand.web import errors

View = Callable[..., HttpResponse]


def counted(action: str) -> Callable[[View], View]:
    """Refuse a form from an address that has sent more of them than ATTEMPTS_BY_ADDRESS allows."""

    def counting(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not allowed(request, action):
                return errors.too_many(request)
            return view(request, *args, **kwargs)

        return guarded

    return counting


def allowed(request: HttpRequest, action: str) -> bool:
    """Count one more from the address of a request; whether it has not sent too many."""
    most, seconds = settings.ATTEMPTS_BY_ADDRESS[action]
    key = f"attempts:{action}:{address(request)}:{int(time.time() // seconds)}"
    sent: int = cache.get(key, 0) + 1
    cache.set(key, sent, seconds)
    return sent <= most


def address(request: HttpRequest) -> str:
    """Where a request comes from; of the many addresses that one line has under IPv6, what they share."""
    found = ip_address(get_adapter().get_client_ip(request))
    return str(ip_network((found, 64), strict=False) if isinstance(found, IPv6Address) else found)
