"""What there is to print and to take away."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.printing import pdf
from talleyrand.tournament import boards
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import frame
from talleyrand.web.tournaments.sight import Sight

from . import albums, diplomas, looking, words


@never_cache
@require_safe
def papers(request: HttpRequest, key: str) -> HttpResponse:
    """All of it for the desk, what is public for everybody else."""
    sight = frame.entered(request, key)
    event = looking.event_of(sight)
    context = {
        **frame.page(sight, "desk" if sight.at_desk else "papers"),
        "drawn": _drawn(event),
        "pdf": pdf.installed(),
        "albums": range(1, len(albums.shares(sight.tournament)) + 1) if sight.at_desk else (),
        "may_take": sight.at_desk and not sight.tournament.copied and bool(event.rounds),
        **_ranked(sight, event),
    }
    return render(request, "tournaments/papers/papers.html", context)


def _ranked(sight: Sight, event: Event) -> dict[str, Any]:
    """How far the ranking goes, and the diplomas there are."""
    try:
        held = looking.standings_of(sight)
        given = diplomas.awards_of(sight) if sight.at_desk else []
    except TalleyrandError as problem:
        return {"unread": words.refusal(problem)}
    return {
        "ranked": bool(held.lines),
        "through": held.through,
        "diplomas": len(given),
        "unsettled": diplomas.unsettled(event, given),
    }


def _drawn(event: Event) -> list[dict[str, Any]]:
    """The rounds that have boards."""
    return [
        {
            "number": number,
            "state": one.state.value,
            "scripted": any(
                boards.empty(board) and boards.scripted_of(board.variant) for board in one.boards.values()
            ),
        }
        for number, one in sorted(event.rounds.items())
        if one.boards
    ]
