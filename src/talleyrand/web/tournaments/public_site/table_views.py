"""A phone of the tournament's room takes its seat at the table of its board."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from talleyrand.web.tables.table_seats import SeatRefusal
from talleyrand.web.tournaments import board_tables
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import player_actions, round_views


@player_actions.player_action
def sit_down(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """My seat, on this phone; on a second phone by the PIN that the table's screen shows."""
    held = round_views.public_board_or_404(sight, number, board)
    seat = board_tables.seat_at_table(held, sight.person_number)
    if seat is None:
        messages.warning(request, _("You have no seat at this table."))
        return redirect(round_views.board_url(sight, number, board))
    try:
        board_tables.sit_down_at_table(request, sight.event, held, sight.person_number, seat)
    except SeatRefusal:
        return redirect("tables:move", held.game, seat.number)
    return redirect("tables:table", held.game)
