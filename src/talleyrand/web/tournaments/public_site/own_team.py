"""Somebody's team on his own page: his, those he may ask to join, those who ask to join his."""

from __future__ import annotations

from dataclasses import dataclass

from talleyrand.tournament import round_timing
from talleyrand.tournament.model import Event, EventTeam

from . import public_texts, regulations_texts
from .forms import OPEN_ROUND_STATES
from .public_boards import PersonName


@dataclass(frozen=True)
class OwnTeam:
    """`name`: of his team, or ""; `asked`: of the one that he asks to join; `asking`: who asks to join his.

    `every`: all teams, by number and name. `open`: whether they may still be chosen.
    """

    name: str
    asked: str
    asking: tuple[PersonName, ...]
    every: tuple[tuple[int, str], ...]
    open: bool


def own_team(event: Event, who: int) -> OwnTeam:
    """His team; `event`: as he may see it."""
    held, asked = team_of(event, who), requested_team_of(event, who)
    asking = held[1].asking if held else ()
    return OwnTeam(
        name=held[1].name if held else "",
        asked=event.teams[asked].name if asked else "",
        asking=tuple(
            PersonName(one, event.people[one].name) for one in public_texts.alphabetical(event, asking)
        ),
        every=tuple((at, team.name) for at, team in event.teams.items()),
        open=may_choose_team(event),
    )


def team_of(event: Event, who: int) -> tuple[int, EventTeam] | None:
    """The team that somebody is of, with its number."""
    return next(((at, team) for at, team in event.teams.items() if who in team.members), None)


def requested_team_of(event: Event, who: int) -> int:
    """The number of the team that somebody asks to join, or 0."""
    return next((at for at, team in event.teams.items() if who in team.asking), 0)


def wanted_team_of(event: Event, who: int) -> int:
    """The number of the team that he asks to join, else of his own, or 0."""
    held = team_of(event, who)
    return requested_team_of(event, who) or (held[0] if held else 0)


def may_choose_team(event: Event) -> bool:
    """Teams are chosen until the seats of their round are drawn."""
    rules = regulations_texts.regulations_of(event)
    if not regulations_texts.prizes_of_kind(event, regulations_texts.TEAM):
        return False
    rounds = [one for at, one in event.rounds.items() if round_timing.round_rule(rules, at).teams]
    return all(one.state in OPEN_ROUND_STATES for one in rounds) and not event.over
