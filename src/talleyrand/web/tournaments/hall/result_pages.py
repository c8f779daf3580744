"""Results from telephones: entered by one player of the board, confirmed by another."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.act import board as board_of
from talleyrand.tournament.acts.journeys import TellFarthest
from talleyrand.tournament.acts.results import ConfirmResult, EnterResult, WithdrawResult, playing_board
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.tournament.public import powers_of
from talleyrand.web.tournaments import gamed, provinces
from talleyrand.web.tournaments.sight import Sight

from . import result_form, round_pages, visiting

LONGEST_DIGEST = 40


def _answer(
    request: HttpRequest, sight: Sight, number: int, at: int, build: visiting.Build, said: str, part: str
) -> HttpResponse:
    round_pages.held_of(sight, number, at)
    return visiting.answered(
        request,
        sight,
        build,
        said=said,
        way=round_pages.way(sight, number, at),
        again=lambda fresh, refusal: round_pages.show(request, fresh, number, at, refusal, part),
    )


@visiting.deed
def enter(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """The result of one's board; who types what another has typed confirms it."""

    def build(event: Event) -> list[Act]:
        told = result_form.read(event, number, board, request.POST)
        seen = request.POST.get("seen", "")[:LONGEST_DIGEST]
        return [EnterResult(number, board, told, str(sight.number), seen)]

    said = _(
        "The result is entered. It counts once another player of the board, or the desk, has confirmed it."
    )
    return _answer(request, sight, number, board, build, said, "result")


@visiting.deed
def confirm(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """Another player has seen the same."""
    seen = request.POST.get("digest", "")[:LONGEST_DIGEST]
    act = ConfirmResult(number, board, str(sight.number), seen)
    return _answer(
        request,
        sight,
        number,
        board,
        lambda _event: [act],
        _("The result is confirmed: it counts."),
        "confirm",
    )


@visiting.deed
def withdraw(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """Who entered it takes it back, until it is confirmed."""
    act = WithdrawResult(number, board, str(sight.number))
    return _answer(
        request, sight, number, board, lambda _event: [act], _("The result is taken back."), "confirm"
    )


@visiting.deed
def take(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """The result of a board that is a game on this site: the judge has seen it, so it is confirmed."""

    def build(event: Event) -> list[Act]:
        held = playing_board(event, number, board)
        if not powers_of(held, sight.number):
            raise Refused("act_not_at_board", person=str(sight.number), round=str(number), board=str(board))
        if held.result is not None:
            raise Refused("act_result_entered", round=str(number), board=str(board))
        return list(gamed.taking(event, number, board))

    return _answer(request, sight, number, board, build, _("The result is taken from the game."), "confirm")


@visiting.deed
def farthest(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """How far one's own power went, for the traveller."""

    def build(event: Event) -> list[Act]:
        held = board_of(event, number, board)
        power = request.POST.get("power", "")
        typed = request.POST.get("place", "").strip()
        if power not in powers_of(held, sight.number):
            raise Refused("act_not_at_board", person=str(sight.number), round=str(number), board=str(board))
        return [TellFarthest(number, board, power, provinces.code_of(held.variant, typed))]

    return _answer(request, sight, number, board, build, _("Your farthest province is noted."), "farthest")
