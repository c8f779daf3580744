"""Teams at the desk, and pairs that are never seated together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.tournament import regulations
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.teams import KeepApart
from talleyrand.tournament.boards import CLASSIC, FULL, powers_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Team
from talleyrand.web.tournaments.sight import Sight

from . import words
from .doors import Visit, answer, at_desk, seen
from .fields import Field, Form, Option
from .pressing import Pressed


@at_desk
def teams(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Teams, and pairs that are kept apart."""
    return answer(request, sight, "teams.html", _teams, builders={"apart": _apart})


def _apart(event: Event, pressed: Pressed) -> Act:
    del event
    if not pressed.get("first") or not pressed.get("second"):
        raise Refused("act_nobody")
    return KeepApart(pressed.number("first"), pressed.number("second"))


def _teams(visit: Visit) -> dict[str, Any]:
    event, form = visit.event, Form(visit, "team_formed")
    held = {who for team in event.teams.values() for who in team.members}
    every = [(str(at), event.people[at].name) for at in words.in_order(event)]
    free = [(at, name) for at, name in every if int(at) not in held]
    return {
        "section": "people",
        "teams": [
            {**_team(visit, at, team), "options": _members(team.members, every, held)}
            for at, team in sorted(event.teams.items())
        ],
        "new_name": form.field("team.name", _("Name of the team"), required=True),
        "new_members": form.checks("team.members", _("Members"), (), free),
        "every": every,
        "apart": [(*pair, *(words.name_of(event, who) for who in pair)) for pair in event.apart],
    }


def _team(visit: Visit, number: int, team: Team) -> dict[str, Any]:
    event = visit.event
    return {
        "number": number,
        "name": team.name,
        "seen": seen(event, f"teams.{number}"),
        "members": [(who, words.name_of(event, who)) for who in team.members],
        "asking": [(who, words.name_of(event, who)) for who in team.asking],
        "powers": _powers(visit, number, team),
        "open": bool(visit.refused) and visit.typed("number") == str(number),
    }


def _powers(visit: Visit, number: int, team: Team) -> list[Field]:
    """Who plays what, for a team of seven in regulations that have teams; nothing for others."""
    rules = regulations.read(visit.event.regulations)
    if len(team.members) < FULL or not any(one.teams for one in rules.rounds):
        return []
    pressed = visit.pressed if visit.typed("number") == str(number) else None
    typed = pressed.typed if pressed and pressed.name == "powers_chosen" else {}
    chosen = dict(team.powers)
    options = (("", _("by lot")), *((code, words.power(code)) for code in powers_of(CLASSIC)))
    return [
        Field(
            name := f"powers.{who}",
            words.name_of(visit.event, who),
            typed.get(name, (chosen.get(who, ""),)),
            "select",
            options,
            form=f"team-{number}",
        )
        for who in team.members
    ]


def _members(own: Iterable[int], every: list[Option], held: set[int]) -> list[tuple[str, str, bool]]:
    mine = set(map(str, own))
    return [(at, name, at in mine) for at, name in every if at in mine or int(at) not in held]
