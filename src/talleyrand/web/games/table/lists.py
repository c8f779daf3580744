"""Lists of games: one’s own with what waits for one, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games import frame, inbox, states, vacancies
from talleyrand.web.games.deadlines.words import remaining, said
from talleyrand.web.games.models import RUNNING, Game, Role, State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from . import agreement, listing
from .gathering import members

A_PAGE = 20


@dataclass(frozen=True)
class Waiting:
    """One of the reader’s powers in the open phase, and how far its sheet is; None: nothing to decide."""

    power: str
    state: states.Told | None


@never_cache
@require_safe
def everything(request: HttpRequest) -> HttpResponse:
    """All games that this visitor may know of."""
    person = request.user if isinstance(request.user, Person) else None
    show = request.GET.get("show", "")
    show = show if show in listing.SHOWN else "join"
    variant = request.GET.get("variant", "")
    variant = variant if variant in variants.names() else ""
    page = _page(listing.chosen(show, person, variant), request.GET.get("page", ""))
    context = {
        "mine": [_own(game, person) for game in listing.mine(person)] if person else [],
        "show": show,
        "page": page,
        "cards": [_card(game, person) for game in page],
        "variant": variant,
        "variants": wording.variant_titles(),
    }
    return render(request, "games/table/all.html", context)


def _page(games: QuerySet[Game] | list[Game], number: str) -> Page[Game]:
    return Paginator(games, A_PAGE).get_page(number)


def _card(game: Game, person: Person | None) -> dict[str, Any]:
    variant = variants.load(game.variant)
    free = vacancies.to_play(game)
    seats = game.seats.count()
    return {
        "game": game,
        "variant": variant.title[wording.language()],
        "phase": wording.phase(variant, game.phase) if game.phase else "",
        "brief": agreement.brief(game),
        "players": len(members(game, Role.PLAYER)),
        "seats": seats,
        "free": [wording.power(variant, power) for power in free],
        "may_open": Sight(game, person).may_open,
        "winners": [wording.power(variant, power) for power in (game.result or {}).get("powers", ())],
    }


def _own(game: Game, person: Person) -> dict[str, Any]:
    sight = Sight(game, person)
    variant, language = variants.load(game.variant), wording.language()
    due = game.due if game.state == State.PLAYING else None
    return {
        **_card(game, person),
        "sight": sight,
        "role": sight.role,
        "powers": [wording.power(variant, power) for power in sight.powers],
        "waiting": list(_waiting(sight)) if game.state in RUNNING else [],
        "due": due,
        "said": said(due, frame.zone(), language) if due else "",
        "left": remaining(due - timezone.now(), language) if due else "",
    }


def _waiting(sight: Sight) -> Iterable[Waiting]:
    """The powers one orders now, those with something to decide with the state of their sheet."""
    if not sight.acting:
        return
    game = sight.game
    deciding = Story(game).choosers(game.number)
    standing = inbox.standing(game, game.number)
    variant = variants.load(game.variant)
    for power in sight.acting:
        told = states.told(standing[power]) if power in deciding and power in standing else None
        yield Waiting(wording.power(variant, power), told)
