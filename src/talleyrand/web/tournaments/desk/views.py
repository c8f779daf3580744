"""The desk's first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.tournaments import tournament_context


@never_cache
@require_safe
def unused_desk_page(request: HttpRequest, key: str) -> HttpResponse:
    """What there is to do now."""
    return render(
        request,
        "tournaments/desk/desk.html",
        tournament_context.tournament_page_context(
            tournament_context.tournament_viewer_at_desk(request, key), "desk"
        ),
    )
