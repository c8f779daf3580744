"""Choosing one's team, until the seats of its round are drawn."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.formats.signs import on_one_line
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.teams import AnswerTeam, AskTeam, ChangeTeam, DissolveTeam, FormTeam
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Team
from talleyrand.web.tournaments.sight import Sight

from . import mine_pages, visiting
from .entering import whole
from .teams import asked_of, may_choose, team_of, wished

LONGEST = 60  # characters of a name


@visiting.deed
def team(request: HttpRequest, sight: Sight) -> HttpResponse:
    """One's own team: a new one, none, or one that there is, whose members have to agree."""
    number, wanted = sight.number, request.POST.get("team", "")
    name = on_one_line(request.POST.get("name", ""))[:LONGEST]

    def build(event: Event) -> list[Act]:
        _check_open(event)
        if wanted == "none":
            return [*_unasked(event, number), *_without(event, number)]
        if wanted == "new":
            return [*_without(event, number), FormTeam(Team(name, (number,)))]
        return _asks(event, number, whole(wanted))

    asks = whole(wanted) not in (-1, wished(sight.shown, number))
    said = _("Noted. Somebody of the team, or the desk, has to agree.") if asks else _("Your team is noted.")
    return _answered(request, sight, build, said)


@visiting.deed
def answer_team(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Somebody asks to join one's team: yes or no."""
    number, yes = sight.number, request.POST.get("yes") == "1"
    who = whole(request.POST.get("person", ""))

    def build(event: Event) -> list[Act]:
        _check_open(event)
        held = team_of(event, number)
        if held is None:
            raise Refused("act_no_team", number="0")
        if yes and who in held[1].members:  # another member was quicker
            return []
        return [AnswerTeam(held[0], who, number, yes)]

    return _answered(request, sight, build, _("Your answer is noted."))


def _answered(request: HttpRequest, sight: Sight, build: visiting.Build, said: str) -> HttpResponse:
    return visiting.answered(
        request,
        sight,
        build,
        said=said,
        way=reverse("tournaments:mine", args=[sight.tournament.key]),
        again=lambda fresh, refusal: mine_pages.show(request, fresh, refusal),
    )


def _check_open(event: Event) -> None:
    if not may_choose(event):
        raise Refused("act_teams_settled")


def _asks(event: Event, who: int, at: int) -> list[Act]:
    """Its members have to agree, where it has any."""
    if at not in event.teams:
        raise Refused("act_no_team", number=str(at))
    asked = event.teams[at]
    if who in asked.members:
        return _unasked(event, who)
    if not asked.members:
        return [*_without(event, who), ChangeTeam(at, replace(asked, members=(who,)))]
    return [] if who in asked.asking else [AskTeam(who, at)]


def _unasked(event: Event, who: int) -> list[Act]:
    return [AskTeam(who, 0)] if asked_of(event, who) else []


def _without(event: Event, who: int) -> list[Act]:
    """He leaves his team; one that nobody is left in is no more."""
    held = team_of(event, who)
    if held is None:
        return []
    at, known = held
    members = tuple(one for one in known.members if one != who)
    return [ChangeTeam(at, replace(known, members=members)) if members else DissolveTeam(at)]
