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
from talleyrand.tournament.model import EventBoard
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.game_master import scripted_powers, seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.game_master.game_master_texts import game_master_refusal_text
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer as Look
from talleyrand.web.tournaments import linked_game_comparison, tournament_names
from talleyrand.web.tournaments.linked_game_comparison import SeatOffer, SeatStep
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts, form_parsing
from .desk_views import DeskRequest, PageContext, render_desk_page
from .form_parsing import FormAction

GIVE_SEAT_ACTION = "seated_in_game"
LONGEST_NAME, CONFLICT = 80, 409


def linked_game_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `game.html`; nothing for a board without a game."""
    held = visit.event.rounds[number].boards[at]
    if not held.game:
        return {}
    look = linked_game_comparison.linked_game_viewer(visit.viewer, held)
    if look is None:
        return {"linked": {"known": False}}
    return {"linked": {"known": True, **_link_context(visit, number, held, look)}}


def _link_context(visit: DeskRequest, number: int, held: EventBoard, look: Look) -> dict[str, Any]:
    game = look.game
    return {
        "name": game.name,
        "way": reverse("games:game", args=[game.key]),
        "phase": display_names.phase_name(variants.load(game.variant), game.phase) if game.phase else "",
        "master": look.is_game_master,
        "led": game.memberships.filter(role=GameRole.GAME_MASTER, left_at=None).exists(),
        "playing": game.state in RUNNING_STATES,
        "differences": list(linked_game_comparison.game_differences(visit.event, number, held, game)),
        "offers": [
            _row(visit, held, look, offer)
            for offer in linked_game_comparison.seat_offers(visit.viewer, held, look)
        ],
    }


def _row(visit: DeskRequest, held: EventBoard, look: Look, offer: SeatOffer) -> dict[str, Any]:
    return {
        "code": offer.power,
        "step": offer.step,
        "mark": offer.player_mark,
        "person": offer.person or "",
        "power": tournament_names.power_name(offer.power, held.variant),
        "name": desk_texts.person_name(visit.event, offer.person) if offer.person is not None else "",
        "typed": _typed(visit, offer.power),
        "asks": offer.person is not None and offer.account is None,
        "way": reverse("games:desk_seat", args=[look.game.key, offer.power]),
    }


def _typed(visit: DeskRequest, power: str) -> str:
    """What was typed of a seat that was refused."""
    mine = visit.typed_for(GIVE_SEAT_ACTION, "power") == power
    return visit.typed_for(GIVE_SEAT_ACTION, "account")[:LONGEST_NAME] if mine else ""


def linked_game_response(
    request: HttpRequest, sight: TournamentViewer, held: EventBoard, shown: PageContext
) -> HttpResponse | None:
    """What a button of the panel asks, done, or the page with the reason why not; None for another button."""
    if request.method != "POST":
        return None
    told = form_parsing.form_action_of(dict(request.POST.lists()))
    if told.name != GIVE_SEAT_ACTION:
        return None
    try:
        said = _do_link_action(sight, held, told)
    except GameMasterRefusal as refused:
        visit = DeskRequest(request, sight, told, game_master_refusal_text(refused.code), refused.code)
        return render_desk_page(visit, "board.html", shown, CONFLICT)
    messages.success(request, said)
    return redirect(f"{request.path}#game")


def _do_link_action(sight: TournamentViewer, held: EventBoard, told: FormAction) -> str:
    """Do it as the game's own desk does; raises GameMasterRefusal."""
    look = linked_game_comparison.linked_game_viewer(sight, held)
    if look is None or not look.is_game_master or look.person is None:
        raise GameMasterRefusal("seat_moved")
    wanted = tuple(told.value(name) for name in ("power", "step", "mark", "person"))
    for offer in linked_game_comparison.seat_offers(sight, held, look):
        if (offer.power, offer.step, str(offer.player_mark), str(offer.person or "")) == wanted:
            return _carried_out(look.game, offer, told, GameMasterActor(look.person, GameRole.GAME_MASTER))
    raise GameMasterRefusal("seat_moved")


def _carried_out(game: Game, offer: SeatOffer, told: FormAction, hand: GameMasterActor) -> str:
    now = timezone.now()
    if offer.step is SeatStep.STUCK:
        raise GameMasterRefusal("played")
    if offer.step is SeatStep.GIVE_BACK:
        scripted_powers.return_to_script(game, offer.power, hand=hand, now=now)
        return _("This power follows its script again; everyone has been notified.")
    person = _account(offer, told)
    if offer.step is SeatStep.TAKE:
        scripted_powers.take_from_script(game, offer.power, person, hand=hand, now=now)
        return _("This power has a player from the current phase on; everyone has been notified.")
    seat_actions.replace_player(game, offer.power, person, offer.player_mark, hand=hand, now=now)
    return _("Power reassigned; everyone has been notified, without names.")


def _account(offer: SeatOffer, told: FormAction) -> Person:
    """Who is seated: the account that is known to be his, else the one whose name was typed."""
    if offer.account is None:
        return seat_actions.person_by_name(told.value("account")[:LONGEST_NAME])
    found = Person.objects.filter(pk=offer.account, is_active=True).first()
    if found is None:
        raise GameMasterRefusal("nobody")
    return found
