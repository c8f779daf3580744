"""Somebody's team on his own page: his, those he may ask to join, those who ask to join his."""

from __future__ import annotations

from dataclasses import dataclass

from talleyrand.tournament import timing
from talleyrand.tournament.model import Event, Team

from . import regulating, words
from .entering import OPEN
from .showing import Somebody


@dataclass(frozen=True)
class Teamed:
    """`name`: of his team, or ""; `asked`: of the one that he asks to join; `asking`: who asks to join his.

    `every`: all teams, by number and name. `open`: whether they may still be chosen.
    """

    name: str
    asked: str
    asking: tuple[Somebody, ...]
    every: tuple[tuple[int, str], ...]
    open: bool


def shown(event: Event, who: int) -> Teamed:
    """His team; `event`: as he may see it."""
    held, asked = team_of(event, who), asked_of(event, who)
    asking = held[1].asking if held else ()
    return Teamed(
        name=held[1].name if held else "",
        asked=event.teams[asked].name if asked else "",
        asking=tuple(Somebody(one, event.people[one].name) for one in words.in_order(event, asking)),
        every=tuple((at, team.name) for at, team in event.teams.items()),
        open=may_choose(event),
    )


def team_of(event: Event, who: int) -> tuple[int, Team] | None:
    """The team that somebody is of, with its number."""
    return next(((at, team) for at, team in event.teams.items() if who in team.members), None)


def asked_of(event: Event, who: int) -> int:
    """The number of the team that somebody asks to join, or 0."""
    return next((at for at, team in event.teams.items() if who in team.asking), 0)


def wished(event: Event, who: int) -> int:
    """The number of the team that he asks to join, else of his own, or 0."""
    held = team_of(event, who)
    return asked_of(event, who) or (held[0] if held else 0)


def may_choose(event: Event) -> bool:
    """Teams are chosen until the seats of their round are drawn."""
    rules = regulating.rules_of(event)
    if not regulating.prizes_of(event, regulating.TEAM):
        return False
    rounds = [one for at, one in event.rounds.items() if timing.rule_of(rules, at).teams]
    return all(one.state in OPEN for one in rounds) and not event.over
