"""Whole addresses, for what leaves the site: links that are shared, pictures that others fetch."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from talleyrand.web.common import network

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


def absolute_url(request: HttpRequest, path: str) -> str:
    """The address under which others reach a path: the site's own name, or the one it was asked by.

    Whoever looks at a site of a local network on the machine it runs on sees `localhost`, which leads a phone
    to itself: others are told an address of the machine.
    """
    named: str = settings.SITE_URL
    if named:
        return f"{named}{path}"
    here = urlsplit(f"//{request.get_host()}").hostname in LOOPBACK_HOSTS
    outer = network.lan_addresses() if here and settings.LAN else ()
    return f"{url_at_host(request, outer[0])}{path}" if outer else request.build_absolute_uri(path)


def url_at_host(request: HttpRequest, host: str) -> str:
    """The site under another of its machine's addresses, by the same port: `http://192.168.1.20:8000`."""
    port = urlsplit(f"//{request.get_host()}").port
    return f"{request.scheme}://{network.host_in_url(host)}{f':{port}' if port else ''}"
