"""Teams, and pairs that are never seated together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Team

from .act import Act, check_text, next_number, person

LARGEST = 7  # members of a team


@dataclass(frozen=True)
class FormTeam(Act):
    """A team, by its members' choice."""

    kind: ClassVar[str] = "team_formed"
    team: Team

    def on(self, event: Event) -> Event:
        """Under the next number; nobody is in two teams (`sound_two_teams`)."""
        return _with_team(event, next_number(event.teams), self.team)


@dataclass(frozen=True)
class ChangeTeam(Act):
    """Another name, or other members."""

    kind: ClassVar[str] = "team_changed"
    number: int
    team: Team

    def on(self, event: Event) -> Event:
        """In its place."""
        _check(event, self.number)
        return _with_team(event, self.number, self.team)


@dataclass(frozen=True)
class DissolveTeam(Act):
    """A team is no more."""

    kind: ClassVar[str] = "team_dissolved"
    number: int

    def on(self, event: Event) -> Event:
        """Its members are free."""
        _check(event, self.number)
        return replace(event, teams={at: one for at, one in event.teams.items() if at != self.number})


@dataclass(frozen=True)
class SetTeams(Act):
    """All teams at once, as the lot has drawn loners into them."""

    kind: ClassVar[str] = "teams_set"
    teams: Mapping[int, Team]

    def on(self, event: Event) -> Event:
        """In place of all there were."""
        event = replace(event, teams={})
        for number, team in self.teams.items():
            event = _with_team(event, number, team)
        return event


def _check(event: Event, number: int) -> None:
    if number not in event.teams:
        raise Refused("act_no_team", number=str(number))


def _with_team(event: Event, number: int, team: Team) -> Event:
    for who in team.members:
        person(event, who)
    if len(team.members) > LARGEST:
        raise Refused("act_team_large", most=str(LARGEST))
    told = Team(check_text(team.name), tuple(dict.fromkeys(team.members)))
    return replace(event, teams={**event.teams, number: told})


@dataclass(frozen=True)
class KeepApart(Act):
    """Two people are never seated together; or they may be (`apart` false)."""

    kind: ClassVar[str] = "kept_apart"
    first: int
    second: int
    apart: bool = True

    def on(self, event: Event) -> Event:
        """Twice is once, whoever is named first."""
        for who in (self.first, self.second):
            person(event, who)
        if self.first == self.second:
            raise Refused("act_same_person", person=str(self.first))
        pair = (min(self.first, self.second), max(self.first, self.second))
        others = {one for one in event.apart if one != pair}
        return replace(event, apart=tuple(sorted({*others, pair} if self.apart else others)))


ACTS: tuple[type[Act], ...] = (FormTeam, ChangeTeam, DissolveTeam, SetTeams, KeepApart)
