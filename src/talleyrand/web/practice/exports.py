"""A game or a phase as a file to keep."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from talleyrand.web.boards import files

from . import papers, records, texts, visits
from .board import Desk
from .models import PracticeGame


@require_safe
def picture(request: HttpRequest, key: str, number: int, form: str) -> HttpResponse:
    return _picture(request, Desk(visits.own(key), number, owner=True), form)


@require_safe
def shared_picture(request: HttpRequest, shared: str, number: int, form: str) -> HttpResponse:
    return _picture(request, Desk(visits.shared(shared), number, owner=False), form)


def _picture(request: HttpRequest, desk: Desk, form: str) -> HttpResponse:
    if form not in ("png", "svg") or not 1 <= desk.number <= desk.story.current:
        raise Http404
    return files.picture(request, desk.sketch, f"talleyrand-{desk.game.variant}-{desk.code}", form)


@require_safe
def record(request: HttpRequest, key: str, form: str) -> HttpResponse:
    return _record(request, visits.own(key), form)


@require_safe
def shared_record(request: HttpRequest, shared: str, form: str) -> HttpResponse:
    return _record(request, visits.shared(shared), form)


def _record(request: HttpRequest, game: PracticeGame, form: str) -> HttpResponse:
    if form == "pdf":
        return papers.document(request, game)
    name = f"talleyrand-{game.variant}.{form}"
    if form == "txt":
        return files.file(texts.as_text(game), "text/plain; charset=utf-8", name)
    if form == "json":
        text = json.dumps(records.as_json(game), ensure_ascii=False, indent=1) + "\n"
        return files.file(text, "application/json; charset=utf-8", name)
    raise Http404
