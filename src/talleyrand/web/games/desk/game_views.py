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
from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.models import OVER
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.terms import Anonymity

from . import directing, page, seating
from .acts import NotDone
from .doors import done, for_master, hand, number

Act = Callable[[HttpRequest, Sight], None]
Acts = Mapping[str, tuple[Act, Callable[[], str]]]


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def people(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Game masters, assistants and observers; roles are given and taken here."""
    if request.method == "POST":
        return _acted(request, sight, PEOPLE, "games:desk_people")
    context = {
        **frame.page(sight, "desk"),
        "people": page.everybody(sight),
        "secret": sight.game.terms.anonymity == Anonymity.UNTIL_END and sight.game.state not in OVER,
        "revealed": sight.game.revealed,
    }
    return render(request, "games/desk/people.html", context)


@require_POST
@for_master
def reveal(request: HttpRequest, sight: Sight) -> HttpResponse:
    return done(
        request,
        sight,
        lambda: directing.reveal(sight.game, hand=hand(sight), now=timezone.now()),
        _("Everybody may see now who plays what."),
        "games:desk_people",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def end(request: HttpRequest, sight: Sight) -> HttpResponse:
    """End the game by agreement, stop it, or go on with it after all."""
    if request.method == "POST":
        return _acted(request, sight, ENDS, "games:desk_end")
    game = sight.game
    variant = variants.load(game.variant)
    context = {
        **frame.page(sight, "desk"),
        "choosing": [(code, wording.power(variant, code)) for code in variant.board.powers],
        "over": game.state in OVER,
        "begun": game.number > 0,
    }
    return render(request, "games/desk/end.html", context)


def _acted(request: HttpRequest, sight: Sight, acts: Acts, to: str) -> HttpResponse:
    doing = request.POST.get("action", "")

    def act() -> None:
        if doing not in acts:
            raise NotDone("moved")
        acts[doing][0](request, sight)

    answer = done(request, sight, act, acts[doing][1]() if doing in acts else "", to)
    if not _may_stay(sight):
        answer["Location"] = reverse("games:game", args=[sight.game.key])
    return answer


def _may_stay(sight: Sight) -> bool:
    """Whoever has just left the desk does not come back to it."""
    return Sight(sight.game, sight.person).is_master


def _appoint(request: HttpRequest, sight: Sight) -> None:
    person = seating.person_named(request.POST.get("name", "")[:80])
    role = request.POST.get("role", "")
    directing.appoint(sight.game, person, role, hand=hand(sight), now=timezone.now())


def _dismiss(request: HttpRequest, sight: Sight) -> None:
    alone = request.POST.get("alone") == "1"
    pk = number(request.POST.get("member", ""))
    directing.dismiss(sight.game, pk, hand=hand(sight), now=timezone.now(), alone=alone)


def _agree(request: HttpRequest, sight: Sight) -> None:
    directing.agree(sight.game, request.POST.getlist("power"), hand=hand(sight), now=timezone.now())


def _abandon(request: HttpRequest, sight: Sight) -> None:
    reason = request.POST.get("reason", "")
    directing.abandon(sight.game, reason, hand=hand(sight), now=timezone.now())


def _reopen(request: HttpRequest, sight: Sight) -> None:  # noqa: ARG001 one of ENDS
    directing.reopen(sight.game, hand=hand(sight), now=timezone.now())


PEOPLE: Acts = {
    "appoint": (_appoint, lambda: _("The role has been given.")),
    "dismiss": (_dismiss, lambda: _("The role has been taken away.")),
}
ENDS: Acts = {
    "agree": (_agree, lambda: _("The game is over; everybody has been told.")),
    "abandon": (_abandon, lambda: _("The game is stopped; everybody has been told.")),
    "reopen": (_reopen, lambda: _("The game goes on; everybody has been told.")),
}
