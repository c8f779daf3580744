"""The event as a whole: its name, announcement, regulations, rounds to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.formats.shapes import Json
from talleyrand.tournament import regulations
from talleyrand.tournament.model import Announcement, Event, Round

from .act import Act, check_name, check_time

LONGEST_NAME = 120


@dataclass(frozen=True)
class Rename(Act):
    """The event gets another name."""

    kind: ClassVar[str] = "renamed"
    helps: ClassVar[bool] = False
    name: str

    def on(self, event: Event) -> Event:
        """Refused without a name, and for one that no list has room for."""
        return replace(event, name=check_name(self.name, LONGEST_NAME))


@dataclass(frozen=True)
class Announce(Act):
    """What the public page says."""

    kind: ClassVar[str] = "announced"
    announcement: Announcement

    def on(self, event: Event) -> Event:
        """In place of what it said."""
        return replace(event, announcement=self.announcement)


@dataclass(frozen=True)
class Regulate(Act):
    """The regulations: a preset, or a table that extends one."""

    kind: ClassVar[str] = "regulated"
    helps: ClassVar[bool] = False
    regulations: str | Mapping[str, Json]

    def on(self, event: Event) -> Event:
        """Raises BadEvent, BadSystem or UnknownName where they cannot be read."""
        regulations.system_of(regulations.read(self.regulations))
        return replace(event, regulations=self.regulations)


@dataclass(frozen=True)
class SetUp(Act):
    """Plans the rounds of the regulations; `starts`: when each begins."""

    kind: ClassVar[str] = "set_up"
    helps: ClassVar[bool] = False
    starts: tuple[str, ...] = ()

    def on(self, event: Event) -> Event:
        """Rounds that are planned already stay as they are."""
        wanted = max(len(regulations.read(event.regulations).rounds), len(self.starts))
        planned = {at: Round(starts=self._start(at)) for at in range(1, wanted + 1)}
        return replace(event, rounds={**planned, **event.rounds})

    def _start(self, number: int) -> str:
        start = self.starts[number - 1] if number <= len(self.starts) else ""
        return check_time(start) if start else ""


@dataclass(frozen=True)
class OpenSignups(Act):
    """Whether people may sign up by themselves."""

    kind: ClassVar[str] = "signups_set"
    open: bool

    def on(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, signups=self.open)


@dataclass(frozen=True)
class ShowLive(Act):
    """Whether all may see the standings as they would be if every game ended now."""

    kind: ClassVar[str] = "live_shown"
    shown: bool

    def on(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, live=self.shown)


@dataclass(frozen=True)
class Finish(Act):
    """The event is over, or goes on after all."""

    kind: ClassVar[str] = "finished"
    helps: ClassVar[bool] = False
    over: bool = True

    def on(self, event: Event) -> Event:
        """Twice is once."""
        return replace(event, over=self.over)


ACTS: tuple[type[Act], ...] = (Rename, Announce, Regulate, SetUp, OpenSignups, ShowLive, Finish)
