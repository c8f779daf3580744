"""Lists of games: one’s own with what waits for one, those to join, to watch, and the ended ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
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
from talleyrand.web.games.models import RUNNING, Game, Membership, Role, Seat, State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story

from . import agreement, listing

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
    own = _page(listing.mine(person), request.GET.get("own", "")) if person else None
    shelf = Shelf.of([*page, *(own or ())], person)
    context = {
        "own": own,
        "mine": [shelf.own(game) for game in own or ()],
        "show": show,
        "page": page,
        "cards": [shelf.card(game) for game in page],
        "variant": variant,
        "variants": wording.variant_titles(),
    }
    return render(request, "games/table/all.html", context)


def _page(games: QuerySet[Game] | listing.Joined, number: str) -> Page[Game]:
    return Paginator(games, A_PAGE).get_page(number)


@dataclass(frozen=True)
class Shelf:
    """What the cards of games tell their reader, read for all of them at once."""

    person: Person | None
    roles: dict[int, str]
    players: dict[int, int]
    seats: dict[int, int]
    free: dict[int, tuple[str, ...]]

    @classmethod
    def of(cls, games: list[Game], person: Person | None) -> Shelf:
        here = Membership.objects.filter(game__in=games, left=None)
        roles = here.filter(person=person).values_list("game", "role") if person else ()
        players = here.filter(role=Role.PLAYER).values_list("game").annotate(Count("pk")).order_by()
        seats = Seat.objects.filter(game__in=games).values_list("game").annotate(Count("pk")).order_by()
        return cls(person, dict(roles), dict(players), dict(seats), vacancies.to_play_of(games))

    def card(self, game: Game) -> dict[str, Any]:
        variant = variants.load(game.variant)
        return {
            **self._plain(game),
            "brief": agreement.brief(game),
            "free": [wording.power(variant, power) for power in self.free.get(game.pk, ())],
            "may_open": self._sight(game).may_open,
            "winners": [wording.power(variant, power) for power in (game.result or {}).get("powers", ())],
        }

    def own(self, game: Game) -> dict[str, Any]:
        """The card of a game in which the reader has a role."""
        sight, language = self._sight(game), wording.language()
        due = game.due if game.state == State.PLAYING else None
        return {
            **self._plain(game),
            "sight": sight,
            "role": sight.role,
            "waiting": list(_waiting(sight)) if game.state in RUNNING else [],
            "due": due,
            "said": said(due, frame.zone(), language) if due else "",
            "left": remaining(due - timezone.now(), language) if due else "",
        }

    def _sight(self, game: Game) -> Sight:
        sight = Sight(game, self.person)
        sight.role = self.roles.get(game.pk, "")
        return sight

    def _plain(self, game: Game) -> dict[str, Any]:
        variant = variants.load(game.variant)
        return {
            "game": game,
            "variant": variant.title[wording.language()],
            "phase": wording.phase(variant, game.phase) if game.phase else "",
            "players": self.players.get(game.pk, 0),
            "seats": self.seats.get(game.pk, 0),
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
