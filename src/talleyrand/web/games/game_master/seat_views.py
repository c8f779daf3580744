"""The page of one seat: who plays it, for good or for a while, and civil disorder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games import page_context, visibility
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.models import RUNNING_STATES, Game, GameSeat, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, desk_context, scripted_powers, seat_actions
from .action_base import GameMasterRefusal
from .game_master_access import (
    Confirmation,
    actor_of,
    confirmation_page,
    confirmed,
    for_game_master,
    form_number,
    run_action,
)

Act = Callable[[HttpRequest, GameViewer, str], None]


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def seat_page(request: HttpRequest, sight: GameViewer, power: str) -> HttpResponse:
    """Who plays a power, and the acts that change it; each says what it did and leads back here."""
    found = GameSeat.objects.filter(game=sight.game, power=power).first()
    if (
        found is None
        and power not in scripted_powers.free_scripted_powers(sight.game)
        and not _went_back(request, sight.game, power)
    ):
        raise Http404
    if request.method == "POST":
        asked = None if found is None or confirmed(request) else _effects(request, sight, found)
        return _acted(request, sight, power) if asked is None else confirmation_page(request, sight, asked)
    if found is None:
        return _scripted(request, sight, power)
    variant = variants.load(sight.game.variant)
    row = _row(sight, power)
    context = {
        **page_context.game_page_context(sight, "desk"),
        "seat": found,
        "row": row,
        "bots": bot_players.bot_choices(variant) if bot_players.bots_available() else [],
        "usual_bot": sight.game.settings.bots or bot_players.DEFAULT_BOT,
        "mark": seat_actions.seat_player_mark(found),
        "stood_in": seat_actions.has_stand_in(found),
        "power_name": display_names.power_name(variant, power),
        "link": _link(request, sight, power),
        "open_now": sight.game.state in RUNNING_STATES,
        "history": _history(sight, found),
        "had_script": power in scripted_powers.powers_taken_from_script(sight.game)
        and scripted_powers.may_return_to_script(sight.game),
    }
    return render(request, "games/game_master/seat.html", context)


def _row(sight: GameViewer, power: str) -> dict[str, Any]:
    return next(one for one in desk_context.power_rows(sight) if one["code"] == power)


def _effects(request: HttpRequest, sight: GameViewer, seat: GameSeat) -> Confirmation | None:
    """What it does to open a seat or not to wait for it; None for other acts, and what would be refused."""
    game, power, doing = sight.game, seat.power, request.POST.get("action")
    if game.state not in RUNNING_STATES:
        return None
    row = _row(sight, power)
    if doing == "vacate" and not row["vacant"] and _mark(request) == seat_actions.seat_player_mark(seat):
        names = [one["name"] for one in row["players"]]
        players = row["computer"] or join_names(names, display_names.reader_language())
        told = list(action_effects.opening_effects(game, power, players))
        return Confirmation(_("Open the seat?"), told, _("Open the seat: no player"))
    if doing == "disorder" and not (row["disorder"] or row["computer"]):
        told = list(action_effects.civil_disorder_effects(game, power))
        return Confirmation(_("Declare civil disorder?"), told, _("Declare civil disorder"))
    return None


def _went_back(request: HttpRequest, game: Game, power: str) -> bool:
    """Whether a form comes for a power that has no seat (any more): its script plays it."""
    return request.method == "POST" and power in variants.load(game.variant).definition.scripted_powers


def _scripted(request: HttpRequest, sight: GameViewer, power: str) -> HttpResponse:
    """The page of a power that nobody plays."""
    name = display_names.power_name(variants.load(sight.game.variant), power)
    return render(
        request,
        "games/game_master/script.html",
        {**page_context.game_page_context(sight, "desk"), "power_name": name},
    )


def _link(request: HttpRequest, sight: GameViewer, power: str) -> str:
    """The invitation that still gives this seat."""
    invited = Invitation.objects.filter(game=sight.game, power=power, revoked_at=None).order_by("-pk").first()
    return absolute_url(request, reverse("games:join", args=[invited.token])) if invited else ""


def _history(sight: GameViewer, seat: GameSeat) -> list[dict[str, object]]:
    """Who has played the seat, from which phase to which."""
    return [
        {
            "name": one.person.shown_name if one.person else _("deleted account"),
            "stand_in": one.is_stand_in,
            "since": desk_context.reader_time(one.started_at),
            "until": desk_context.reader_time(one.ended_at),
        }
        for one in visibility.visible_assignments(sight).filter(seat=seat).select_related("person")
    ]


def _acted(request: HttpRequest, sight: GameViewer, power: str) -> HttpResponse:
    doing = request.POST.get("action", "")

    def act() -> None:
        if doing not in SEAT_ACTIONS:
            raise GameMasterRefusal("moved")
        SEAT_ACTIONS[doing][0](request, sight, power)

    said = SEAT_ACTIONS[doing][1]() if doing in SEAT_ACTIONS else ""
    answer = run_action(request, sight, act, said)
    answer["Location"] = reverse("games:desk_seat", args=[sight.game.key, power])
    return answer


def _replace(request: HttpRequest, sight: GameViewer, power: str) -> None:
    person = seat_actions.person_by_name(request.POST.get("name", "")[:80])
    seat_actions.replace_player(
        sight.game,
        power,
        person,
        _mark(request),
        stand_in=request.POST.get("action") == "stand_in",
        hand=actor_of(sight),
        now=timezone.now(),
    )


def _take(request: HttpRequest, sight: GameViewer, power: str) -> None:
    person = seat_actions.person_by_name(request.POST.get("name", "")[:80])
    scripted_powers.take_from_script(sight.game, power, person, hand=actor_of(sight), now=timezone.now())


def _give_back(request: HttpRequest, sight: GameViewer, power: str) -> None:  # noqa: ARG001 one of ACTS
    scripted_powers.return_to_script(sight.game, power, hand=actor_of(sight), now=timezone.now())


def _end_stand_in(request: HttpRequest, sight: GameViewer, power: str) -> None:
    seat_actions.end_stand_in(sight.game, power, _mark(request), hand=actor_of(sight), now=timezone.now())


def _vacate(request: HttpRequest, sight: GameViewer, power: str) -> None:
    seat_actions.free_seat(sight.game, power, _mark(request), hand=actor_of(sight), now=timezone.now())


def _computer(request: HttpRequest, sight: GameViewer, power: str) -> None:
    bot = request.POST.get("bot", "")
    seat_actions.give_seat_to_bot(sight.game, power, bot, _mark(request), hand=actor_of(sight))


def _lose(request: HttpRequest, sight: GameViewer, power: str) -> None:  # noqa: ARG001 one of ACTS
    seat_actions.set_civil_disorder(sight.game, power, lost=True, hand=actor_of(sight), now=timezone.now())


def _find(request: HttpRequest, sight: GameViewer, power: str) -> None:  # noqa: ARG001 one of ACTS
    seat_actions.set_civil_disorder(sight.game, power, lost=False, hand=actor_of(sight), now=timezone.now())


def _invite(request: HttpRequest, sight: GameViewer, power: str) -> None:  # noqa: ARG001 one of ACTS
    seat_actions.invite_to_seat(sight.game, power, hand=actor_of(sight), now=timezone.now())


def _mark(request: HttpRequest) -> int:
    return form_number(request.POST.get("mark", ""))


SEAT_ACTIONS: Mapping[str, tuple[Act, Callable[[], str]]] = {
    "replace": (
        _replace,
        lambda: _("Power reassigned; everyone has been notified, without names."),
    ),
    "stand_in": (
        _replace,
        lambda: _("Stand-in appointed; everyone has been notified, without names."),
    ),
    "end_stand_in": (_end_stand_in, lambda: _("The player has their power back.")),
    "vacate": (_vacate, lambda: _("The seat is open now.")),
    "computer": (_computer, lambda: _("A bot plays this power from the current phase on.")),
    "disorder": (_lose, lambda: _("The power is in civil disorder: the game doesn’t wait for it.")),
    "order": (_find, lambda: _("Civil disorder ended: the game waits for this power again.")),
    "take": (
        _take,
        lambda: _("This power has a player from the current phase on; everyone has been notified."),
    ),
    "give_back": (_give_back, lambda: _("This power follows its script again; everyone has been notified.")),
    "invite": (_invite, lambda: _("New link created: the first to use it plays this power.")),
}
