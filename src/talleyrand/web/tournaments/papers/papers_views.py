"""What there is to print and to take away."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.engine.errors import TalleyrandError
from talleyrand.printing import pdf
from talleyrand.tournament import board_rules
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import tournament_context
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import diplomas, paper_texts, photo_archives, visible_event


@never_cache
@require_safe
def papers_page(request: HttpRequest, key: str) -> HttpResponse:
    """All of it for the desk, what is public for everybody else."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    event = visible_event.visible_event(sight)
    context = {
        **tournament_context.tournament_page_context(sight, "desk" if sight.is_at_desk else "papers"),
        "drawn": _drawn(event),
        "pdf": pdf.is_installed(),
        "albums": range(1, len(photo_archives.photo_archive_parts(sight.tournament)) + 1)
        if sight.is_at_desk
        else (),
        "may_take": sight.is_at_desk and not sight.tournament.copied_at and bool(event.rounds),
        **_ranked(sight, event),
    }
    return render(request, "tournaments/papers/papers.html", context)


def _ranked(sight: TournamentViewer, event: Event) -> dict[str, Any]:
    """How far the ranking goes, and the diplomas there are."""
    try:
        held = visible_event.visible_standings_of(sight)
        given = diplomas.given_awards(sight) if sight.is_at_desk else []
    except TalleyrandError as problem:
        return {"unread": paper_texts.refusal_text(problem)}
    return {
        "ranked": bool(held.lines),
        "through": held.through,
        "diplomas": len(given),
        "unsettled": diplomas.unsettled_awards(event, given),
    }


def _drawn(event: Event) -> list[dict[str, Any]]:
    """The rounds that have boards."""
    return [
        {
            "number": number,
            "state": one.state.value,
            "scripted": any(
                board_rules.empty_powers(board) and board_rules.scripted_powers(board.variant)
                for board in one.boards.values()
            ),
        }
        for number, one in sorted(event.rounds.items())
        if one.boards
    ]
