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
from talleyrand.variants import Variant
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import open_seats, order_state_labels, order_submission, page_context
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, time_left_text
from talleyrand.web.games.finding_models import SavedSearch
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, DelayedGame, Game, GameState
from talleyrand.web.games.viewer_permissions import GameViewer

from . import blocked_players, game_lists, game_settings_texts, player_queues, saved_searches
from .game_filters import GameFilter, GameFilterForm

GAMES_A_PAGE = 20
PARTS = ("centers", "units", "dislodged")  # of a position


@dataclass(frozen=True)
class PowerStatus:
    """One of the reader’s powers in the open phase, and how far its sheet is; None: nothing to decide."""

    power: str
    state: order_state_labels.OrderStateLabel | None


@dataclass(frozen=True)
class OpenSeat:
    """A power that nobody plays, or a bot that leaves its seat to whoever comes, and what it has left."""

    name: str
    is_bots: bool
    centres: int
    units: int


@never_cache
@require_safe
def game_list_page(request: HttpRequest) -> HttpResponse:
    """All games that this visitor may know of."""
    person = request.user if isinstance(request.user, Person) else None
    show = request.GET.get("show", "")
    show = show if show in game_lists.LIST_NAMES else "join"
    wanted = GameFilter.from_values(request.GET)
    own = _page(game_lists.games_of_person(person), request.GET.get("own", "")) if person else None
    past = _page(game_lists.ended_games_of_person(person), request.GET.get("past", "")) if person else None
    page, cards = _listed(show, person, wanted, request.GET.get("page", ""), list(own or ()))
    context = {
        "own": own,
        "mine": [cards.own_card_of(game) for game in own or ()],
        "past": past,
        "past_games": [_ended_row(game) for game in past or ()],
        "show": show,
        "page": page,
        "cards": [cards.card_of(game) for game in page],
        "with_blocked": blocked_players.games_with_blocked(list(page), person),
        "filter": GameFilterForm(wanted.chosen),
        "wanted": wanted,
        "searches": _searches(person) if person else [],
        "queues": player_queues.queue_statuses(person, timezone.now()) if show == "join" else [],
        "also": f"&{wanted.query}" if wanted.chosen else "",
    }
    return render(request, "games/lobby/all.html", context)


def _searches(person: Person) -> list[tuple[int, GameFilter]]:
    kept = SavedSearch.objects.filter(person=person)
    return [(one.pk, saved_searches.filter_of(one)) for one in kept]


def _ended_row(game: Game) -> dict[str, Any]:
    variant = variants.load(game.variant)
    return {
        "game": game,
        "variant": variant.title[display_names.reader_language()],
        "winners": _winners(game),
    }


def _winners(game: Game) -> list[str]:
    variant = variants.load(game.variant)
    return [display_names.power_name(variant, power) for power in (game.result or {}).get("powers", ())]


def _listed(
    show: str, person: Person | None, wanted: GameFilter, number: str, own: list[Game]
) -> tuple[Page[Game], GameCards]:
    """A page of a list, and the cards of its games and of one’s own, read together."""
    if show not in ("join", "seats"):
        page = _page(game_lists.listed_games(show, person, wanted), number)
        return page, GameCards.for_games([*own, *page], person)
    called = game_lists.games_that_call(person, wanted)
    cards = GameCards.for_games([*own, *called], person)
    calling = [game for game in called if game.pk in cards.open_powers]
    return _page(game_lists.games_to_join(show, person, wanted, calling), number), cards


def _page(games: QuerySet[Game] | game_lists.ChainedGames, number: str) -> Page[Game]:
    """A page of games; how many there are is asked for where there is more than one alone."""
    if number not in ("", "1"):
        return Paginator(games, GAMES_A_PAGE).get_page(number)
    first = list(games[: GAMES_A_PAGE + 1])
    return Page(
        first[:GAMES_A_PAGE], 1, Paginator(games if len(first) > GAMES_A_PAGE else first, GAMES_A_PAGE)
    )


def own_game_cards(person: Person, most: int) -> list[dict[str, Any]]:
    """The cards of the games in which somebody has a role now, the most urgent first."""
    games = list(game_lists.games_of_person(person)[:most])
    cards = GameCards.for_games(games, person)
    return [cards.own_card_of(game) for game in games]


@dataclass(frozen=True)
class GameCards:
    """What the cards of games tell their reader, read for all of them at once."""

    person: Person | None
    seats: open_seats.SeatsOfGames
    open_phases: open_seats.RevisionsOfGames
    open_powers: dict[int, tuple[str, ...]]

    @classmethod
    def for_games(cls, games: list[Game], person: Person | None) -> GameCards:
        seats = open_seats.seats_of_games([game for game in games if game.state in RUNNING_STATES])
        mine = person.pk if person else 0
        asked = [
            game
            for game in games
            if open_seats.seats_to_take(game, seats.get(game.pk, ()))
            or any(mine in one.holders for one in seats.get(game.pk, ()))
        ]
        phases = open_seats.open_phases_of_games(asked)
        return cls(person, seats, phases, open_seats.open_powers_of_games(games, seats, phases))

    def card_of(self, listed: Game) -> dict[str, Any]:
        """The card of any game."""
        sight = self._sight(listed)
        game, may_open, variant = sight.game, sight.may_open, variants.load(listed.variant)
        return {
            **self._plain(game),
            "brief": game_settings_texts.settings_summary(game),
            "free": [
                self._open_seat(game, variant, power, shown=may_open)
                for power in self.open_powers.get(game.pk, ())
            ],
            "may_open": may_open,
            "shows_board": may_open and game.phase_number > 0,
            "winners": _winners(game),
        }

    def _open_seat(self, game: Game, variant: Variant, power: str, *, shown: bool) -> OpenSeat:
        """Not `shown`: only those who play may see the board."""
        phases = self.open_phases.get(game.pk, ()) if shown else ()
        before = [one for one in phases if one.phase_number == game.phase_number - 1]
        late = shown and isinstance(game, DelayedGame)
        left = (GameHistory(game).situation(game.phase_number) if late else None) or {}
        left = left or (before[0].next_situation if before else None) or {}
        centres, *units = (len((left.get(part) or {}).get(power) or ()) for part in PARTS)
        bots = [one.power for one in self.seats.get(game.pk, ()) if one.seat.bot]
        return OpenSeat(display_names.power_name(variant, power), power in bots, centres, sum(units))

    def own_card_of(self, game: Game) -> dict[str, Any]:
        """The card of a game in which the reader has a role."""
        sight = self._sight(game)
        return {
            **self._plain(sight.game),
            "sight": sight,
            "role": sight.role,
            "waiting": list(self._waiting(sight)) if game.state in RUNNING_STATES else [],
        }

    def _sight(self, game: Game) -> GameViewer:
        held = [(one.power, holder) for one in self.seats.get(game.pk, ()) for holder in one.holders]
        return GameViewer(game, self.person).with_known(vars(game).get("own_role") or "", held)

    def _plain(self, game: Game) -> dict[str, Any]:
        variant, language = variants.load(game.variant), display_names.reader_language()
        due = game.deadline if game.state == GameState.PLAYING else None
        return {
            "game": game,
            "variant": variant.title[language],
            "phase": display_names.phase_name(variant, game.phase) if game.phase else "",
            "due": due,
            "said": date_text_with_zone(due, page_context.reader_time_zone(), language) if due else "",
            "left": time_left_text(due - timezone.now(), language) if due else "",
            "players": vars(game).get("sitting", 0),
            "seats": vars(game).get("places", 0),
        }

    def _waiting(self, sight: GameViewer) -> Iterable[PowerStatus]:
        """The powers one orders now, those with something to decide with the state of their sheet."""
        if not sight.orderable_powers:
            return
        game, history = sight.game, GameHistory(sight.game)
        history.preload(game.phase_number, self.open_phases.get(game.pk, ()))
        deciding = history.deciding_powers(game.phase_number)
        variant = variants.load(game.variant)
        for one in self.seats[game.pk]:
            if one.power in sight.orderable_powers:
                state = order_submission.seat_state(one.seat, game.phase_number, one.is_handed_in, game)
                told = order_state_labels.order_state_label(state) if one.power in deciding else None
                yield PowerStatus(display_names.power_name(variant, one.power), told)
