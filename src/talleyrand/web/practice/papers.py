"""The history of a game as PDF."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse

from talleyrand.formats.records import read_record
from talleyrand.web.boards import files

from . import records
from .models import PracticeGame


def document(request: HttpRequest, game: PracticeGame) -> HttpResponse:
    """The phases played, a page a year; no order in preparation is in it."""
    record = records.as_json(game)
    told = json.dumps(record, sort_keys=True)
    return files.history_of(request, read_record(record), told, f"talleyrand-{game.variant}")
