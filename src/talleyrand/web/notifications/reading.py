"""News that somebody has seen: whoever opens what they lead to has read them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from talleyrand.web.accounts.models import Person

from . import outbox


def mark_read_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Marks the news that lead to the page which their reader opens."""

    def middleware(request: HttpRequest) -> HttpResponse:
        reader = request.user
        if _is_opened(request) and isinstance(reader, Person) and not reader.is_guest:
            outbox.mark_opened(reader, outbox.path_without_language(request.path))
        return get_response(request)

    return middleware


def _is_opened(request: HttpRequest) -> bool:
    """By a reader: not fetched beforehand by the browser, nor by a script."""
    fetched = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"
    return request.method == "GET" and not fetched and "Sec-Purpose" not in request.headers
