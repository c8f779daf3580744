"""Choosing one's team, until the seats of its round are drawn."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.team_acts import (
    AnswerTeamRequest,
    AskToJoinTeam,
    ChangeTeam,
    DissolveTeam,
    FormTeam,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventTeam
from talleyrand.web.tournaments.event_journal import ActsBuilder
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import own_page_views, player_actions
from .forms import whole_number_or_none
from .own_team import may_choose_team, requested_team_of, team_of, wanted_team_of

LONGEST = 60  # characters of a name


@player_actions.player_action
def choose_team(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """One's own team: a new one, none, or one that there is, whose members have to agree."""
    number, wanted = sight.person_number, request.POST.get("team", "")
    name = one_line_name(request.POST.get("name", ""))[:LONGEST]

    def build(event: Event) -> list[EventAct]:
        _check_open(event)
        if wanted == "none":
            return [*_unasked(event, number), *_leave_acts(event, number)]
        if wanted == "new":
            return [*_leave_acts(event, number), FormTeam(EventTeam(name, (number,)))]
        return _asks(event, number, whole_number_or_none(wanted))

    asks = whole_number_or_none(wanted) not in (-1, wanted_team_of(sight.visible_event, number))
    said = _("Saved. A member of the team, or the desk, must agree.") if asks else _("Team saved.")
    return _answered(request, sight, build, said)


@player_actions.player_action
def answer_team_request(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Somebody asks to join one's team: yes or no."""
    number, yes = sight.person_number, request.POST.get("yes") == "1"
    who = whole_number_or_none(request.POST.get("person", ""))

    def build(event: Event) -> list[EventAct]:
        _check_open(event)
        held = team_of(event, number)
        if held is None:
            raise ActRefused("act_no_team", number="0")
        if yes and who in held[1].members:  # another member was quicker
            return []
        return [AnswerTeamRequest(held[0], who, number, yes)]

    return _answered(request, sight, build, _("Answer saved."))


def _answered(request: HttpRequest, sight: TournamentViewer, build: ActsBuilder, said: str) -> HttpResponse:
    return player_actions.player_action_response(
        request,
        sight,
        build,
        said=said,
        way=reverse("tournaments:mine", args=[sight.tournament.key]),
        again=lambda fresh, refusal: own_page_views.render_own_page(request, fresh, refusal),
    )


def _check_open(event: Event) -> None:
    if not may_choose_team(event):
        raise ActRefused("act_teams_settled")


def _asks(event: Event, who: int, at: int) -> list[EventAct]:
    """Its members have to agree, where it has any."""
    if at not in event.teams:
        raise ActRefused("act_no_team", number=str(at))
    asked = event.teams[at]
    if who in asked.members:
        return _unasked(event, who)
    if not asked.members:
        return [*_leave_acts(event, who), ChangeTeam(at, replace(asked, members=(who,)))]
    return [] if who in asked.asking else [AskToJoinTeam(who, at)]


def _unasked(event: Event, who: int) -> list[EventAct]:
    return [AskToJoinTeam(who, 0)] if requested_team_of(event, who) else []


def _leave_acts(event: Event, who: int) -> list[EventAct]:
    """He leaves his team; one that nobody is left in is no more."""
    held = team_of(event, who)
    if held is None:
        return []
    at, known = held
    members = tuple(one for one in known.members if one != who)
    return [ChangeTeam(at, replace(known, members=members)) if members else DissolveTeam(at)]
