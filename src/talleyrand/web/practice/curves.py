"""How the powers of a practice game fared from year to year."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.boards import curves as drawn
from talleyrand.web.boards import wording
from talleyrand.web.boards.curves import FIELDS, Stage

from . import visits
from .models import PracticeGame


@never_cache
@require_safe
def curves(request: HttpRequest, key: str) -> HttpResponse:
    return _shown(request, visits.own(key), reverse("practice:board", args=[key]))


@never_cache
@require_safe
def shared_curves(request: HttpRequest, shared: str) -> HttpResponse:
    return _shown(request, visits.shared(shared), reverse("practice:shared", args=[shared]))


def _shown(request: HttpRequest, game: PracticeGame, back: str) -> HttpResponse:
    variant = variants.load(game.variant)
    told = drawn.page(variant, game.start, _stages(game), request.GET, game.plays)
    context = {**told, "back": back, "variant_title": variant.title[wording.language()]}
    return render(request, "practice/curves.html", context)


def _stages(game: PracticeGame) -> Iterator[Stage]:
    """The phases played; of each answer no more is read than the position."""
    wanted = [f"answer__{name}" for name in ("next", *FIELDS[1:])]
    for phase, following, *position in game.turns.order_by("number").values_list("phase", *wanted):
        yield Stage(phase, {**dict(zip(FIELDS[1:], position, strict=True)), "phase": following or phase})
