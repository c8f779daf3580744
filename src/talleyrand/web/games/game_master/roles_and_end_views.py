"""The game as a whole: who is at its desk, when the powers are revealed, how it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from talleyrand import variants
from talleyrand.formats.visible_text import one_line_name
from talleyrand.web.boards import display_names
from talleyrand.web.games import page_context
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import ENDED_STATES
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, desk_context, game_actions, seat_actions
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

Act = Callable[[HttpRequest, GameViewer], None]
Acts = Mapping[str, tuple[Act, Callable[[], str]]]


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def roles_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Game masters, assistants and observers; roles are given and taken here."""
    if request.method == "POST":
        return _acted(request, sight, ROLE_ACTIONS, "games:desk_people")
    context = {
        **page_context.game_page_context(sight, "desk"),
        "people": desk_context.role_rows(sight),
        "secret": sight.game.settings.anonymity == Anonymity.UNTIL_END
        and sight.game.state not in ENDED_STATES,
        "revealed": sight.game.powers_revealed_at,
    }
    return render(request, "games/game_master/people.html", context)


@require_POST
@for_game_master
def reveal_view(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    if not confirmed(request) and sight.game.powers_revealed_at is None:
        asked = Confirmation(
            _("Reveal who plays what?"), [action_effects.reveal_effect()], _("Reveal who plays what")
        )
        return confirmation_page(request, sight, asked)
    return run_action(
        request,
        sight,
        lambda: game_actions.reveal_powers(sight.game, hand=actor_of(sight), now=timezone.now()),
        _("Everyone can now see who plays what."),
        "games:desk_people",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def end_game_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """End the game by agreement, stop it, or go on with it after all."""
    if request.method == "POST":
        asked = None if confirmed(request) else _end_effects(request, sight)
        if asked is not None:
            return confirmation_page(request, sight, asked)
        return _acted(request, sight, END_ACTIONS, "games:desk_end")
    game = sight.game
    variant = variants.load(game.variant)
    context = {
        **page_context.game_page_context(sight, "desk"),
        "choosing": [(code, display_names.power_name(variant, code)) for code in variant.board.powers],
        "over": game.state in ENDED_STATES,
        "begun": game.phase_number > 0,
    }
    return render(request, "games/game_master/end.html", context)


def _end_effects(request: HttpRequest, sight: GameViewer) -> Confirmation | None:
    """What ending or stopping a game does; None for what would be refused, and for what can be taken back."""
    game, action = sight.game, request.POST.get("action")
    known = variants.load(game.variant).board.powers
    powers = [power for power in known if power in request.POST.getlist("power")]
    reason = one_line_name(request.POST.get("reason", ""))
    may_agree = game.phase_number > 0 and powers
    if game.state in ENDED_STATES or not (may_agree if action == "agree" else action == "abandon" and reason):
        return None
    if action == "agree":
        told = list(action_effects.end_effects(game, powers))
        return Confirmation(_("End the game with this result?"), told, _("End the game"))
    told = list(action_effects.abandon_effects(game, reason))
    return Confirmation(_("Abandon the game?"), told, _("Abandon the game"))


def _acted(request: HttpRequest, sight: GameViewer, acts: Acts, to: str) -> HttpResponse:
    doing = request.POST.get("action", "")

    def act() -> None:
        if doing not in acts:
            raise GameMasterRefusal("moved")
        acts[doing][0](request, sight)

    answer = run_action(request, sight, act, acts[doing][1]() if doing in acts else "", to)
    if not _may_stay(sight):
        answer["Location"] = reverse("games:game", args=[sight.game.key])
    return answer


def _may_stay(sight: GameViewer) -> bool:
    """Whoever has just left the desk does not come back to it."""
    return GameViewer(sight.game, sight.person).is_game_master


def _appoint(request: HttpRequest, sight: GameViewer) -> None:
    person = seat_actions.person_by_name(request.POST.get("name", "")[:80])
    role = request.POST.get("role", "")
    game_actions.give_role(sight.game, person, role, hand=actor_of(sight), now=timezone.now())


def _dismiss(request: HttpRequest, sight: GameViewer) -> None:
    alone = request.POST.get("alone") == "1"
    pk = form_number(request.POST.get("member", ""))
    game_actions.take_role(sight.game, pk, hand=actor_of(sight), now=timezone.now(), alone=alone)


def _agree(request: HttpRequest, sight: GameViewer) -> None:
    game_actions.gm_end_as_draw(
        sight.game, request.POST.getlist("power"), hand=actor_of(sight), now=timezone.now()
    )


def _abandon(request: HttpRequest, sight: GameViewer) -> None:
    reason = request.POST.get("reason", "")
    game_actions.gm_abandon_game(sight.game, reason, hand=actor_of(sight), now=timezone.now())


def _reopen(request: HttpRequest, sight: GameViewer) -> None:  # noqa: ARG001 one of ENDS
    game_actions.reopen_game(sight.game, hand=actor_of(sight), now=timezone.now())


ROLE_ACTIONS: Acts = {
    "appoint": (_appoint, lambda: _("Role given.")),
    "dismiss": (_dismiss, lambda: _("Role removed.")),
}
END_ACTIONS: Acts = {
    "agree": (_agree, lambda: _("Game ended; everyone has been notified.")),
    "abandon": (_abandon, lambda: _("Game abandoned; everyone has been notified.")),
    "reopen": (_reopen, lambda: _("Game reopened; everyone has been notified.")),
}
