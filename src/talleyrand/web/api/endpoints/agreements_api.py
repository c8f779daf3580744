"""What players settle among themselves: absences, pauses, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Literal

from django.http import Http404
from django.utils import timezone
from pydantic import Field

from talleyrand.web.api.api_errors import ApiError
from talleyrand.web.api.authentication import TokenRequest, open_game
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    GameKey,
    Moment,
    RequestSchema,
    ResponseSchema,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import game_lifecycle, phase_deadlines, visibility
from talleyrand.web.games.endings import (
    agreed_end,
    end_proposal_rules,
    end_proposals,
    end_texts,
)
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal, EndProposalState
from talleyrand.web.games.lobby import absences, pause_requests
from talleyrand.web.games.models import Absence, EndProposal
from talleyrand.web.games.viewer_permissions import GameViewer

from .game_setup_api import (
    RowId,
    ShortText,
    open_as_player,
    reloaded_game,
    setup_errors,
)
from .games_api import GameOut

RESOURCE = Resource("agreements")
CountedPosition = Literal["now", "last_adjustments", "autumn_disorder"]


class AbsenceOut(ResponseSchema):
    id: int
    since: Moment
    until: Moment
    mine: bool
    player: str | None = Field(description=_("Null where the players’ identities are secret."))


class AbsencesOut(ResponseSchema):
    items: list[AbsenceOut]


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


@RESOURCE.read_view(
    "/games/{key}/absences",
    _("Upcoming absences: yours, and those of others where everyone knows who plays what."),
    AbsencesOut,
    Scope.TABLES,
)
def list_absences(request: TokenRequest, key: GameKey) -> object:
    sight = open_game(request, key)
    if not sight.role:
        raise Http404
    coming = visibility.visible_absences(sight).filter(ends_at__gt=timezone.now()).select_related("person")
    return {"items": [_away(sight, one) for one in coming]}


@RESOURCE.change_view(
    "POST", "/games/{key}/absences", _("Announce an absence."), AbsenceOut, Scope.TABLES, status=201
)
def announce_absence(request: TokenRequest, key: GameKey, sent: AbsenceIn) -> object:
    sight = open_as_player(request, key)
    zone = phase_deadlines.deadline_settings_of(sight.game).time_zone
    with setup_errors():
        since, until = absences.absence_period(sent.first.isoformat(), sent.last.isoformat(), zone)
        made = absences.announce_absence(sight.game, request.auth.person, since, until)
    if sight.game.phase_number:
        game_lifecycle.recompute_for_absences(sight.game, timezone.now())
    return _away(sight, made)


@RESOURCE.change_view(
    "DELETE", "/games/{key}/absences/{row}", _("Cancel an absence."), None, Scope.TABLES, status=204
)
def withdraw_absence(request: TokenRequest, key: GameKey, row: RowId) -> None:
    sight = open_as_player(request, key)
    with setup_errors():
        absences.withdraw_absence(sight.game, request.auth.person, row)


@RESOURCE.change_view(
    "POST",
    "/games/{key}/pause",
    _("Request a pause. A game master is notified; without one, it begins once all players have asked."),
    PauseOut,
    Scope.TABLES,
)
def ask_pause(request: TokenRequest, key: GameKey) -> object:
    sight = open_as_player(request, key)
    with setup_errors():
        return {"paused": pause_requests.ask_for_pause(sight.game, request.auth.person, timezone.now())}


@RESOURCE.change_view(
    "POST",
    "/games/{key}/go-on",
    _("End the pause of a game that has no game master."),
    GameOut,
    Scope.TABLES,
)
def end_pause(request: TokenRequest, key: GameKey) -> object:
    sight = open_as_player(request, key)
    with setup_errors():
        pause_requests.end_pause(sight.game, request.auth.person, timezone.now())
    return reloaded_game(sight)


def _away(sight: GameViewer, found: Absence) -> dict[str, Any]:
    mine = found.person_id == (sight.person.pk if sight.person else 0)
    named = found.person.name if sight.may_see_players else None
    return {"id": found.pk, "since": found.starts_at, "until": found.ends_at, "mine": mine, "player": named}


# the end of the game


@RESOURCE.read_view(
    "/games/{key}/proposals", _("Proposals to end a game, newest first."), ProposalsOut, Scope.READ
)
def list_proposals(request: TokenRequest, key: GameKey) -> object:
    sight = open_game(request, key)
    talks = EndProposalState(sight.game)
    found = EndProposal.objects.filter(game=sight.game).order_by("-pk")[:20]
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


@RESOURCE.change_view(
    "POST",
    "/games/{key}/proposals",
    _("Propose to end the game."),
    ProposalOut,
    Scope.TABLES,
    status=201,
)
def make_proposal(request: TokenRequest, key: GameKey, sent: ProposalIn) -> object:
    sight = _speaking(request, key, sent.power)
    with _taking():
        made = end_proposals.propose_end(sight.game, sent.power, sent.number, sent.counts, timezone.now())
    agreed_end.end_game_if_just_agreed(sight.game)
    return _facts(sight, EndProposalState(sight.game), EndProposal.objects.get(pk=made.pk))


@RESOURCE.change_view(
    "POST",
    "/games/{key}/proposals/{row}/answers",
    _("Veto a proposal or let it be voted on; then vote yes or no. No one sees your vote."),
    ProposalOut,
    Scope.TABLES,
)
def answer_proposal(request: TokenRequest, key: GameKey, row: RowId, sent: ProposalAnswerIn) -> object:
    sight = _speaking(request, key, sent.power)
    _there(sight, row)
    with _taking():
        end_proposals.answer_end_proposal(sight.game, row, sent.power, sent.choice, timezone.now())
    agreed_end.end_game_if_just_agreed(sight.game)
    return _facts(sight, EndProposalState(sight.game), _there(sight, row))


@RESOURCE.change_view(
    "DELETE", "/games/{key}/proposals/{row}", _("Withdraw your proposal."), None, Scope.TABLES, status=204
)
def withdraw_proposal(request: TokenRequest, key: GameKey, row: RowId) -> None:
    sight = open_as_player(request, key)
    found = _there(sight, row)
    if found.proposer not in sight.orderable_powers:
        raise Http404
    with _taking():
        end_proposals.withdraw_end_proposal(sight.game, row, found.proposer, timezone.now())


def _speaking(request: TokenRequest, key: str, power: str) -> GameViewer:
    sight = open_game(request, key)
    if power not in sight.orderable_powers:
        raise Http404
    return sight


def _there(sight: GameViewer, row: int) -> EndProposal:
    found = EndProposal.objects.filter(game=sight.game, pk=row).first()
    if found is None:
        raise Http404
    return found


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


@contextmanager
def _taking() -> Iterator[None]:
    try:
        yield
    except EndProposalRefusal as refused:
        raise ApiError(409, refused.code, end_texts.end_refusal_text(refused.code)) from None
