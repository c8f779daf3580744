"""Keeps the tie between a session and the device that was registered in it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from . import devices


def device_session_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """After each answer: a session may have got another key in it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.session.modified:
            devices.follow_session_key(request)
        return response

    return middleware
