"""The page of one seat: who plays it, for good or for a while, and civil disorder."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.web.addresses import absolute
from talleyrand.web.boards import wording
from talleyrand.web.games import frame, seen
from talleyrand.web.games.models import RUNNING, Game, Invitation, Seat
from talleyrand.web.games.sight import Sight
from talleyrand.web.practice import opponents

from . import page, scripts, seating
from .acts import NotDone
from .doors import done, for_master, hand, number

Act = Callable[[HttpRequest, Sight, str], None]


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def seat(request: HttpRequest, sight: Sight, power: str) -> HttpResponse:
    """Who plays a power, and the acts that change it; each says what it did and leads back here."""
    found = Seat.objects.filter(game=sight.game, power=power).first()
    if found is None and power not in scripts.free(sight.game) and not _went_back(request, sight.game, power):
        raise Http404
    if request.method == "POST":
        return _acted(request, sight, power)
    if found is None:
        return _scripted(request, sight, power)
    variant = variants.load(sight.game.variant)
    row = next(one for one in page.rows(sight) if one["code"] == power)
    context = {
        **frame.page(sight, "desk"),
        "seat": found,
        "row": row,
        "bots": opponents.choice(variant) if opponents.available() else [],
        "usual_bot": sight.game.terms.bots or opponents.USUAL,
        "mark": seating.mark(found),
        "stood_in": seating.stood_in(found),
        "power_name": wording.power(variant, power),
        "link": _link(request, sight, power),
        "open_now": sight.game.state in RUNNING,
        "history": _history(sight, found),
        "had_script": power in scripts.taken(sight.game) and scripts.may_go_back(sight.game),
    }
    return render(request, "games/desk/seat.html", context)


def _went_back(request: HttpRequest, game: Game, power: str) -> bool:
    """Whether a form comes for a power that has no seat (any more): its script plays it."""
    return request.method == "POST" and power in variants.load(game.variant).setting.scripted


def _scripted(request: HttpRequest, sight: Sight, power: str) -> HttpResponse:
    """The page of a power that nobody plays."""
    name = wording.power(variants.load(sight.game.variant), power)
    return render(request, "games/desk/script.html", {**frame.page(sight, "desk"), "power_name": name})


def _link(request: HttpRequest, sight: Sight, power: str) -> str:
    """The invitation that still gives this seat."""
    invited = Invitation.objects.filter(game=sight.game, power=power, revoked=None).order_by("-pk").first()
    return absolute(request, reverse("games:join", args=[invited.token])) if invited else ""


def _history(sight: Sight, seat: Seat) -> list[dict[str, object]]:
    """Who has played the seat, from which phase to which."""
    return [
        {
            "name": one.person.name if one.person else _("an account that is gone"),
            "stand_in": one.stand_in,
            "since": page.when(one.since),
            "until": page.when(one.until),
        }
        for one in seen.tenures(sight).filter(seat=seat).select_related("person")
    ]


def _acted(request: HttpRequest, sight: Sight, power: str) -> HttpResponse:
    doing = request.POST.get("action", "")

    def act() -> None:
        if doing not in ACTS:
            raise NotDone("moved")
        ACTS[doing][0](request, sight, power)

    said = ACTS[doing][1]() if doing in ACTS else ""
    answer = done(request, sight, act, said)
    answer["Location"] = reverse("games:desk_seat", args=[sight.game.key, power])
    return answer


def _replace(request: HttpRequest, sight: Sight, power: str) -> None:
    person = seating.person_named(request.POST.get("name", "")[:80])
    seating.replace(
        sight.game,
        power,
        person,
        _mark(request),
        stand_in=request.POST.get("action") == "stand_in",
        hand=hand(sight),
        now=timezone.now(),
    )


def _take(request: HttpRequest, sight: Sight, power: str) -> None:
    person = seating.person_named(request.POST.get("name", "")[:80])
    scripts.take(sight.game, power, person, hand=hand(sight), now=timezone.now())


def _give_back(request: HttpRequest, sight: Sight, power: str) -> None:  # noqa: ARG001 one of ACTS
    scripts.give_back(sight.game, power, hand=hand(sight), now=timezone.now())


def _end_stand_in(request: HttpRequest, sight: Sight, power: str) -> None:
    seating.end_stand_in(sight.game, power, _mark(request), hand=hand(sight), now=timezone.now())


def _vacate(request: HttpRequest, sight: Sight, power: str) -> None:
    seating.vacate(sight.game, power, _mark(request), hand=hand(sight), now=timezone.now())


def _computer(request: HttpRequest, sight: Sight, power: str) -> None:
    bot = request.POST.get("bot", "")
    seating.give_to_computer(sight.game, power, bot, _mark(request), hand=hand(sight))


def _lose(request: HttpRequest, sight: Sight, power: str) -> None:  # noqa: ARG001 one of ACTS
    seating.set_disorder(sight.game, power, lost=True, hand=hand(sight), now=timezone.now())


def _find(request: HttpRequest, sight: Sight, power: str) -> None:  # noqa: ARG001 one of ACTS
    seating.set_disorder(sight.game, power, lost=False, hand=hand(sight), now=timezone.now())


def _invite(request: HttpRequest, sight: Sight, power: str) -> None:  # noqa: ARG001 one of ACTS
    seating.invite(sight.game, power, hand=hand(sight), now=timezone.now())


def _mark(request: HttpRequest) -> int:
    return number(request.POST.get("mark", ""))


ACTS: Mapping[str, tuple[Act, Callable[[], str]]] = {
    "replace": (
        _replace,
        lambda: _("The power is in other hands now; everybody has been told, without a name."),
    ),
    "stand_in": (
        _replace,
        lambda: _("The stand-in plays from now on; everybody has been told, without a name."),
    ),
    "end_stand_in": (_end_stand_in, lambda: _("The player has his power back.")),
    "vacate": (_vacate, lambda: _("The seat is free now.")),
    "computer": (_computer, lambda: _("The computer plays this power from the open phase on.")),
    "disorder": (_lose, lambda: _("The power is in civil disorder: nobody waits for it.")),
    "order": (_find, lambda: _("The civil disorder is over: the game waits for this power again.")),
    "take": (_take, lambda: _("Somebody plays this power from the open phase on; everybody has been told.")),
    "give_back": (_give_back, lambda: _("The script plays this power again; everybody has been told.")),
    "invite": (_invite, lambda: _("Here is a new link: whoever uses it first plays this power.")),
}
