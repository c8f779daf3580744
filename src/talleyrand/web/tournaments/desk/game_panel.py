"""The panel of a board's game on this site: what differs from it, and seats to be given there."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.tournament.model import Board
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games.desk import scripts, seating
from talleyrand.web.games.desk.acts import Hand, NotDone
from talleyrand.web.games.desk.words import refusal
from talleyrand.web.games.models import RUNNING, Game, Role
from talleyrand.web.games.sight import Sight as Look
from talleyrand.web.tournaments import linked, naming
from talleyrand.web.tournaments.linked import Offer, Step
from talleyrand.web.tournaments.sight import Sight

from . import pressing, words
from .doors import Shown, Visit, page
from .pressing import Pressed

PRESS = "seated_in_game"
LONGEST_NAME, CONFLICT = 80, 409


def shown(visit: Visit, number: int, at: int) -> dict[str, Any]:
    """The context of `game.html`; nothing for a board without a game."""
    held = visit.event.rounds[number].boards[at]
    if not held.game:
        return {}
    look = linked.look_of(visit.sight, held)
    if look is None:
        return {"linked": {"known": False}}
    return {"linked": {"known": True, **_told(visit, number, held, look)}}


def _told(visit: Visit, number: int, held: Board, look: Look) -> dict[str, Any]:
    game = look.game
    return {
        "name": game.name,
        "way": reverse("games:game", args=[game.key]),
        "phase": _phase(game),
        "master": look.is_master,
        "led": game.memberships.filter(role=Role.MASTER, left=None).exists(),
        "playing": game.state in RUNNING,
        "differences": list(linked.differences(visit.event, number, held, game)),
        "offers": [_row(visit, held, look, offer) for offer in linked.offers(visit.sight, held, look)],
    }


def _phase(game: Game) -> str:
    return wording.phase(variants.load(game.variant), game.phase) if game.phase else ""


def _row(visit: Visit, held: Board, look: Look, offer: Offer) -> dict[str, Any]:
    return {
        "code": offer.power,
        "step": offer.step,
        "mark": offer.mark,
        "person": offer.person or "",
        "power": naming.power(offer.power, held.variant),
        "name": words.name_of(visit.event, offer.person) if offer.person is not None else "",
        "typed": _typed(visit, offer.power),
        "asks": offer.person is not None and offer.account is None,
        "way": reverse("games:desk_seat", args=[look.game.key, offer.power]),
    }


def _typed(visit: Visit, power: str) -> str:
    """What was typed of a seat that was refused."""
    mine = visit.typed_for(PRESS, "power") == power
    return visit.typed_for(PRESS, "account")[:LONGEST_NAME] if mine else ""


def pressed(request: HttpRequest, sight: Sight, held: Board, shown: Shown) -> HttpResponse | None:
    """What a button of the panel asks, done, or the page with the reason why not; None for another button."""
    if request.method != "POST":
        return None
    told = pressing.read(dict(request.POST.lists()))
    if told.name != PRESS:
        return None
    try:
        said = _done(sight, held, told)
    except NotDone as refused:
        visit = Visit(request, sight, told, refusal(refused.code), refused.code)
        return page(visit, "board.html", shown, CONFLICT)
    messages.success(request, said)
    return redirect(f"{request.path}#game")


def _done(sight: Sight, held: Board, told: Pressed) -> str:
    """Do it as the game's own desk does; raises NotDone."""
    look = linked.look_of(sight, held)
    if look is None or not look.is_master or look.person is None:
        raise NotDone("seat_moved")
    wanted = tuple(told.get(name) for name in ("power", "step", "mark", "person"))
    for offer in linked.offers(sight, held, look):
        if (offer.power, offer.step, str(offer.mark), str(offer.person or "")) == wanted:
            return _carried_out(look.game, offer, told, Hand(look.person, Role.MASTER))
    raise NotDone("seat_moved")


def _carried_out(game: Game, offer: Offer, told: Pressed, hand: Hand) -> str:
    now = timezone.now()
    if offer.step is Step.STUCK:
        raise NotDone("played")
    if offer.step is Step.GIVE_BACK:
        scripts.give_back(game, offer.power, hand=hand, now=now)
        return _("The script plays this power again; everybody has been told.")
    person = _account(offer, told)
    if offer.step is Step.TAKE:
        scripts.take(game, offer.power, person, hand=hand, now=now)
        return _("Somebody plays this power from the open phase on; everybody has been told.")
    seating.replace(game, offer.power, person, offer.mark, hand=hand, now=now)
    return _("The power is in other hands now; everybody has been told, without a name.")


def _account(offer: Offer, told: Pressed) -> Person:
    """Who is seated: the account that is known to be his, else the one whose name was typed."""
    if offer.account is None:
        return seating.person_named(told.get("account")[:LONGEST_NAME])
    found = Person.objects.filter(pk=offer.account, is_active=True).first()
    if found is None:
        raise NotDone("nobody")
    return found
