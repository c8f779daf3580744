"""How the powers of a practice game fared from year to year."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.boards import year_chart as drawn
from talleyrand.web.boards.turning_points import ChartPhase
from talleyrand.web.boards.year_chart import CHART_FIELDS

from . import practice_access
from .models import PracticeGame


@never_cache
@require_safe
def practice_chart_page(request: HttpRequest, key: str = "", shared: str = "") -> HttpResponse:
    game = practice_access.game_or_404(key, shared)
    back = reverse("practice:board", args=[key]) if key else reverse("practice:shared", args=[shared])
    variant = variants.load(game.variant)
    told = drawn.year_chart_context(
        variant,
        game.start_situation,
        list(_stages(game)),
        request.GET,
        game.played_power,
        lambda number: f"{back}{number}/",
    )
    context = {**told, "back": back, "variant_title": variant.title[display_names.reader_language()]}
    return render(request, "practice/curves.html", context)


def _stages(game: PracticeGame) -> Iterator[ChartPhase]:
    """The phases played; of each answer no more is read than the position."""
    wanted = [f"answer__{name}" for name in ("next", *CHART_FIELDS[1:])]
    turns = list(game.turns.order_by("phase_number").values_list("phase", "situation", *wanted))
    changed = [situation for _phase, situation, *_answer in turns[1:]]
    for (phase, _own, following, *position), other in zip(turns, [*changed, None], strict=False):
        told = {**dict(zip(CHART_FIELDS[1:], position, strict=True)), "phase": following or phase}
        yield ChartPhase(phase, {**told, **(other or {})})
