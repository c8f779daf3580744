"""Teams at the desk, and pairs that are never seated together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament import regulations
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.team_acts import KeepApart
from talleyrand.tournament.board_rules import CLASSIC, FULL_BOARD, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventTeam
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts
from .desk_views import DeskRequest, desk_response, edit_mark, for_desk
from .form_fields import DeskFormField, FieldOption, FormFields
from .form_parsing import FormAction


@for_desk
def teams_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Teams, and pairs that are kept apart."""
    return desk_response(request, sight, "teams.html", _teams, builders={"apart": _apart})


def _apart(event: Event, pressed: FormAction) -> EventAct:
    del event
    if not pressed.value("first") or not pressed.value("second"):
        raise ActRefused("act_nobody")
    return KeepApart(pressed.number("first"), pressed.number("second"))


def _teams(visit: DeskRequest) -> dict[str, Any]:
    event, form = visit.event, FormFields(visit, "team_formed")
    held = {who for team in event.teams.values() for who in team.members}
    every = [(str(at), event.people[at].name) for at in desk_texts.alphabetical(event)]
    free = [(at, name) for at, name in every if int(at) not in held]
    return {
        "section": "people",
        "teams": [
            {**_team(visit, at, team), "options": _members(team.members, every, held)}
            for at, team in sorted(event.teams.items())
        ],
        "new_name": form.field("team.name", _("Team name"), required=True),
        "new_members": form.checks("team.members", _("Members"), (), free),
        "every": every,
        "apart": [(*pair, *(desk_texts.person_name(event, who) for who in pair)) for pair in event.apart],
    }


def _team(visit: DeskRequest, number: int, team: EventTeam) -> dict[str, Any]:
    event = visit.event
    return {
        "number": number,
        "name": team.name,
        "seen": edit_mark(event, f"teams.{number}"),
        "members": [(who, desk_texts.person_name(event, who)) for who in team.members],
        "asking": [(who, desk_texts.person_name(event, who)) for who in team.asking],
        "powers": _powers(visit, number, team),
        "open": bool(visit.refusal_text) and visit.typed("number") == str(number),
    }


def _powers(visit: DeskRequest, number: int, team: EventTeam) -> list[DeskFormField]:
    """Who plays what, for a team of seven in regulations that have teams; nothing for others."""
    rules = regulations.read_regulations(visit.event.regulations)
    if len(team.members) < FULL_BOARD or not any(one.teams for one in rules.rounds):
        return []
    pressed = visit.action if visit.typed("number") == str(number) else None
    typed = pressed.values if pressed and pressed.name == "powers_chosen" else {}
    chosen = dict(team.powers)
    options = (
        ("", _("drawn at random")),
        *((code, desk_texts.power_name(code)) for code in variant_powers(CLASSIC)),
    )
    return [
        DeskFormField(
            name := f"powers.{who}",
            desk_texts.person_name(visit.event, who),
            typed.get(name, (chosen.get(who, ""),)),
            "select",
            options,
            form=f"team-{number}",
        )
        for who in team.members
    ]


def _members(own: Iterable[int], every: list[FieldOption], held: set[int]) -> list[tuple[str, str, bool]]:
    mine = set(map(str, own))
    return [(at, name, at in mine) for at, name in every if at in mine or int(at) not in held]
