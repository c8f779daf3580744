"""The clock of a round: what is done to it, and when. `timing` says what it shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament import regulations, timing
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Clock, Event, RoundState

from .act import Act, check_state, check_time, with_board, with_round

LONGEST = 4 * 60 * 60  # seconds of a season
FARTHEST = 24 * 60 * 60  # that a board may be ahead or behind
SEASONS = 100


@dataclass(frozen=True)
class StartClock(Act):
    """The clock runs, from where it stands."""

    kind: ClassVar[str] = "clock_started"
    round: int
    at: str

    def on(self, event: Event) -> Event:
        """Twice is once: the first time stands."""
        clock = _clock(event, self.round)
        check_time(self.at)
        started = clock if clock.started else replace(clock, started=self.at, over=False)
        return with_round(event, self.round, clock=started)


@dataclass(frozen=True)
class PauseClock(Act):
    """The clock stands."""

    kind: ClassVar[str] = "clock_paused"
    round: int
    at: str

    def on(self, event: Event) -> Event:
        """Twice is once."""
        settled = _settled(event, self.round, self.at)
        return with_round(event, self.round, clock=replace(settled, started=""))


@dataclass(frozen=True)
class TurnClock(Act):
    """To the beginning of the next season, or of one before (`by` -1)."""

    kind: ClassVar[str] = "clock_turned"
    round: int
    at: str
    by: int = 1

    def on(self, event: Event) -> Event:
        """It runs on if it ran; not before the first season."""
        if self.by not in (-1, 1):
            raise Refused("act_clock_turn")
        now = _settled(event, self.round, self.at)
        season = max(0, min(SEASONS, now.season + self.by))
        while self.by < 0 and season > 0 and now.lengths.get(season) == 0:
            season -= 1  # merged with the one before
        while self.by > 0 and now.lengths.get(season) == 0:
            season += 1
        return with_round(event, self.round, clock=replace(now, season=season, elapsed=0))


@dataclass(frozen=True)
class SetLength(Act):
    """How long a season takes, whatever the regulations say."""

    kind: ClassVar[str] = "clock_length_set"
    round: int
    season: int
    at: str
    seconds: int | None = None

    def on(self, event: Event) -> Event:
        """What is over stays over; no seconds: as the regulations say again."""
        now = _settled(event, self.round, self.at)
        _check_season(self.season)
        if self.seconds is not None and not 60 <= self.seconds <= LONGEST:
            raise Refused("act_clock_length", most=str(LONGEST // 60))
        lengths = {season: length for season, length in now.lengths.items() if season != self.season}
        if self.seconds is not None:
            lengths[self.season] = self.seconds
        return with_round(event, self.round, clock=replace(now, lengths=lengths))


@dataclass(frozen=True)
class MergeSeasons(Act):
    """A season and the next one are played on one clock, as long as both."""

    kind: ClassVar[str] = "clock_merged"
    round: int
    season: int
    at: str

    def on(self, event: Event) -> Event:
        """Refused for seasons that are over, and where they are merged already."""
        now = _settled(event, self.round, self.at)
        _check_season(self.season)
        rule = timing.rule_of(regulations.read(event.regulations), self.round)
        first, second = (timing.length_of(rule, now, at) for at in (self.season, self.season + 1))
        if self.season < now.season or not first or not second:
            raise Refused("act_clock_merged", season=timing.season_name(self.season))
        lengths = {**now.lengths, self.season: first + second, self.season + 1: 0}
        return with_round(event, self.round, clock=replace(now, lengths=lengths))


@dataclass(frozen=True)
class StopClock(Act):
    """Time is over, or not after all."""

    kind: ClassVar[str] = "clock_stopped"
    round: int
    at: str
    over: bool = True

    def on(self, event: Event) -> Event:
        """Twice is once."""
        stopped = replace(_settled(event, self.round, self.at), started="", over=self.over)
        return with_round(event, self.round, clock=stopped)


@dataclass(frozen=True)
class OffsetBoard(Act):
    """A board is so many seconds ahead of the clock, or behind it."""

    kind: ClassVar[str] = "board_offset"
    round: int
    board: int
    seconds: int

    def on(self, event: Event) -> Event:
        """In place of what it was."""
        if abs(self.seconds) > FARTHEST:
            raise Refused("act_clock_offset")
        return with_board(event, self.round, self.board, offset=self.seconds)


def _clock(event: Event, number: int) -> Clock:
    return check_state(event, number, RoundState.DRAFT, RoundState.PLAYING).clock


def _settled(event: Event, number: int, at: str) -> Clock:
    """The clock as it stands at a time, so that what is changed now changes nothing that is over."""
    clock = _clock(event, number)
    spent = timing.spent_at(clock, check_time(at))
    rule = timing.rule_of(regulations.read(event.regulations), number)
    season, elapsed = timing.walk(rule, clock, spent, SEASONS)
    return replace(clock, season=season, elapsed=elapsed, started=_later(clock.started, at))


def _later(started: str, at: str) -> str:
    before, now = timing.moment(started), timing.moment(at)
    return started if before is None or now is None or before > now else at


def _check_season(season: int) -> None:
    if not 0 <= season < SEASONS:
        raise Refused("act_clock_season", season=str(season))


ACTS: tuple[type[Act], ...] = (
    StartClock,
    PauseClock,
    TurnClock,
    SetLength,
    MergeSeasons,
    StopClock,
    OffsetBoard,
)
