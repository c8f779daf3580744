"""The page of a table, and what its buttons do."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import game_lifecycle, page_context, phase_deadlines, power_assignments
from talleyrand.web.games.game_lifecycle import LifecycleRefusal
from talleyrand.web.games.models import RUNNING_STATES, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer

from . import absences, game_info_context, game_start, invitations, membership_actions, pause_requests
from .forms import HOUSE_RULES
from .lobby_refusals import LobbyRefusal
from .preference_form import preferences_from_post

LobbyAction = Callable[[GameViewer, Person], str]


@never_cache
@require_safe
def game_info_page(request: HttpRequest, key: str) -> HttpResponse:
    """The terms, who sits where, and the log."""
    return _show(request, page_context.game_viewer_of_page(request, key))


def _show(
    request: HttpRequest, sight: GameViewer, refusal: str = "", where: str = "", status: int = 200
) -> HttpResponse:
    typed = request.POST.dict() if refusal else {}
    context = {
        **game_info_context.game_info_context(request, sight, typed),
        "refusal": refusal,
        "where": where,
    }
    return render(request, "games/lobby/table.html", context, status=status)


@never_cache
@require_safe
def game_log_page(request: HttpRequest, key: str) -> HttpResponse:
    """The whole log, page by page."""
    sight = page_context.game_viewer_of_page(request, key)
    found = game_info_context.log_entries_page(sight, request.GET.get("page", ""))
    variant = variants.load(sight.game.variant)
    context = {
        **page_context.game_page_context(sight, "table"),
        "page": found,
        "lines": game_info_context.log_lines(found, sight, variant),
        "log_hidden": not sight.is_at_desk and not sight.game.settings.log_open,
    }
    return render(request, "games/lobby/log.html", context)


def _act(request: HttpRequest, key: str, act: LobbyAction, where: str = "") -> HttpResponse:
    """Do something at the table and say so; refused, the page comes back with what was typed."""
    sight = page_context.game_viewer_of_page(request, key)
    if sight.person is None:
        return redirect_to_login(reverse("games:table", args=[key]))
    try:
        told = act(sight, sight.person)
    except (LobbyRefusal, QuestionRefusal) as refused:
        return _show(
            request, page_context.game_viewer_of_page(request, key), refused.sentence, where, status=409
        )
    except LifecycleRefusal:
        return _show(
            request,
            page_context.game_viewer_of_page(request, key),
            LobbyRefusal("moved").sentence,
            where,
            status=409,
        )
    messages.success(request, told)
    here = GameViewer(sight.game, sight.person)
    return redirect("games:table", key) if here.may_open else redirect("games:all")


def _only(allowed: bool) -> None:
    """What one may not do does not exist."""
    if not allowed:
        raise Http404


@require_POST
def set_preferences_view(request: HttpRequest, key: str) -> HttpResponse:
    """Other wishes for the draw of powers."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        membership_actions.set_preferences(sight.game, person, preferences_from_post(request.POST))
        return _("Preferences saved. No one else sees them before the draw.")

    return _act(request, key, act, "wishes")


@require_POST
def leave_view(request: HttpRequest, key: str) -> HttpResponse:
    """Leave the table, before the beginning or after."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(bool(sight.role))
        membership_actions.leave_game(sight.game, person)
        return _("You left the game.")

    return _act(request, key, act, "leave")


@require_POST
def resign_view(request: HttpRequest, key: str) -> HttpResponse:
    """Forfeit one power."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        membership_actions.resign_power(sight.game, person, request.POST.get("power", ""))
        return _("You resigned this power; its seat is now open.")

    return _act(request, key, act, "leave")


@require_POST
def remove_member_view(request: HttpRequest, key: str) -> HttpResponse:
    """Send somebody away before the beginning."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.is_host and sight.may_see_players)
        membership_actions.remove_member(sight.game, _number(request, "member"), person)
        return _("Removed from the game.")

    return _act(request, key, act, "people")


@require_POST
def start_view(request: HttpRequest, key: str) -> HttpResponse:
    """Begin, the powers (or shares of them) drawn by lot, or given by hand."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.is_host)
        by_hand = request.POST.get("how") == "hand"
        _only(sight.is_game_master or not by_hand)
        chosen = _chosen(request, sight) if by_hand else None
        shared = request.POST.get("how") == "shares"
        game_start.start_game(sight.game, timezone.now(), person, chosen, shared=shared)
        return _("The game has started.")

    return _act(request, key, act, "begin")


def _chosen(request: HttpRequest, sight: GameViewer) -> dict[str, int]:
    """For each power the membership that was chosen; nobody for those left out."""
    given = {
        power: request.POST.get(f"give-{power}", "")
        for power in power_assignments.players_by_power(sight.game)
    }
    if not all(_is_number(member) for member in given.values() if member):
        raise LobbyRefusal("unknown_player")
    return {power: int(member) for power, member in given.items() if member}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 18


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if _is_number(text) else 0


@require_POST
def change_house_rules_view(request: HttpRequest, key: str) -> HttpResponse:
    """Other house rules; all in the game are told."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.is_host)
        french, english = (request.POST.get(name, "") for name in HOUSE_RULES)
        membership_actions.change_house_rules(sight.game, person, french, english)
        return _("House rules saved; everyone in the game is notified.")

    return _act(request, key, act, "rules")


@require_POST
def invite_view(request: HttpRequest, key: str) -> HttpResponse:
    """A new link."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.may_invite)
        role, once = request.POST.get("role", ""), request.POST.get("once") == "yes"
        power = request.POST.get("power", "") if role == GameRole.PLAYER else ""
        # whoever gives a link for a power knows who plays it
        _only(not power or sight.may_see_players)
        invitations.create_invitation(sight.game, person, role, once=once, power=power)
        return _("Link created: it’s in the list below, ready to share.")

    return _act(request, key, act, "links")


@require_POST
def revoke_invitation_view(request: HttpRequest, key: str) -> HttpResponse:
    """Nobody joins by this link any more."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.may_invite)
        invitations.revoke_invitation(sight.game, person, _number(request, "link"))
        return _("Link withdrawn.")

    return _act(request, key, act, "links")


@require_POST
def announce_absence_view(request: HttpRequest, key: str) -> HttpResponse:
    """An absence to come."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        first, last = request.POST.get("since", ""), request.POST.get("until", "")
        # days of the game’s zone: those of his own would tell where he lives
        absences.announce_absence(
            sight.game,
            person,
            *absences.absence_period(first, last, phase_deadlines.deadline_settings_of(sight.game).time_zone),
        )
        if sight.game.phase_number:
            game_lifecycle.recompute_for_absences(sight.game, timezone.now())
        return _("Absence announced: deadlines within it move, up to the game’s limit.")

    return _act(request, key, act, "absence")


@require_POST
def withdraw_absence_view(request: HttpRequest, key: str) -> HttpResponse:
    """An absence that will not be."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        absences.withdraw_absence(sight.game, person, _number(request, "absence"))
        return _("Absence withdrawn. Deadlines already moved stay as they are.")

    return _act(request, key, act, "absence")


@require_POST
def ask_pause_view(request: HttpRequest, key: str) -> HttpResponse:
    """A player wants the game to rest."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        if pause_requests.ask_for_pause(sight.game, person, timezone.now()):
            return _("All players agree: game paused.")
        return _("Pause requested.")

    return _act(request, key, act, "pause")


@require_POST
def end_pause_view(request: HttpRequest, key: str) -> HttpResponse:
    """A player ends a pause of a game without game master."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.role == GameRole.PLAYER)
        pause_requests.end_pause(sight.game, person, timezone.now())
        return _("Game resumed.")

    return _act(request, key, act, "pause")


@require_POST
def abandon_view(request: HttpRequest, key: str) -> HttpResponse:
    """Give a game up before it begins, for a reason; one that is played ends at its desk, which asks."""

    def act(sight: GameViewer, person: Person) -> str:
        _only(sight.is_host)
        if sight.game.state in RUNNING_STATES:
            raise LobbyRefusal("moved")
        reason, role = request.POST.get("reason", ""), GameRole.GAME_MASTER if sight.is_game_master else ""
        try:
            game_lifecycle.abandon_game(sight.game, reason, timezone.now(), role=role, by=person)
        except LifecycleRefusal as refused:
            raise LobbyRefusal(refused.code) from None
        return _("Game abandoned; everyone has been notified, with the reason.")

    return _act(request, key, act, "abandon")
