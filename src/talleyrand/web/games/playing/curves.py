"""How the powers of a game fared from year to year."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards import curves as drawn
from talleyrand.web.boards.curves import Stage
from talleyrand.web.games import frame
from talleyrand.web.games.models import Game
from talleyrand.web.games.story import first_situation


@never_cache
@require_safe
def curves(request: HttpRequest, key: str) -> HttpResponse:
    """The curves of what was published."""
    sight = frame.entered(request, key)
    game = sight.game
    if not game.number:
        raise Http404
    variant = variants.load(game.variant)
    stages = list(_stages(game))
    begun = stages[0].after if stages and not stages[0].phase else first_situation(variant)
    told = drawn.page(
        variant,
        begun,
        [stage for stage in stages if stage.phase],
        request.GET,
        next(iter(sight.powers), ""),
    )
    return render(request, "games/playing/curves.html", {**frame.page(sight, "board"), **told})


def _stages(game: Game) -> Iterator[Stage]:
    """The phases published, each with the position that the next one began with; first the start."""
    found = game.revisions.filter(current=True).order_by("number")
    told = list(found.values_list("phase", "situation", "after"))
    beginnings = [situation for _phase, situation, _after in told[1:]]
    for (phase, _situation, after), corrected in zip(told, [*beginnings, None], strict=True):
        at = corrected or after or _end(game, phase)
        yield Stage(phase, at)


def _end(game: Game, phase: str) -> dict[str, object]:
    """Where the last phase of a game that is over left it."""
    last = game.revisions.filter(current=True).latest("number")
    return {**(last.answer or {}), "phase": phase}
