"""Buttons of a vote to end a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.act import board as board_of
from talleyrand.tournament.acts.endings import AskEnd, CastEnd, OpenEnd, VetoEnd, WithdrawEnd
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.tournament.public import powers_of
from talleyrand.web.tournaments.sight import Sight

from . import round_pages, visiting, votes


def _answer(
    request: HttpRequest, sight: Sight, number: int, at: int, build: visiting.Build, said: str
) -> HttpResponse:
    return visiting.answered(
        request,
        sight,
        build,
        said=said,
        way=f"{round_pages.way(sight, number, at)}#end",
        again=lambda fresh, refusal: round_pages.show(request, fresh, number, at, refusal, "vote"),
    )


def _own(event: Event, number: int, at: int, me: int, power: str) -> str:
    """A power of the board that one plays; raises Refused."""
    if power not in powers_of(board_of(event, number, at), me):
        raise Refused("act_not_at_board", person=str(me), round=str(number), board=str(at))
    return power


@visiting.deed
def ask(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """A player asks for the end."""
    round_pages.held_of(sight, number, board)

    def build(event: Event) -> list[Act]:
        held = board_of(event, number, board)
        power = _own(event, number, board, sight.number, request.POST.get("power", ""))
        when, autumn = request.POST.get("when", "")[:16], bool(request.POST.get("autumn"))
        return [AskEnd(number, board, power, when, votes.table_of(held, power, request.POST), autumn)]

    return _answer(
        request, sight, number, board, build, _("You have asked for the end: the others are told.")
    )


@visiting.deed
def answer(request: HttpRequest, sight: Sight, number: int, board: int, vote: int) -> HttpResponse:
    """Forbid it, let ballots be cast, cast one, or ask no longer."""
    if vote not in round_pages.held_of(sight, number, board).votes:
        raise Http404
    what = request.POST.get("what", "")
    said = {
        "veto": _("You have forbidden it: the game goes on."),
        "open": _("Ballots may be cast."),
        "yes": _("Your ballot is cast. Nobody is told what it says."),
        "no": _("Your ballot is cast. Nobody is told what it says."),
        "withdraw": _("The end is asked no longer."),
    }

    def build(event: Event) -> list[Act]:
        mine = powers_of(board_of(event, number, board), sight.number)
        if not mine:
            raise Refused("act_not_at_board", person=str(sight.number), round=str(number), board=str(board))
        return [_act(event, mine, number, board, vote, what, request.POST.get("power", ""))]

    if what not in said:
        raise Http404
    return _answer(request, sight, number, board, build, said[what])


def _act(event: Event, mine: tuple[str, ...], number: int, at: int, vote: int, what: str, power: str) -> Act:
    asked = board_of(event, number, at).votes.get(vote)
    if what == "open":
        if asked is not None and asked.by in mine:  # he has said who is still alive: another one looks
            raise Refused("act_vote_asker_opens")
        return OpenEnd(number, at, vote)
    if what == "withdraw":
        if asked is None or asked.by not in mine:
            raise Refused("act_vote_not_yours")
        return WithdrawEnd(number, at, vote)
    own = power if power in mine else mine[0]
    if what == "veto":
        return VetoEnd(number, at, vote, own)
    return CastEnd(number, at, vote, own, what == "yes")
