"""What players settle among themselves: absences, pauses, and the end of the game."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from pydantic import Field

from talleyrand.web.api.api_errors import ApiError
from talleyrand.web.api.authentication import TokenRequest, open_as_member, open_as_player, open_game
from talleyrand.web.api.resource import Refusals, Resource
from talleyrand.web.api.schemas import Moment, RequestSchema, ResponseSchema, list_out
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import game_lifecycle, phase_deadlines, visibility
from talleyrand.web.games.endings import agreed_end, end_proposal_rules, end_proposals, end_texts
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal, EndProposalState
from talleyrand.web.games.lobby import absences, pause_requests
from talleyrand.web.games.models import Absence, EndProposal
from talleyrand.web.games.viewer_permissions import GameViewer

from .game_setup_api import SETUP_REFUSALS, RowId, ShortText, reloaded_game
from .games_api import GameOut

AGREEMENT_REFUSALS: Refusals = {
    **SETUP_REFUSALS,
    EndProposalRefusal: lambda refused, _sight: ApiError(
        409, refused.code, end_texts.end_refusal_text(refused.code)
    ),
}
RESOURCE = Resource("agreements", Scope.TABLES, sight=open_as_player, refused=AGREEMENT_REFUSALS)
CountedPosition = Literal["now", "last_adjustments", "autumn_disorder"]


class AbsenceOut(ResponseSchema):
    id: int
    since: Moment
    until: Moment
    mine: bool
    player: str | None = Field(description=_("Null where the players’ identities are secret."))


class AbsenceIn(RequestSchema):
    first: date = Field(description=_("The first day, in the game’s time zone."))
    last: date = Field(description=_("The last day."))


class PauseOut(ResponseSchema):
    paused: bool = Field(description=_("Whether the game is paused now: all players had to ask for it."))


class ProposalAnswerOut(ResponseSchema):
    power: str
    choice: Literal["", "veto", "pass", "yes", "no"] = Field(description=_("The answer so far."))


class ProposalOut(ResponseSchema):
    id: int
    number: int
    phase: str
    power: str = Field(description=_("Who proposes."))
    counts: CountedPosition = Field(description=_("Which position counts."))
    state: Literal["vetoes", "voting", "accepted", "vetoed", "refused", "lapsed"]
    made: Moment
    closes: Moment | None = Field(description=_("When silence counts as an answer."))
    closed: Moment | None
    vetoes: list[str] = Field(description=_("The powers that have vetoed: only this is public."))
    asked: list[ProposalAnswerOut] = Field(
        description=_("Your powers that must answer; for a token with `tables`.")
    )


class ProposalsOut(ResponseSchema):
    items: list[ProposalOut]
    choices: list[CountedPosition] = Field(
        description=_("The positions that a proposal can be based on now.")
    )


class ProposalIn(RequestSchema):
    power: ShortText
    number: int = Field(ge=1, le=100_000, description=_("The current phase."))
    counts: CountedPosition = "now"


class ProposalAnswerIn(RequestSchema):
    power: ShortText
    choice: Literal["veto", "pass", "yes", "no"]


# absences and pauses


@RESOURCE.get(
    "/games/{key}/absences",
    _("Upcoming absences: yours, and those of others where everyone knows who plays what."),
    list_out("AbsencesOut", AbsenceOut),
    sight=open_as_member,
)
def list_absences(sight: GameViewer) -> object:
    coming = visibility.visible_absences(sight).filter(ends_at__gt=timezone.now()).select_related("person")
    return {"items": [_away(sight, one) for one in coming]}


@RESOURCE.post("/games/{key}/absences", _("Announce an absence."), AbsenceOut, status=201)
def announce_absence(request: TokenRequest, sight: GameViewer, sent: AbsenceIn) -> object:
    zone = phase_deadlines.deadline_settings_of(sight.game).time_zone
    since, until = absences.absence_period(sent.first.isoformat(), sent.last.isoformat(), zone)
    made = absences.announce_absence(sight.game, request.auth.person, since, until)
    if sight.game.phase_number:
        game_lifecycle.recompute_for_absences(sight.game, timezone.now())
    return _away(sight, made)


@RESOURCE.delete("/games/{key}/absences/{row}", _("Cancel an absence."))
def withdraw_absence(request: TokenRequest, sight: GameViewer, row: RowId) -> None:
    absences.withdraw_absence(sight.game, request.auth.person, row)


@RESOURCE.post(
    "/games/{key}/pause",
    _("Request a pause. A game master is notified; without one, it begins once all players have asked."),
    PauseOut,
)
def ask_pause(request: TokenRequest, sight: GameViewer) -> object:
    return {"paused": pause_requests.ask_for_pause(sight.game, request.auth.person, timezone.now())}


@RESOURCE.post("/games/{key}/go-on", _("End the pause of a game that has no game master."), GameOut)
def end_pause(request: TokenRequest, sight: GameViewer) -> object:
    pause_requests.end_pause(sight.game, request.auth.person, timezone.now())
    return reloaded_game(sight)


def _away(sight: GameViewer, found: Absence) -> dict[str, Any]:
    mine = found.person_id == (sight.person.pk if sight.person else 0)
    named = found.person.shown_name if sight.may_see_players else None
    return {"id": found.pk, "since": found.starts_at, "until": found.ends_at, "mine": mine, "player": named}


# the end of the game


@RESOURCE.get(
    "/games/{key}/proposals",
    _("Proposals to end a game, newest first."),
    ProposalsOut,
    scope=Scope.READ,
    sight=open_game,
)
def list_proposals(request: TokenRequest, sight: GameViewer) -> object:
    talks = EndProposalState(sight.game)
    found = visibility.visible_proposals(sight).order_by("-pk")[:20]
    open_now = sight.game.phase_number > 0 and not sight.is_game_over
    offered = (
        [str(one) for one in end_proposal_rules.countable_positions(talks.draw_rule, talks.moment)]
        if open_now
        else []
    )
    items = [_facts(sight, talks, one) for one in found]
    if Scope.TABLES not in request.auth.token.scopes:  # a vote is as secret as a sheet
        items = [{**one, "asked": []} for one in items]
    return {"items": items, "choices": offered}


@RESOURCE.post(
    "/games/{key}/proposals", _("Propose to end the game."), ProposalOut, status=201, sight=open_game
)
def make_proposal(sight: GameViewer, sent: ProposalIn) -> object:
    _check_speaks(sight, sent.power)
    made = end_proposals.propose_end(sight.game, sent.power, sent.number, sent.counts, timezone.now())
    agreed_end.end_game_if_just_agreed(sight.game)
    return _facts(sight, EndProposalState(sight.game), EndProposal.objects.get(pk=made.pk))


@RESOURCE.post(
    "/games/{key}/proposals/{row}/answers",
    _("Veto a proposal or let it be voted on; then vote yes or no. No one sees your vote."),
    ProposalOut,
    sight=open_game,
)
def answer_proposal(sight: GameViewer, row: RowId, sent: ProposalAnswerIn) -> object:
    _check_speaks(sight, sent.power)
    _there(sight, row)
    end_proposals.answer_end_proposal(sight.game, row, sent.power, sent.choice, timezone.now())
    agreed_end.end_game_if_just_agreed(sight.game)
    return _facts(sight, EndProposalState(sight.game), _there(sight, row))


@RESOURCE.delete("/games/{key}/proposals/{row}", _("Withdraw your proposal."))
def withdraw_proposal(sight: GameViewer, row: RowId) -> None:
    found = _there(sight, row)
    _check_speaks(sight, found.proposer)
    end_proposals.withdraw_end_proposal(sight.game, row, found.proposer, timezone.now())


def _check_speaks(sight: GameViewer, power: str) -> None:
    if power not in sight.orderable_powers:
        raise Http404


def _there(sight: GameViewer, row: int) -> EndProposal:
    return get_object_or_404(EndProposal, game=sight.game, pk=row)


def _facts(sight: GameViewer, talks: EndProposalState, proposal: EndProposal) -> dict[str, Any]:
    given = dict(visibility.visible_ballots(sight).filter(proposal=proposal).values_list("power", "choice"))
    voters = talks.voters(proposal) if proposal.closed_at is None else ()
    asked = [
        {"power": power, "choice": given.get(power, "")}
        for power in sight.orderable_powers
        if power in voters
    ]
    vetoes = sorted(power for power, choice in given.items() if choice == "veto")
    return {
        "id": proposal.pk,
        "number": proposal.phase_number,
        "phase": proposal.phase,
        "power": proposal.proposer,
        "counts": proposal.counted_position,
        "state": proposal.state,
        "made": proposal.created_at,
        "closes": proposal.answers_due_at,
        "closed": proposal.closed_at,
        "vetoes": vetoes,
        "asked": asked,
    }
