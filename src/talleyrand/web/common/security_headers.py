"""The headers that keep a page to itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# Of a 304 to whoever keeps a page: that page has a nonce of its own, with which its policy stays.
KEEPS_POLICY = "keeps_policy"
# Of an answer that is no page, and loads nothing.
BARE = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
# Where the site has HTTPS, a browser that has been there once asks by nothing else for a year.
STRICT = {"Strict-Transport-Security": "max-age=31536000"}


def fixed_headers() -> dict[str, str]:
    """The headers that every answer carries, whatever it is."""
    return FIXED | STRICT if settings.HTTPS else FIXED


def bare_headers() -> list[tuple[bytes, bytes]]:
    """All of them for what answers beside Django, in bytes."""
    told = {**fixed_headers(), "Content-Security-Policy": BARE}
    return [(name.lower().encode(), value.encode()) for name, value in told.items()]


def security_headers_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Adds the content policy, with a nonce for the style sheet that a drawing carries within it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        nonce = secrets.token_urlsafe(16)
        request.style_nonce = nonce  # type: ignore[attr-defined]
        response = get_response(request)
        if not hasattr(response, KEEPS_POLICY):
            response.headers.setdefault("Content-Security-Policy", POLICY.format(nonce=nonce))
        for name, value in fixed_headers().items():
            response.headers.setdefault(name, value)
        return response

    return middleware
