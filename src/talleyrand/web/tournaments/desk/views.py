"""The desk's first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.tournaments import frame


@never_cache
@require_safe
def desk(request: HttpRequest, key: str) -> HttpResponse:
    """What there is to do now."""
    return render(request, "tournaments/desk/desk.html", frame.page(frame.desk(request, key), "desk"))
