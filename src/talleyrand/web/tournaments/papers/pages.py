"""What there is to print and to take away."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.printing import pdf
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import frame


@never_cache
@require_safe
def papers(request: HttpRequest, key: str) -> HttpResponse:
    """All of it for the desk, what is public for everybody else."""
    sight = frame.entered(request, key)
    event = sight.event if sight.at_desk else sight.shown
    context = {**frame.page(sight, "papers"), "drawn": _drawn(event), "pdf": pdf.installed()}
    return render(request, "tournaments/papers/papers.html", context)


def _drawn(event: Event) -> list[dict[str, Any]]:
    """The rounds that have boards."""
    return [
        {"number": number, "state": one.state.value, "boards": len(one.boards)}
        for number, one in sorted(event.rounds.items())
        if one.boards
    ]
