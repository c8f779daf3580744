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
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import dating, frame, running, seats
from talleyrand.web.games.models import Role
from talleyrand.web.games.running import NotPossible
from talleyrand.web.games.sight import Sight

from . import absences, gathering, invitations, page, pauses, starting
from .refusals import Refused
from .wishing import read_wishes

Act = Callable[[Sight, Person], str]


@never_cache
@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The terms, who sits where, and the log."""
    return _show(request, frame.entered(request, key))


def _show(
    request: HttpRequest, sight: Sight, refusal: str = "", where: str = "", status: int = 200
) -> HttpResponse:
    typed = request.POST.dict() if refusal else {}
    context = {**page.context(request, sight, typed), "refusal": refusal, "where": where}
    return render(request, "games/table/table.html", context, status=status)


@never_cache
@require_safe
def log(request: HttpRequest, key: str) -> HttpResponse:
    """The whole log, page by page."""
    sight = frame.entered(request, key)
    found = page.log_page(sight, request.GET.get("page", ""))
    variant = variants.load(sight.game.variant)
    context = {
        **frame.page(sight, "table"),
        "page": found,
        "lines": page.lines(found, sight, variant),
        "log_hidden": not sight.at_desk and not sight.game.terms.log_open,
    }
    return render(request, "games/table/log.html", context)


def _act(request: HttpRequest, key: str, act: Act, where: str = "") -> HttpResponse:
    """Do something at the table and say so; refused, the page comes back with what was typed."""
    sight = frame.entered(request, key)
    if sight.person is None:
        return redirect_to_login(reverse("games:table", args=[key]))
    try:
        told = act(sight, sight.person)
    except (Refused, Unanswered) as refused:
        return _show(request, frame.entered(request, key), refused.sentence, where, status=409)
    except NotPossible:
        return _show(request, frame.entered(request, key), Refused("moved").sentence, where, status=409)
    messages.success(request, told)
    here = Sight(sight.game, sight.person)
    return redirect("games:table", key) if here.may_open else redirect("games:all")


def _only(allowed: bool) -> None:
    """What one may not do does not exist."""
    if not allowed:
        raise Http404


@require_POST
def wishes(request: HttpRequest, key: str) -> HttpResponse:
    """Other wishes for the draw of powers."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        gathering.wish(sight.game, person, read_wishes(request.POST))
        return _("Your wishes are kept. Nobody else sees them before the draw.")

    return _act(request, key, act, "wishes")


@require_POST
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Leave the table, before the beginning or after."""

    def act(sight: Sight, person: Person) -> str:
        _only(bool(sight.role))
        gathering.leave(sight.game, person)
        return _("You have left the game.")

    return _act(request, key, act, "leave")


@require_POST
def give_up(request: HttpRequest, key: str) -> HttpResponse:
    """Forfeit one power."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        gathering.give_up(sight.game, person, request.POST.get("power", ""))
        return _("You have given up this power; somebody else may take its seat.")

    return _act(request, key, act, "leave")


@require_POST
def remove(request: HttpRequest, key: str) -> HttpResponse:
    """Send somebody away before the beginning."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.hosts and sight.knows_people)
        gathering.remove(sight.game, _number(request, "member"), person)
        return _("This person is no longer at the table.")

    return _act(request, key, act, "people")


@require_POST
def begin(request: HttpRequest, key: str) -> HttpResponse:
    """Begin, the powers (or shares of them) drawn by lot, or given by hand."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.hosts)
        by_hand = request.POST.get("how") == "hand"
        _only(sight.is_master or not by_hand)
        chosen = _chosen(request, sight) if by_hand else None
        shared = request.POST.get("how") == "shares"
        starting.begin(sight.game, timezone.now(), person, chosen, shared=shared)
        return _("The game has begun.")

    return _act(request, key, act, "begin")


def _chosen(request: HttpRequest, sight: Sight) -> dict[str, int]:
    """For each power the membership that was chosen; nobody for those left out."""
    given = {power: request.POST.get(f"give-{power}", "") for power in seats.holders(sight.game)}
    if not all(_is_number(member) for member in given.values() if member):
        raise Refused("unknown_player")
    return {power: int(member) for power, member in given.items() if member}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 18


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if _is_number(text) else 0


@require_POST
def invite(request: HttpRequest, key: str) -> HttpResponse:
    """A new link."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.may_invite)
        role, once = request.POST.get("role", ""), request.POST.get("once") == "yes"
        power = request.POST.get("power", "") if role == Role.PLAYER else ""
        # whoever gives a link for a power knows who plays it
        _only(not power or sight.knows_people)
        invitations.invite(sight.game, person, role, once=once, power=power)
        return _("The link is in the list below: send it to whom you like.")

    return _act(request, key, act, "links")


@require_POST
def withdraw_invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Nobody joins by this link any more."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.may_invite)
        invitations.withdraw(sight.game, person, _number(request, "link"))
        return _("This link opens nothing any more.")

    return _act(request, key, act, "links")


@require_POST
def announce(request: HttpRequest, key: str) -> HttpResponse:
    """An absence to come."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        first, last = request.POST.get("since", ""), request.POST.get("until", "")
        # days of the game’s zone: those of his own would tell where he lives
        absences.announce(sight.game, person, *absences.period(first, last, dating.rhythm(sight.game).zone))
        if sight.game.number:
            running.reckon_absences(sight.game, timezone.now())
        return _("Your absence is announced: deadlines within it move, so far as was agreed.")

    return _act(request, key, act, "absence")


@require_POST
def withdraw_absence(request: HttpRequest, key: str) -> HttpResponse:
    """An absence that will not be."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        absences.withdraw(sight.game, person, _number(request, "absence"))
        return _("The absence is withdrawn. Deadlines that have moved stay where they are.")

    return _act(request, key, act, "absence")


@require_POST
def ask_pause(request: HttpRequest, key: str) -> HttpResponse:
    """A player wants the game to rest."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        if pauses.ask(sight.game, person, timezone.now()):
            return _("All players want it: the game is paused.")
        return _("Your wish for a pause is known.")

    return _act(request, key, act, "pause")


@require_POST
def go_on(request: HttpRequest, key: str) -> HttpResponse:
    """A player ends a pause of a game without game master."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.role == Role.PLAYER)
        pauses.go_on(sight.game, person, timezone.now())
        return _("The game goes on.")

    return _act(request, key, act, "pause")


@require_POST
def abandon(request: HttpRequest, key: str) -> HttpResponse:
    """End the game without a result, for a reason."""

    def act(sight: Sight, person: Person) -> str:
        _only(sight.hosts)
        reason, role = request.POST.get("reason", ""), Role.MASTER if sight.is_master else ""
        try:
            running.abandon(sight.game, reason, timezone.now(), role=role, by=person)
        except NotPossible as refused:
            raise Refused(refused.code) from None
        return _("The game is abandoned; everybody has been told why.")

    return _act(request, key, act, "abandon")
