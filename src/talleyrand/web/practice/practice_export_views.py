"""A game or a phase as a file to keep."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from talleyrand.web.boards import file_downloads

from . import practice_access, practice_pdf, practice_record_text, practice_records
from .models import PracticeGame
from .practice_board import PracticeBoard


@require_safe
def practice_map_file(request: HttpRequest, key: str, number: int, form: str) -> HttpResponse:
    return _picture(request, PracticeBoard(practice_access.own_game_or_404(key), number, is_owner=True), form)


@require_safe
def shared_practice_map_file(request: HttpRequest, shared: str, number: int, form: str) -> HttpResponse:
    return _picture(
        request, PracticeBoard(practice_access.shared_game_or_404(shared), number, is_owner=False), form
    )


def _picture(request: HttpRequest, desk: PracticeBoard, form: str) -> HttpResponse:
    if form not in ("png", "svg") or not 1 <= desk.phase_number <= desk.history.open_phase_number:
        raise Http404
    return file_downloads.map_download(
        request, desk.phase_map, f"talleyrand-{desk.game.variant}-{desk.phase_code}", form
    )


@require_safe
def practice_record_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    return _record(request, practice_access.own_game_or_404(key), form)


@require_safe
def shared_practice_record_file(request: HttpRequest, shared: str, form: str) -> HttpResponse:
    return _record(request, practice_access.shared_game_or_404(shared), form)


def _record(request: HttpRequest, game: PracticeGame, form: str) -> HttpResponse:
    if form == "pdf":
        return practice_pdf.practice_history_pdf(request, game)
    name = f"talleyrand-{game.variant}.{form}"
    if form == "txt":
        return file_downloads.download_response(
            practice_record_text.practice_record_text(game), "text/plain; charset=utf-8", name
        )
    if form == "json":
        text = json.dumps(practice_records.practice_record_json(game), ensure_ascii=False, indent=1) + "\n"
        return file_downloads.download_response(text, "application/json; charset=utf-8", name)
    raise Http404
