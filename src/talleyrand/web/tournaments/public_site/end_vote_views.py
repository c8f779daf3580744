"""Buttons of a vote to end a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.act import find_board as board_of
from talleyrand.tournament.acts.end_vote_acts import (
    CastEndBallot,
    OpenEndVote,
    ProposeEnd,
    VetoEnd,
    WithdrawEndVote,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.web.tournaments.event_journal import ActsBuilder
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import end_vote_panels, player_actions, round_views


def _answer(
    request: HttpRequest,
    sight: TournamentViewer,
    number: int,
    at: int,
    build: ActsBuilder,
    said: str,
) -> HttpResponse:
    return player_actions.player_action_response(
        request,
        sight,
        build,
        said=said,
        way=f"{round_views.board_url(sight, number, at)}#end",
        again=lambda fresh, refusal: round_views.render_board_page(
            request, fresh, number, at, refusal, "vote"
        ),
    )


def _own(event: Event, number: int, at: int, me: int, power: str) -> str:
    """A power of the board that one plays; raises ActRefused."""
    if power not in powers_played_by(board_of(event, number, at), me):
        raise ActRefused("act_not_at_board", person=str(me), round=str(number), board=str(at))
    return power


@player_actions.player_action
def ask_end_vote(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """A player asks for the end."""
    round_views.public_board_or_404(sight, number, board)

    def build(event: Event) -> list[EventAct]:
        held = board_of(event, number, board)
        power = _own(event, number, board, sight.person_number, request.POST.get("power", ""))
        when, autumn = request.POST.get("when", "")[:16], bool(request.POST.get("autumn"))
        return [
            ProposeEnd(
                number,
                board,
                power,
                when,
                end_vote_panels.holdings_by_power(held, power, request.POST),
                autumn,
            )
        ]

    return _answer(
        request,
        sight,
        number,
        board,
        build,
        _("You have asked to end the game. The other players can see it."),
    )


@player_actions.player_action
def answer_end_vote(
    request: HttpRequest, sight: TournamentViewer, number: int, board: int, vote: int
) -> HttpResponse:
    """Forbid it, let ballots be cast, cast one, or ask no longer."""
    if vote not in round_views.public_board_or_404(sight, number, board).votes:
        raise Http404
    what = request.POST.get("what", "")
    said = {
        "veto": _("Veto recorded: the game goes on."),
        "open": _("Voting is open."),
        "yes": _("Vote saved. It stays secret."),
        "no": _("Vote saved. It stays secret."),
        "withdraw": _("Request withdrawn."),
    }

    def build(event: Event) -> list[EventAct]:
        mine = powers_played_by(board_of(event, number, board), sight.person_number)
        if not mine:
            raise ActRefused(
                "act_not_at_board", person=str(sight.person_number), round=str(number), board=str(board)
            )
        return [_act(event, mine, number, board, vote, what, request.POST.get("power", ""))]

    if what not in said:
        raise Http404
    return _answer(request, sight, number, board, build, said[what])


def _act(
    event: Event, mine: tuple[str, ...], number: int, at: int, vote: int, what: str, power: str
) -> EventAct:
    asked = board_of(event, number, at).votes.get(vote)
    if what == "open":
        if asked is not None and asked.by in mine:  # he has said who is still alive: another one looks
            raise ActRefused("act_vote_asker_opens")
        return OpenEndVote(number, at, vote)
    if what == "withdraw":
        if asked is None or asked.by not in mine:
            raise ActRefused("act_vote_not_yours")
        return WithdrawEndVote(number, at, vote)
    own = power if power in mine else mine[0]
    if what == "veto":
        return VetoEnd(number, at, vote, own)
    return CastEndBallot(number, at, vote, own, what == "yes")
