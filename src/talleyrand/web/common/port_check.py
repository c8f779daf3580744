"""The port in the address that a browser asks by: one by which the site is reached.

Django looks at the name alone. A port that the sender chose would stand in the links that leave the site, and
lead to whatever listens there.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port

USUAL = ("80", "443")


def port_check_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuses another one, as another name is refused."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _name, asked = split_domain_port(request.get_host())
        if asked and asked not in {
            *USUAL,
            str(request.META.get("SERVER_PORT")),
            *map(str, settings.ALLOWED_PORTS),
        }:
            raise DisallowedHost
        return get_response(request)

    return middleware
