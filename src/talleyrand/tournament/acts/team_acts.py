"""Teams, and pairs that are never seated together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace

from talleyrand.tournament.board_rules import CLASSIC, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventTeam

from .act import EventAct, check_text, event_act, find_person, next_number

MAX_MEMBERS = 7  # members of a team


@event_act("team_formed")
class FormTeam(EventAct):
    """A team, by its members' choice. Under the next number; nobody is in two teams (`sound_two_teams`), and
    no two teams are called the same (`act_team_known`)."""

    team: EventTeam

    def apply(self, event: Event) -> Event:
        _check_name(event, self.team.name)
        return _with_team(event, next_number(event.teams), self.team)


@event_act("team_changed")
class ChangeTeam(EventAct):
    """Another name, or other members. In its place."""

    number: int
    team: EventTeam

    def apply(self, event: Event) -> Event:
        _check(event, self.number)
        known = event.teams[self.number]
        if self.team.name.casefold() != known.name.casefold():
            _check_name(event, self.team.name)
        return _with_team(event, self.number, self.team, known)


@event_act("team_dissolved")
class DissolveTeam(EventAct):
    """A team is no more. Its members are free."""

    number: int

    def apply(self, event: Event) -> Event:
        _check(event, self.number)
        return replace(event, teams={at: one for at, one in event.teams.items() if at != self.number})


@event_act("teams_set")
class SetTeams(EventAct):
    """All teams at once, as the lot has drawn loners into them. In place of all there were; what members have
    chosen to play stays."""

    teams: Mapping[int, EventTeam]

    def apply(self, event: Event) -> Event:
        known, event = event.teams, replace(event, teams={})
        before = {who for team in known.values() for who in team.members}
        for number, team in self.teams.items():
            event = _with_team(event, number, team, known.get(number))
        return _unasked(event, {who for team in event.teams.values() for who in team.members} - before)


def _check(event: Event, number: int) -> None:
    if number not in event.teams:
        raise ActRefused("act_no_team", number=str(number))


def _check_name(event: Event, name: str) -> None:
    for team in event.teams.values():
        if team.name.casefold() == name.strip().casefold():
            raise ActRefused("act_team_known", team=team.name)


def _with_team(event: Event, number: int, team: EventTeam, known: EventTeam | None = None) -> Event:
    for who in team.members:
        find_person(event, who)
    if len(team.members) > MAX_MEMBERS:
        raise ActRefused("act_team_large", most=str(MAX_MEMBERS))
    chosen = team.powers or (known.powers if known else ())
    powers = {who: power for who, power in chosen if who in team.members}
    _check_powers(powers)
    told = EventTeam(check_text(team.name), tuple(dict.fromkeys(team.members)), tuple(sorted(powers.items())))
    told = replace(told, asking=known.asking if known else ())
    event = replace(event, teams={**event.teams, number: told})
    return _unasked(event, {*told.members} - {*(known.members if known else ())})


def _unasked(event: Event, people: Collection[int]) -> Event:
    """The event where some people ask no team any more."""
    teams = {
        at: replace(one, asking=tuple(who for who in one.asking if who not in people))
        for at, one in event.teams.items()
    }
    return replace(event, teams=teams)


def _check_powers(powers: Mapping[int, str]) -> None:
    """Raise ActRefused: a power there is not (`act_no_power`), or one for two members (`act_power_twice`)."""
    known = variant_powers(CLASSIC)
    for power in powers.values():
        if power not in known:
            raise ActRefused("act_no_power", power=power[:40], powers=", ".join(known))
        if list(powers.values()).count(power) > 1:
            raise ActRefused("act_power_twice", power=power)


@event_act("team_asked")
class AskToJoinTeam(EventAct):
    """Somebody wishes to be of a team that there is; none (0): he wishes it no longer. In place of what he
    wished before; raises ActRefused (`act_in_team`) for his own."""

    person: int
    number: int

    def apply(self, event: Event) -> Event:
        find_person(event, self.person)
        event = _unasked(event, {self.person})
        if not self.number:
            return event
        _check(event, self.number)
        team = event.teams[self.number]
        if self.person in team.members:
            raise ActRefused("act_in_team", person=str(self.person), team=team.name)
        told = replace(team, asking=(*team.asking, self.person))
        return replace(event, teams={**event.teams, self.number: told})


@event_act("team_answered")
class AnswerTeamRequest(EventAct):
    """A member, or the desk (`by` 0), takes somebody who asks into the team, or does not. Whoever is taken
    leaves his team; raises ActRefused (`act_not_in_team`, `act_not_asking`)."""

    number: int
    person: int
    by: int = 0
    yes: bool = True

    def apply(self, event: Event) -> Event:
        _check(event, self.number)
        team = event.teams[self.number]
        if self.by and self.by not in team.members:
            raise ActRefused("act_not_in_team", person=str(self.by), team=team.name)
        if self.person not in team.asking:
            raise ActRefused("act_not_asking", person=str(self.person), team=team.name)
        event = _unasked(event, {self.person})
        if not self.yes:
            return event
        joined = replace(team, members=(*team.members, self.person))
        return _with_team(_left(event, self.person), self.number, joined, event.teams[self.number])


def _left(event: Event, who: int) -> Event:
    """The event where somebody is in no team; one that nobody is left in is no more."""
    teams = dict(event.teams)
    for at, team in event.teams.items():
        if who in team.members:
            members = tuple(one for one in team.members if one != who)
            powers = tuple(one for one in team.powers if one[0] != who)
            teams[at] = replace(team, members=members, powers=powers)
            if not members:
                del teams[at]
    return replace(event, teams=teams)


@event_act("powers_chosen")
class ChooseTeamPowers(EventAct):
    """The powers that the members of a team have chosen among themselves; none: the lot says them again.

    They count where the teams of the regulations play on seven boards or more and all seven members do.
    In place of what they had chosen; raises ActRefused (`act_not_in_team`, `act_power_twice`).
    """

    number: int
    powers: Mapping[int, str] = field(default_factory=dict)

    def apply(self, event: Event) -> Event:
        _check(event, self.number)
        team = event.teams[self.number]
        for who in self.powers:
            find_person(event, who)
            if who not in team.members:
                raise ActRefused("act_not_in_team", person=str(who), team=team.name)
        _check_powers(self.powers)
        teams = {**event.teams, self.number: replace(team, powers=tuple(sorted(self.powers.items())))}
        return replace(event, teams=teams)


@event_act("kept_apart")
class KeepApart(EventAct):
    """Two people are never seated together; or they may be (`apart` false). Twice is once, whoever is named
    first."""

    first: int
    second: int
    apart: bool = True

    def apply(self, event: Event) -> Event:
        for who in (self.first, self.second):
            find_person(event, who)
        if self.first == self.second:
            raise ActRefused("act_same_person", person=str(self.first))
        pair = (min(self.first, self.second), max(self.first, self.second))
        others = {one for one in event.apart if one != pair}
        return replace(event, apart=tuple(sorted({*others, pair} if self.apart else others)))
