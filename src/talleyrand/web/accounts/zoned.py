"""Times are shown in the zone of whoever reads."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from . import time_zones
from .models import Person


class TimeZoneMiddleware:
    """Activates the zone of the person signed in while a page is made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(self, request: HttpRequest, *_arguments: object) -> None:
        if isinstance(request.user, Person):
            timezone.activate(time_zones.zone_named(request.user.time_zone))
