"""A player's ballot for the voted prizes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import CastBallot
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments.prize_ballot_form import PrizeBallotForm
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, round_views


@player_actions.player_action
def cast_prize_ballot(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """At most one other player of the board for each prize; in place of the ballot before."""
    round_views.public_board_or_404(sight, number, board)

    def build(event: Event) -> list[EventAct]:
        typed = dict(request.POST.lists())
        return [CastBallot(PrizeBallotForm(event, number, board, sight.person_number, typed).ballot())]

    return player_actions.player_action_response(
        request,
        sight,
        build,
        said=_("Ballot saved. You can change it until the tournament is over."),
        way=f"{round_views.board_url(sight, number, board)}#prizes",
        again=lambda fresh, refusal: round_views.render_board_page(
            request, fresh, number, board, refusal, "ballot"
        ),
    )
