"""The public pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.tournaments import frame


@never_cache
@require_safe
def welcome(request: HttpRequest, key: str) -> HttpResponse:
    """The announcement."""
    return render(
        request, "tournaments/hall/welcome.html", frame.page(frame.entered(request, key), "welcome")
    )
