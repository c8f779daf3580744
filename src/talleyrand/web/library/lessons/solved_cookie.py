"""What a browser has solved, in a cookie: no account, and nobody else's."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = "learned"
A_YEAR = 365 * 24 * 3600
MOST = 99


def cookie_name(course: str) -> str:
    """The cookie of a course."""
    return f"{COOKIE}-{course}" if course else COOKIE


def solved_lessons(request: HttpRequest, course: str = "") -> frozenset[int]:
    """The numbers of the boards solved; whatever else the cookie holds counts for nothing."""
    parts = request.COOKIES.get(cookie_name(course), "")[:400].split(".")
    numbers = (int(part) for part in parts if part.isascii() and part.isdigit() and len(part) <= 2)
    return frozenset(number for number in numbers if 1 <= number <= MOST)


def remember_solved(response: HttpResponse, numbers: frozenset[int], course: str = "") -> None:
    response.set_cookie(
        cookie_name(course),
        ".".join(map(str, sorted(numbers))),
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def forget_solved(response: HttpResponse, course: str = "") -> None:
    response.delete_cookie(cookie_name(course), samesite="Lax")
