"""How the powers of a game fared from year to year."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards import year_chart as drawn
from talleyrand.web.boards.year_chart import ChartPhase
from talleyrand.web.games import page_context
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.games.models import Game


@never_cache
@require_safe
def game_chart_page(request: HttpRequest, key: str) -> HttpResponse:
    """The curves of what was published."""
    sight = page_context.game_viewer_of_page(request, key)
    game = sight.game
    if not game.phase_number:
        raise Http404
    variant = variants.load(game.variant)
    stages = list(_stages(game))
    begun = (
        stages[0].next_situation
        if stages and not stages[0].phase
        else initial_situation(variant, game.settings)
    )
    told = drawn.year_chart_context(
        variant,
        begun,
        [stage for stage in stages if stage.phase],
        request.GET,
        next(iter(sight.powers), ""),
    )
    return render(
        request, "games/phase_pages/curves.html", {**page_context.game_page_context(sight, "board"), **told}
    )


def _stages(game: Game) -> Iterator[ChartPhase]:
    """The phases published, each with the position that the next one began with; first the start."""
    found = game.revisions.filter(is_current=True).order_by("phase_number")
    told = list(found.values_list("phase", "situation", "next_situation"))
    beginnings = [situation for _phase, situation, _after in told[1:]]
    for (phase, _situation, after), corrected in zip(told, [*beginnings, None], strict=True):
        at = corrected or after or _end(game, phase)
        yield ChartPhase(phase, at)


def _end(game: Game, phase: str) -> dict[str, object]:
    """Where the last phase of a game that is over left it."""
    last = game.revisions.filter(is_current=True).latest("phase_number")
    return {**(last.answer or {}), "phase": phase}
