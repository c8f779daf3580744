"""Pages by Brotli where the browser takes it and the package is there (extra `pdf`), else by gzip.

A page whose map says the outlines of its provinces twice is a quarter smaller so: gzip has forgotten the
first by the time it meets the second.
"""

from __future__ import annotations

import re
import secrets
from importlib.util import find_spec

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

QUALITY = 5
SHORTEST = 1_000  # bytes: what is shorter leaves in one packet as it is
PADDED = ("text/html", "image/svg+xml")  # kinds in which a comment may stand at the end
TAKES_BROTLI = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
_HAS_BROTLI = find_spec("brotli") is not None


class CompressionMiddleware(GZipMiddleware):
    """Compresses what the site writes; static files have been compressed before."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if isinstance(response, HttpResponse) and len(response.content) < SHORTEST:
            return response
        if not (_HAS_BROTLI and isinstance(response, HttpResponse) and _can(request, response)):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        _compress(response)
        return response


def _can(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        not response.has_header("Content-Encoding")
        and response.get("Content-Type", "").partition(";")[0] in PADDED
        and bool(TAKES_BROTLI.search(request.headers.get("Accept-Encoding", "")))
    )


def _compress(response: HttpResponse) -> None:
    import brotli

    content = response.content + _padding()
    response.content = brotli.compress(content, mode=brotli.MODE_TEXT, quality=QUALITY)
    response["Content-Length"] = str(len(response.content))
    response["Content-Encoding"] = "br"
    tag = response.get("ETag", "")
    if tag.startswith('"'):
        response["ETag"] = f"W/{tag}"


def _padding() -> bytes:
    """A comment of random length: the size of a page says nothing of the secrets in it (BREACH).

    Django does the same within the head of what it compresses by gzip.
    """
    return f"<!--{secrets.token_urlsafe(1 + secrets.randbelow(75))}-->".encode()
