"""Centres year by year from telephones: written down by whoever sits at the board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.act import find_board as board_of
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import supply_centre_chart
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, round_views


@player_actions.player_action
def count_year(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """The centres of one's board at the end of a year."""
    round_views.public_board_or_404(sight, number, board)

    def build(event: Event) -> list[EventAct]:
        held = board_of(event, number, board)
        return [
            supply_centre_chart.count_years_act_from_form(
                held, (number, board), lambda name: request.POST.get(name, ""), str(sight.person_number)
            )
        ]

    return player_actions.player_action_response(
        request,
        sight,
        build,
        said=_("Year updated."),
        way=round_views.board_url(sight, number, board),
        again=lambda fresh, refusal: round_views.render_board_page(
            request, fresh, number, board, refusal, "years"
        ),
    )
