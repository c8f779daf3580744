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
from talleyrand.web.boards import wording
from talleyrand.web.games import frame, seats, vacancies
from talleyrand.web.games.models import OVER, Game, Invitation, Role, State
from talleyrand.web.games.sight import Sight

from . import agreement, gathering
from .refusals import Refused
from .starting import begin_full
from .wishing import ranks, read_wishes


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever has an invitation; a link that is nobody’s does not exist."""
    invitation = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    if invitation.revoked is not None and not _was_mine(request, invitation):
        return _shut(request, Refused("revoked"))
    return _door(request, invitation.game, invitation.role, invitation)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def listed(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever found the game in the list."""
    game = get_object_or_404(Game, key=key)
    if not Sight.of(game, request.user).may_join:
        raise Http404
    role = Role.OBSERVER if _asked(request, "role") == Role.OBSERVER else Role.PLAYER
    return _door(request, game, role, None)


def _asked(request: HttpRequest, name: str) -> str:
    return request.POST.get(name) or request.GET.get(name) or ""


def _was_mine(request: HttpRequest, invitation: Invitation) -> bool:
    """Whether the reader is at the table already: he may have used the link himself."""
    return bool(Sight.of(invitation.game, request.user).role)


def _door(request: HttpRequest, game: Game, role: str, invitation: Invitation | None) -> HttpResponse:
    person = request.user if isinstance(request.user, Person) else None
    if request.method != "POST":
        return _page(request, game, role, invitation)
    if person is None:
        return redirect_to_login(request.get_full_path())
    try:
        gathering.join(
            game,
            person,
            role=role,
            invitation=invitation,
            wishes=read_wishes(request.POST),
            power=request.POST.get("power", ""),
        )
    except Refused as refused:
        if refused.code == "already":
            messages.success(request, refused.sentence)
            return redirect("games:table", game.key)
        return _page(request, game, role, invitation, refused)
    messages.success(request, _welcome(role))
    if role == Role.PLAYER and begin_full(game, timezone.now()):
        messages.success(request, _("The last seat is taken: the powers are drawn, the game begins."))
        return redirect("games:game", game.key)
    return redirect("games:table", game.key)


def _welcome(role: str) -> str:
    return _("You are at the table, as %(role)s.") % {"role": role_words(role)}


def role_words(role: str) -> str:
    """A role as a sentence names it."""
    return {
        Role.PLAYER: _("player"),
        Role.MASTER: _("game master"),
        Role.ASSISTANT: _("assistant of the game master"),
        Role.OBSERVER: _("observer"),
    }[Role(role)]


def _shut(request: HttpRequest, refused: Refused) -> HttpResponse:
    return render(request, "games/table/shut.html", {"sentence": refused.sentence}, status=410)


def _page(
    request: HttpRequest, game: Game, role: str, invitation: Invitation | None, refused: Refused | None = None
) -> HttpResponse:
    sight = Sight.of(game, request.user)
    variant = variants.load(game.variant)
    why = refused or why_not(game, role, invitation, sight.person)
    free = vacancies.open_to(game, sight.person) if game.state != State.GATHERING else ()
    fixed = invitation.power if invitation else ""
    context: dict[str, Any] = {
        "game": game,
        "sight": sight,
        "variant_title": variant.title[wording.language()],
        "role": role,
        "role_words": role_words(role),
        "terms": agreement.parts(game, frame.zone()),
        "refusal": why.sentence if why else "",
        "may": why is None or (refused is not None and refused.code in ("seat", "taken")),
        "free": [(code, wording.power(variant, code)) for code in free if code == fixed or not fixed],
        "chosen": request.POST.get("power", ""),
        "fixed": wording.power(variant, fixed) if fixed else "",
        "ranks": ranks(game, read_wishes(request.POST)) if _wishes(game, role, fixed) else [],
        "players": len(gathering.members(game, Role.PLAYER)),
        "seats": seats.to_fill(game),
        "here": request.get_full_path(),
    }
    return render(request, "games/table/door.html", context, status=409 if refused else 200)


def _wishes(game: Game, role: str, fixed: str) -> bool:
    return game.state == State.GATHERING and role == Role.PLAYER and not fixed


def why_not(
    game: Game, role: str, invitation: Invitation | None, person: Person | None = None
) -> Refused | None:
    """Why nobody can come in by this door now, or `person` cannot."""
    if game.state in OVER:
        return Refused("over")
    if role != Role.PLAYER:
        return None if gathering.may_have(game, role) else Refused("unled")
    if game.state == State.GATHERING:
        full = len(gathering.members(game, Role.PLAYER)) >= seats.to_fill(game)
        return Refused("full") if full else None
    free = vacancies.to_play(game)
    if invitation and invitation.power and seats.holders(game).get(invitation.power) is not None:
        return Refused("taken")
    if not free:
        return Refused("begun")
    wanted = [invitation.power] if invitation and invitation.power else free
    barred = [seats.bar(game, person, power) for power in wanted] if person else [""]
    return Refused(barred[0]) if all(barred) else None
