"""The event as a whole: its name, announcement, regulations, rounds to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from zoneinfo import available_timezones

from talleyrand.formats.json_checks import Json
from talleyrand.tournament import regulations
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Announcement, Event, EventRound, OnlineBoards, RoundState

from .act import ROUND_STATE_CODES, EventAct, check_name, check_time, event_act

LONGEST_NAME = 120


@event_act("renamed", assistants_may=False)
class RenameEvent(EventAct):
    """The event gets another name. Refused without a name, and for one that no list has room for."""

    name: str

    def apply(self, event: Event) -> Event:
        return replace(event, name=check_name(self.name, LONGEST_NAME))


@event_act("announced")
class SetAnnouncement(EventAct):
    """What the public page says. In place of what it said. Raises ActRefused for a last day before the first
    (`act_last_day`), and for a zone that there is not (`act_zone`)."""

    announcement: Announcement

    def apply(self, event: Event) -> Event:
        told = self.announcement
        if told.opens and told.ends and told.ends < told.opens:
            raise ActRefused("act_last_day")
        if told.zone not in available_timezones():
            raise ActRefused("act_zone", zone=told.zone[:40])
        return replace(event, announcement=told)


@event_act("regulated", assistants_may=False)
class SetRegulations(EventAct):
    """The regulations: a preset, or a table that extends one. Raises InvalidEvent, InvalidScoringSystem or
    UnknownName where they cannot be read.
    """

    regulations: str | Mapping[str, Json]

    def apply(self, event: Event) -> Event:
        regulations.scoring_system(regulations.read_regulations(self.regulations))
        return replace(event, regulations=self.regulations)


@event_act("set_up", assistants_may=False)
class PlanRounds(EventAct):
    """Plans the rounds of the regulations; `starts`: when each begins. Rounds that are planned already stay
    as they are."""

    starts: tuple[str, ...] = ()

    def apply(self, event: Event) -> Event:
        wanted = max(len(regulations.read_regulations(event.regulations).rounds), len(self.starts))
        planned = {at: EventRound(starts=self._start(at)) for at in range(1, wanted + 1)}
        return replace(event, rounds={**planned, **event.rounds})

    def _start(self, number: int) -> str:
        start = self.starts[number - 1] if number <= len(self.starts) else ""
        return check_time(start) if start else ""


@event_act("signups_set")
class SetSignups(EventAct):
    """Whether people may sign up by themselves. Twice is once."""

    open: bool

    def apply(self, event: Event) -> Event:
        return replace(event, signups=self.open)


@event_act("live_shown")
class SetLiveStandings(EventAct):
    """Whether all may see the standings as they would be if every game ended now. Twice is once."""

    shown: bool

    def apply(self, event: Event) -> Event:
        return replace(event, live=self.shown)


@event_act("online_set", assistants_may=False)
class SetOnlineBoards(EventAct):
    """Whether boards are games on the site, and by which terms it makes them. Who plays what is secret or not
    as before while games are played: that was agreed on for them."""

    online: OnlineBoards
    terms: Mapping[str, str] = field(default_factory=dict)

    def apply(self, event: Event) -> Event:
        begun = (RoundState.DRAFT, RoundState.PLAYING)
        playing = next((at for at, one in event.rounds.items() if one.state in begun), None)
        if playing is not None and self.online is not event.online:
            raise ActRefused(ROUND_STATE_CODES[event.rounds[playing].state], round=str(playing))
        return replace(event, online=self.online, terms=self.terms)


@event_act("finished", assistants_may=False)
class FinishEvent(EventAct):
    """The event is over, or goes on after all. Twice is once."""

    over: bool = True

    def apply(self, event: Event) -> Event:
        return replace(event, over=self.over)
