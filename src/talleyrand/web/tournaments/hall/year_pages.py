"""Centres year by year from telephones: written down by whoever sits at the board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.act import board as board_of
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import yearly
from talleyrand.web.tournaments.sight import Sight

from . import round_pages, visiting


@visiting.deed
def count(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """The centres of one's board at the end of a year."""
    round_pages.held_of(sight, number, board)

    def build(event: Event) -> list[Act]:
        held = board_of(event, number, board)
        return [
            yearly.read(held, (number, board), lambda name: request.POST.get(name, ""), str(sight.number))
        ]

    return visiting.answered(
        request,
        sight,
        build,
        said=_("The year is written down."),
        way=round_pages.way(sight, number, board),
        again=lambda fresh, refusal: round_pages.show(request, fresh, number, board, refusal, "years"),
    )
