"""Teams, and pairs that are never seated together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from talleyrand.tournament.boards import CLASSIC, powers_of
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
        return _with_team(event, self.number, self.team, event.teams[self.number])


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
        """In place of all there were; what members have chosen to play stays."""
        known, event = event.teams, replace(event, teams={})
        for number, team in self.teams.items():
            event = _with_team(event, number, team, known.get(number))
        return event


def _check(event: Event, number: int) -> None:
    if number not in event.teams:
        raise Refused("act_no_team", number=str(number))


def _with_team(event: Event, number: int, team: Team, known: Team | None = None) -> Event:
    for who in team.members:
        person(event, who)
    if len(team.members) > LARGEST:
        raise Refused("act_team_large", most=str(LARGEST))
    chosen = team.powers or (known.powers if known else ())
    powers = {who: power for who, power in chosen if who in team.members}
    _check_powers(powers)
    told = Team(check_text(team.name), tuple(dict.fromkeys(team.members)), tuple(sorted(powers.items())))
    return replace(event, teams={**event.teams, number: told})


def _check_powers(powers: Mapping[int, str]) -> None:
    """Raise Refused: a power there is not (`act_no_power`), or one for two members (`act_power_twice`)."""
    known = powers_of(CLASSIC)
    for power in powers.values():
        if power not in known:
            raise Refused("act_no_power", power=power[:40], powers=", ".join(known))
        if list(powers.values()).count(power) > 1:
            raise Refused("act_power_twice", power=power)


@dataclass(frozen=True)
class ChoosePowers(Act):
    """The powers that the members of a team have chosen among themselves; none: the lot says them again.

    They count where the teams of the regulations play on seven boards or more and all seven members do.
    """

    kind: ClassVar[str] = "powers_chosen"
    number: int
    powers: Mapping[int, str] = field(default_factory=dict)

    def on(self, event: Event) -> Event:
        """In place of what they had chosen; raises Refused (`act_not_in_team`, `act_power_twice`)."""
        _check(event, self.number)
        team = event.teams[self.number]
        for who in self.powers:
            person(event, who)
            if who not in team.members:
                raise Refused("act_not_in_team", person=str(who), team=team.name)
        _check_powers(self.powers)
        teams = {**event.teams, self.number: replace(team, powers=tuple(sorted(self.powers.items())))}
        return replace(event, teams=teams)


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


ACTS: tuple[type[Act], ...] = (FormTeam, ChangeTeam, DissolveTeam, SetTeams, ChoosePowers, KeepApart)
