"""Whole addresses, for what leaves the site: links that are shared, pictures that others fetch."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str) -> str:
    """The address under which the world reaches a path: the site's own name, or the one it was asked by."""
    named: str = settings.ADDRESS
    return f"{named}{path}" if named else request.build_absolute_uri(path)
