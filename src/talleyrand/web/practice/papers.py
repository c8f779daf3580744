"""The history of a game as PDF."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from talleyrand.web.boards import files

from . import records
from .models import PracticeGame


def document(request: HttpRequest, game: PracticeGame) -> HttpResponse:
    """The phases played, a page a year; no order in preparation is in it."""
    return files.history_of(request, records.as_json(game), f"talleyrand-{game.variant}")
