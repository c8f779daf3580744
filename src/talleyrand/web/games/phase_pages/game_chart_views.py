"""How the powers of a game fared from year to year."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards import year_chart as drawn
from talleyrand.web.games import game_history, page_context


@never_cache
@require_safe
def game_chart_page(request: HttpRequest, key: str) -> HttpResponse:
    """The curves of what was published."""
    sight = page_context.game_viewer_of_page(request, key)
    game = sight.game
    if not game.phase_number:
        raise Http404
    begun, stages = game_history.chart_phases(game)
    told = drawn.year_chart_context(
        variants.load(game.variant),
        begun,
        stages,
        request.GET,
        next(iter(sight.powers), ""),
        game_history.phase_url_of(game) if sight.is_game_over else None,
    )
    return render(
        request, "games/phase_pages/curves.html", {**page_context.game_page_context(sight, "board"), **told}
    )
