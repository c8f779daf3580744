"""Whom a player names for the voted prizes, once his game is over."""

from __future__ import annotations

from django.http import QueryDict

from talleyrand.tournament.model import Event
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.web.tournaments.prize_ballot_form import PrizeBallotForm, voted_prizes
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_boards


def prize_ballot_form(
    sight: TournamentViewer, number: int, at: int, typed: QueryDict | None = None
) -> PrizeBallotForm | None:
    """The ballot of somebody who played at the board; None where there is nothing to vote on, or not yet."""
    event, held = sight.visible_event, sight.visible_event.rounds[number].boards[at]
    me = sight.person_number
    if not voted_prizes(event) or held.result is None or not powers_played_by(held, me):
        return None
    return PrizeBallotForm(event, number, at, me, None if typed is None else dict(typed.lists()))


def boards_to_vote_for(event: Event, me: int) -> list[tuple[int, int]]:
    """Boards of mine whose game is over and for which I have not voted."""
    if event.over or not voted_prizes(event):
        return []
    cast = {(one.round, one.board) for one in event.ballots.values() if one.voter == me}
    return [
        (number, at)
        for number, at, _power in public_boards.public_games_of_person(event, me)
        if event.rounds[number].boards[at].result is not None and (number, at) not in cast
    ]
