"""Results from telephones: entered by one player of the board, confirmed by another."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.act import find_board as board_of
from talleyrand.tournament.acts.result_acts import (
    ConfirmResult,
    EnterResult,
    SetFarthestProvince,
    WithdrawResult,
    playing_board,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.web.tournaments import linked_game, tournament_names
from talleyrand.web.tournaments.event_journal import ActsBuilder
from talleyrand.web.tournaments.result_form import ResultForm
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, round_views

LONGEST_DIGEST = 40


def _answer(
    request: HttpRequest,
    sight: TournamentViewer,
    number: int,
    at: int,
    build: ActsBuilder,
    said: str,
    part: str,
) -> HttpResponse:
    round_views.public_board_or_404(sight, number, at)
    return player_actions.player_action_response(
        request,
        sight,
        build,
        said=said,
        way=round_views.board_url(sight, number, at),
        again=lambda fresh, refusal: round_views.render_board_page(request, fresh, number, at, refusal, part),
    )


@player_actions.player_action
def enter_result(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """The result of one's board; who types what another has typed confirms it."""

    def build(event: Event) -> list[EventAct]:
        me, seen = str(sight.person_number), request.POST.get("seen", "")[:LONGEST_DIGEST]
        form = ResultForm(event, number, board, me, dict(request.POST.lists()))
        return [EnterResult(number, board, form.result(), me, seen)]

    said = _("Result saved. It counts once another player at the board, or the desk, has confirmed it.")
    return _answer(request, sight, number, board, build, said, "result")


@player_actions.player_action
def confirm_result(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """Another player has seen the same."""
    seen = request.POST.get("digest", "")[:LONGEST_DIGEST]
    act = ConfirmResult(number, board, str(sight.person_number), seen)
    return _answer(
        request,
        sight,
        number,
        board,
        lambda _event: [act],
        _("Result confirmed: it counts."),
        "confirm",
    )


@player_actions.player_action
def withdraw_result(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """Who entered it takes it back, until it is confirmed."""
    act = WithdrawResult(number, board, str(sight.person_number))
    return _answer(request, sight, number, board, lambda _event: [act], _("Result removed."), "confirm")


@player_actions.player_action
def take_result_from_game(
    request: HttpRequest, sight: TournamentViewer, number: int, board: int
) -> HttpResponse:
    """The result of a board that is a game on this site: the judge has seen it, so it is confirmed."""

    def build(event: Event) -> list[EventAct]:
        held = playing_board(event, number, board)
        if not powers_played_by(held, sight.person_number):
            raise ActRefused(
                "act_not_at_board", person=str(sight.person_number), round=str(number), board=str(board)
            )
        if held.result is not None:
            raise ActRefused("act_result_entered", round=str(number), board=str(board))
        return list(linked_game.take_result_acts(event, number, board))

    return _answer(request, sight, number, board, build, _("Result taken from the game."), "confirm")


@player_actions.player_action
def tell_farthest_province(
    request: HttpRequest, sight: TournamentViewer, number: int, board: int
) -> HttpResponse:
    """How far one's own power went, for the traveller."""

    def build(event: Event) -> list[EventAct]:
        held = board_of(event, number, board)
        power = request.POST.get("power", "")
        typed = request.POST.get("place", "").strip()
        if power not in powers_played_by(held, sight.person_number):
            raise ActRefused(
                "act_not_at_board", person=str(sight.person_number), round=str(number), board=str(board)
            )
        return [
            SetFarthestProvince(
                number, board, power, tournament_names.province_from_text(held.variant, typed)
            )
        ]

    return _answer(request, sight, number, board, build, _("Farthest province saved."), "farthest")
