"""Lists of games: one’s own with what waits for one, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games import frame, inbox, seen, states, vacancies
from talleyrand.web.games.deadlines.words import remaining, said
from talleyrand.web.games.models import OVER, RUNNING, Game, Membership, Role, Seat, State, Tenure
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from . import agreement
from .gathering import members

A_PAGE = 20
SHOWN = ("join", "watch", "ended")


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
    show = show if show in SHOWN else "join"
    variant = request.GET.get("variant", "")
    variant = variant if variant in variants.names() else ""
    page = _page(_chosen(show, person, variant), request.GET.get("page", ""))
    context = {
        "mine": [_own(game, person) for game in _mine(person)] if person else [],
        "show": show,
        "page": page,
        "cards": [_card(game, person) for game in page],
        "variant": variant,
        "variants": wording.variant_titles(),
    }
    return render(request, "games/table/all.html", context)


def _page(games: QuerySet[Game] | list[Game], number: str) -> Page[Game]:
    return Paginator(games, A_PAGE).get_page(number)


def _mine(person: Person) -> list[Game]:
    """The games in which somebody has a role now, the most urgent first."""
    found = Game.objects.filter(memberships__person=person, memberships__left=None).exclude(state__in=OVER)
    return sorted(found, key=lambda game: (game.due is None, game.due or game.created))


def _chosen(show: str, person: Person | None, variant: str) -> QuerySet[Game] | list[Game]:
    if show == "join":
        return [*_calling(person, variant), *_gathering(person, variant)]
    known = seen.games(person).order_by("-pk")
    known = known.filter(variant=variant) if variant else known
    if show == "ended":
        return known.filter(state__in=OVER, number__gt=0)
    return seen.watchable(known).filter(state__in=RUNNING)


def _gathering(person: Person | None, variant: str) -> Iterable[Game]:
    """Games in which a seat is left."""
    sitting = Q(memberships__role=Role.PLAYER, memberships__left=None)
    counted = _strange(person, variant).annotate(
        sitting=Count("memberships", filter=sitting, distinct=True), places=Count("seats", distinct=True)
    )
    return counted.filter(state=State.GATHERING, sitting__lt=F("places"))


def _calling(person: Person | None, variant: str) -> Iterable[Game]:
    """Games that run and look for somebody to play a power that nobody plays."""
    played = Tenure.objects.filter(seat=OuterRef("pk"), until=None).exclude(person=None)
    free = Seat.objects.filter(~Exists(played), game=OuterRef("pk"))
    found = _strange(person, variant).filter(Exists(free), state__in=RUNNING)
    return [game for game in found if vacancies.to_play(game)]


def _strange(person: Person | None, variant: str) -> QuerySet[Game]:
    """Listed games in which one neither plays nor leads."""
    found = Game.objects.filter(listed=True).order_by("-pk")
    found = found.filter(variant=variant) if variant else found
    if person is None:
        return found
    busy = Membership.objects.filter(person=person, left=None).exclude(role=Role.OBSERVER)
    return found.exclude(pk__in=busy.values("game"))


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
