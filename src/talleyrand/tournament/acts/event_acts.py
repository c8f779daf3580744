"""The event as a whole: its name, announcement, regulations, rounds to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.formats.json_checks import Json
from talleyrand.tournament import regulations
from talleyrand.tournament.model import Announcement, Event, EventRound

from .act import EventAct, check_name, check_time

LONGEST_NAME = 120


@dataclass(frozen=True)
class RenameEvent(EventAct):
    """The event gets another name."""

    kind: ClassVar[str] = "renamed"
    assistants_may: ClassVar[bool] = False
    name: str

    def apply(self, event: Event) -> Event:
        """Refused without a name, and for one that no list has room for."""
        return replace(event, name=check_name(self.name, LONGEST_NAME))


@dataclass(frozen=True)
class SetAnnouncement(EventAct):
    """What the public page says."""

    kind: ClassVar[str] = "announced"
    announcement: Announcement

    def apply(self, event: Event) -> Event:
        """In place of what it said."""
        return replace(event, announcement=self.announcement)


@dataclass(frozen=True)
class SetRegulations(EventAct):
    """The regulations: a preset, or a table that extends one."""

    kind: ClassVar[str] = "regulated"
    assistants_may: ClassVar[bool] = False
    regulations: str | Mapping[str, Json]

    def apply(self, event: Event) -> Event:
        """Raises BadEvent, BadSystem or UnknownName where they cannot be read."""
        regulations.scoring_system(regulations.read_regulations(self.regulations))
        return replace(event, regulations=self.regulations)


@dataclass(frozen=True)
class PlanRounds(EventAct):
    """Plans the rounds of the regulations; `starts`: when each begins."""

    kind: ClassVar[str] = "set_up"
    assistants_may: ClassVar[bool] = False
    starts: tuple[str, ...] = ()

    def apply(self, event: Event) -> Event:
        """Rounds that are planned already stay as they are."""
        wanted = max(len(regulations.read_regulations(event.regulations).rounds), len(self.starts))
        planned = {at: EventRound(starts=self._start(at)) for at in range(1, wanted + 1)}
        return replace(event, rounds={**planned, **event.rounds})

    def _start(self, number: int) -> str:
        start = self.starts[number - 1] if number <= len(self.starts) else ""
        return check_time(start) if start else ""


@dataclass(frozen=True)
class SetSignups(EventAct):
    """Whether people may sign up by themselves."""

    kind: ClassVar[str] = "signups_set"
    open: bool

    def apply(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, signups=self.open)


@dataclass(frozen=True)
class SetLiveStandings(EventAct):
    """Whether all may see the standings as they would be if every game ended now."""

    kind: ClassVar[str] = "live_shown"
    shown: bool

    def apply(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, live=self.shown)


@dataclass(frozen=True)
class FinishEvent(EventAct):
    """The event is over, or goes on after all."""

    kind: ClassVar[str] = "finished"
    assistants_may: ClassVar[bool] = False
    over: bool = True

    def apply(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, over=self.over)


ACTS: tuple[type[EventAct], ...] = (
    RenameEvent,
    SetAnnouncement,
    SetRegulations,
    PlanRounds,
    SetSignups,
    SetLiveStandings,
    FinishEvent,
)
