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
from talleyrand.web.boards import display_names
from talleyrand.web.games import open_seats, order_state_labels, order_submission, page_context
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, time_left_text
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership, GameRole, GameSeat, GameState
from talleyrand.web.games.viewer_permissions import GameViewer

from . import game_lists, game_settings_texts

GAMES_A_PAGE = 20


@dataclass(frozen=True)
class PowerStatus:
    """One of the reader’s powers in the open phase, and how far its sheet is; None: nothing to decide."""

    power: str
    state: order_state_labels.OrderStateLabel | None


@never_cache
@require_safe
def game_list_page(request: HttpRequest) -> HttpResponse:
    """All games that this visitor may know of."""
    person = request.user if isinstance(request.user, Person) else None
    show = request.GET.get("show", "")
    show = show if show in game_lists.LIST_NAMES else "join"
    variant = request.GET.get("variant", "")
    variant = variant if variant in variants.playable_names() else ""
    page = _page(game_lists.listed_games(show, person, variant), request.GET.get("page", ""))
    own = _page(game_lists.games_of_person(person), request.GET.get("own", "")) if person else None
    shelf = GameCards.of([*page, *(own or ())], person)
    context = {
        "own": own,
        "mine": [shelf.own_card_of(game) for game in own or ()],
        "show": show,
        "page": page,
        "cards": [shelf.card_of(game) for game in page],
        "variant": variant,
        "variants": display_names.variant_titles(),
    }
    return render(request, "games/lobby/all.html", context)


def _page(games: QuerySet[Game] | game_lists.ChainedGames, number: str) -> Page[Game]:
    return Paginator(games, GAMES_A_PAGE).get_page(number)


@dataclass(frozen=True)
class GameCards:
    """What the cards of games tell their reader, read for all of them at once."""

    person: Person | None
    roles: dict[int, str]
    players: dict[int, int]
    seat_counts: dict[int, int]
    open_powers: dict[int, tuple[str, ...]]

    @classmethod
    def of(cls, games: list[Game], person: Person | None) -> GameCards:
        here = GameMembership.objects.filter(game__in=games, left_at=None)
        roles = here.filter(person=person).values_list("game", "role") if person else ()
        players = here.filter(role=GameRole.PLAYER).values_list("game").annotate(Count("pk")).order_by()
        seats = GameSeat.objects.filter(game__in=games).values_list("game").annotate(Count("pk")).order_by()
        return cls(person, dict(roles), dict(players), dict(seats), open_seats.open_powers_of_games(games))

    def card_of(self, game: Game) -> dict[str, Any]:
        variant = variants.load(game.variant)
        return {
            **self._plain(game),
            "brief": game_settings_texts.settings_summary(game),
            "free": [display_names.power_name(variant, power) for power in self.open_powers.get(game.pk, ())],
            "may_open": self._sight(game).may_open,
            "winners": [
                display_names.power_name(variant, power) for power in (game.result or {}).get("powers", ())
            ],
        }

    def own_card_of(self, game: Game) -> dict[str, Any]:
        """The card of a game in which the reader has a role."""
        sight, language = self._sight(game), display_names.reader_language()
        due = game.deadline if game.state == GameState.PLAYING else None
        return {
            **self._plain(game),
            "sight": sight,
            "role": sight.role,
            "waiting": list(_waiting(sight)) if game.state in RUNNING_STATES else [],
            "due": due,
            "said": date_text_with_zone(due, page_context.reader_time_zone(), language) if due else "",
            "left": time_left_text(due - timezone.now(), language) if due else "",
        }

    def _sight(self, game: Game) -> GameViewer:
        sight = GameViewer(game, self.person)
        sight.role = self.roles.get(game.pk, "")
        return sight

    def _plain(self, game: Game) -> dict[str, Any]:
        variant = variants.load(game.variant)
        return {
            "game": game,
            "variant": variant.title[display_names.reader_language()],
            "phase": display_names.phase_name(variant, game.phase) if game.phase else "",
            "players": self.players.get(game.pk, 0),
            "seats": self.seat_counts.get(game.pk, 0),
        }


def _waiting(sight: GameViewer) -> Iterable[PowerStatus]:
    """The powers one orders now, those with something to decide with the state of their sheet."""
    if not sight.orderable_powers:
        return
    game = sight.game
    deciding = GameHistory(game).deciding_powers(game.phase_number)
    standing = order_submission.order_states(game, game.phase_number)
    variant = variants.load(game.variant)
    for power in sight.orderable_powers:
        told = (
            order_state_labels.order_state_label(standing[power])
            if power in deciding and power in standing
            else None
        )
        yield PowerStatus(display_names.power_name(variant, power), told)
