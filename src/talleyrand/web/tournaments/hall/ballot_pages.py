"""A player's ballot for the voted prizes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.ballots import CastBallot
from talleyrand.tournament.model import Ballot, Event
from talleyrand.tournament.numbers import whole
from talleyrand.web.tournaments.sight import Sight

from . import regulating, round_pages, visiting


@visiting.deed
def cast(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """At most one other player of the board for each prize; in place of the ballot before."""
    round_pages.held_of(sight, number, board)

    def build(event: Event) -> list[Act]:
        prizes = regulating.prizes_of(event, regulating.VOTED)
        named = {name: whole(told) for name in prizes if (told := request.POST.get(f"prize_{name}", ""))}
        return [CastBallot(Ballot(number, board, sight.number, named))]

    return visiting.answered(
        request,
        sight,
        build,
        said=_("Your ballot is kept. Only the count is shown, when all is over."),
        way=f"{round_pages.way(sight, number, board)}#prizes",
        again=lambda fresh, refusal: round_pages.show(request, fresh, number, board, refusal, "ballot"),
    )
