"""What the pages of a game share: its head, its tabs, and who may come in."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from talleyrand import variants
from talleyrand.web.boards import wording

from .models import Game
from .sight import Sight


def entered(request: HttpRequest, key: str) -> Sight:
    """The game as the visitor may see it; one that he may not open does not exist for him."""
    sight = Sight.of(get_object_or_404(Game, key=key), request.user)
    if not sight.may_open:
        raise Http404
    return sight


def page(sight: Sight, tab: str) -> dict[str, Any]:
    """The context of `games/frame.html`; `tab` is board, letters, table or desk."""
    game = sight.game
    variant = variants.load(game.variant)
    return {
        "game": game,
        "sight": sight,
        "tab": tab,
        "variant_title": variant.title[wording.language()],
        "phase_title": wording.phase(variant, game.phase) if game.phase else "",
        "powers": [(code, wording.power(variant, code)) for code in sight.powers],
    }
