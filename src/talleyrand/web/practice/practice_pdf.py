"""The history of a game as PDF."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from talleyrand.web.boards import file_downloads

from . import practice_records
from .models import PracticeGame


def practice_history_pdf(request: HttpRequest, game: PracticeGame) -> HttpResponse:
    """The phases played, a page a year; no order in preparation is in it."""
    return file_downloads.history_pdf_response(
        request, practice_records.practice_record_json(game), f"talleyrand-{game.variant}"
    )
