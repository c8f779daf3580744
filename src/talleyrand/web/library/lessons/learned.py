"""What a browser has solved, in a cookie: no account, and nobody else's."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = "learned"
A_YEAR = 365 * 24 * 3600
MOST = 99


def solved(request: HttpRequest) -> frozenset[int]:
    """The numbers of the boards solved; whatever else the cookie holds counts for nothing."""
    parts = request.COOKIES.get(COOKIE, "")[:400].split(".")
    numbers = (int(part) for part in parts if part.isascii() and part.isdigit() and len(part) <= 2)
    return frozenset(number for number in numbers if 1 <= number <= MOST)


def remember(response: HttpResponse, numbers: frozenset[int]) -> None:
    response.set_cookie(
        COOKIE,
        ".".join(map(str, sorted(numbers))),
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def forget(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
