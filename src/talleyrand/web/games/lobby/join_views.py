"""The door of a game: its terms in words, before one says yes."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.games import house_rules, open_seats, page_context, power_assignments
from talleyrand.web.games.models import ENDED_STATES, RUNNING_STATES, Game, GameRole, GameState, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer

from . import game_settings_texts, game_start, membership_actions, newcomer_limits
from .lobby_refusals import LobbyRefusal
from .preference_form import preference_choices, preferences_from_post

ASKED_AGAIN = ("seat", "taken", "house_rules")  # what another try may mend


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_link_page(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever has an invitation; a link that is nobody’s does not exist."""
    invitation = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    if invitation.revoked_at is not None and not _was_mine(request, invitation):
        return _shut(request, LobbyRefusal("revoked"))
    return _door(request, invitation.game, invitation.role, invitation)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_listed_game_page(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever found the game in the list."""
    game = get_object_or_404(Game, key=key)
    if not GameViewer.for_user(game, request.user).may_join:
        raise Http404
    role = GameRole.OBSERVER if _parameter(request, "role") == GameRole.OBSERVER else GameRole.PLAYER
    return _door(request, game, role, None)


def _parameter(request: HttpRequest, name: str) -> str:
    return request.POST.get(name) or request.GET.get(name) or ""


def _was_mine(request: HttpRequest, invitation: Invitation) -> bool:
    """Whether the reader is at the table already: he may have used the link himself."""
    return bool(GameViewer.for_user(invitation.game, request.user).role)


def _door(request: HttpRequest, game: Game, role: str, invitation: Invitation | None) -> HttpResponse:
    person = request.user if isinstance(request.user, Person) else None
    if request.method != "POST":
        return _page(request, game, role, invitation)
    if person is None:
        return redirect_to_login(request.get_full_path())
    try:
        membership_actions.join_game(
            game,
            person,
            role=role,
            invitation=invitation,
            wishes=preferences_from_post(request.POST),
            power=request.POST.get("power", ""),
            accepts=request.POST.get("accepts", ""),
        )
    except LobbyRefusal as refused:
        if refused.code == "already":
            messages.success(request, refused.sentence)
            return redirect("games:table", game.key)
        return _page(request, game, role, invitation, refused)
    messages.success(request, _welcome(role))
    if role == GameRole.PLAYER and game_start.start_game_if_full(game, timezone.now()):
        messages.success(request, _("The last seat is taken: powers are drawn and the game starts."))
        return redirect("games:game", game.key)
    takes_a_seat = role == GameRole.PLAYER and game.state in RUNNING_STATES
    return redirect("games:game" if takes_a_seat else "games:table", game.key)


def _welcome(role: str) -> str:
    return _("You joined the game. Role: %(role)s.") % {"role": role_text(role)}


def role_text(role: str) -> str:
    """A role as a sentence names it."""
    return {
        GameRole.PLAYER: _("player"),
        GameRole.GAME_MASTER: _("game master"),
        GameRole.ASSISTANT: _("assistant to the game master"),
        GameRole.OBSERVER: _("observer"),
    }[GameRole(role)]


def _shut(request: HttpRequest, refused: LobbyRefusal) -> HttpResponse:
    return render(request, "games/lobby/shut.html", {"sentence": refused.sentence}, status=410)


def _page(
    request: HttpRequest,
    game: Game,
    role: str,
    invitation: Invitation | None,
    refused: LobbyRefusal | None = None,
) -> HttpResponse:
    sight = GameViewer.for_user(game, request.user)
    variant = variants.load(game.variant)
    why = refused or why_not_join(game, role, invitation, sight.person)
    free = open_seats.joinable_powers_for(game, sight.person) if game.state != GameState.GATHERING else ()
    bots = power_assignments.bots_by_power(game)
    fixed = invitation.power if invitation else ""
    may = why is None or (refused is not None and refused.code in ASKED_AGAIN)
    context: dict[str, Any] = {
        "game": game,
        "sight": sight,
        "variant_title": variant.title[display_names.reader_language()],
        "role": role,
        "role_words": role_text(role),
        "brief": game_settings_texts.settings_summary(game),
        "starts": game_start.start_text(game) if game.state == GameState.GATHERING else "",
        "rulebook": game.rulebook if isinstance(game.rulebook, str) else "",
        "terms": _terms(game, without_rules=may),
        "refusal": why.sentence if why else "",
        "may": may,
        "free": [
            (code, display_names.power_name(variant, code), bot_players.bot_title(bots.get(code, "")))
            for code in free
            if code == fixed or not fixed
        ],
        "accepts": house_rules.rules_digest(game),
        "house_rules": game_settings_texts.house_rules_sections(game),
        "chosen": request.POST.get("power", ""),
        "fixed": display_names.power_name(variant, fixed) if fixed else "",
        "ranks": preference_choices(game, preferences_from_post(request.POST))
        if _wishes(game, role, fixed)
        else [],
        "players": len(membership_actions.members_with_role(game, GameRole.PLAYER)),
        "seats": power_assignments.player_seat_count(game),
        "here": request.get_full_path(),
    }
    return render(request, "games/lobby/door.html", context, status=409 if refused else 200)


def _terms(game: Game, *, without_rules: bool) -> list[game_settings_texts.SettingsSection]:
    """What was agreed; `without_rules`: the house rules stand above already."""
    terms = game_settings_texts.settings_sections(game, page_context.reader_time_zone())
    rules = game_settings_texts.house_rules_sections(game) if without_rules else []
    return [one for one in terms if one not in rules]


def _wishes(game: Game, role: str, fixed: str) -> bool:
    return game.state == GameState.GATHERING and role == GameRole.PLAYER and not fixed


def why_not_join(
    game: Game, role: str, invitation: Invitation | None, person: Person | None = None
) -> LobbyRefusal | None:
    """Why nobody can come in by this door now, or `person` cannot."""
    if game.state in ENDED_STATES:
        return LobbyRefusal("over")
    if person and (code := membership_actions.why_not_for(game, person, role)):
        return LobbyRefusal(code)
    if role != GameRole.PLAYER:
        return None if membership_actions.may_give_role_by_link(game, role) else LobbyRefusal("unled")
    stranger = person if invitation is None and game.is_listed else None
    if stranger and (limit := newcomer_limits.why_no_more_games(stranger)):
        return LobbyRefusal(limit)
    if game.state == GameState.GATHERING:
        full = len(
            membership_actions.members_with_role(game, GameRole.PLAYER)
        ) >= power_assignments.player_seat_count(game)
        return LobbyRefusal("full") if full else None
    return _why_no_seat(game, invitation, person)


def _why_no_seat(game: Game, invitation: Invitation | None, person: Person | None) -> LobbyRefusal | None:
    """Why there is no seat to take in a game that has begun."""
    free = open_seats.joinable_powers(game)
    if (
        invitation
        and invitation.power
        and power_assignments.players_by_power(game).get(invitation.power) is not None
    ):
        return LobbyRefusal("taken")
    if not free:
        return LobbyRefusal("begun")
    wanted = [invitation.power] if invitation and invitation.power else free
    barred = [power_assignments.why_barred(game, person, power) for power in wanted] if person else [""]
    return LobbyRefusal(barred[0]) if all(barred) else None
