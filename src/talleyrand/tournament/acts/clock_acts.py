"""The clock of a round: what is done to it, and when. `round_timing` says what it shows."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament import regulations, round_timing
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import ClockState, Event, RoundState

from .act import EventAct, check_round_state, check_time, event_act, with_board, with_round

MAX_SEASON_SECONDS = 4 * 60 * 60  # seconds of a season
MAX_OFFSET = 24 * 60 * 60  # that a board may be ahead or behind
MAX_SEASON = 100


@event_act("clock_started")
class StartClock(EventAct):
    """The clock runs, from where it stands. Twice is once: the first time stands."""

    round: int
    at: str

    def apply(self, event: Event) -> Event:
        clock = _clock(event, self.round)
        check_time(self.at)
        started = clock if clock.started else replace(clock, started=self.at, over=False)
        return with_round(event, self.round, clock=started)


@event_act("clock_paused")
class PauseClock(EventAct):
    """The clock stands. Twice is once."""

    round: int
    at: str

    def apply(self, event: Event) -> Event:
        settled = _settled(event, self.round, self.at)
        return with_round(event, self.round, clock=replace(settled, started=""))


@event_act("clock_turned")
class SkipSeason(EventAct):
    """To the beginning of the next season, or of one before (`by` -1). It runs on if it ran; not before the
    first season."""

    round: int
    at: str
    by: int = 1

    def apply(self, event: Event) -> Event:
        if self.by not in (-1, 1):
            raise ActRefused("act_clock_turn")
        now = _settled(event, self.round, self.at)
        season = max(0, min(MAX_SEASON, now.season + self.by))
        while self.by < 0 and season > 0 and now.lengths.get(season) == 0:
            season -= 1  # merged with the one before
        while self.by > 0 and now.lengths.get(season) == 0:
            season += 1
        return with_round(event, self.round, clock=replace(now, season=season, elapsed=0))


@event_act("clock_length_set")
class SetSeasonLength(EventAct):
    """How long a season takes, whatever the regulations say. What is over stays over; no seconds: as the
    regulations say again."""

    round: int
    season: int
    at: str
    seconds: int | None = None

    def apply(self, event: Event) -> Event:
        now = _settled(event, self.round, self.at)
        _check_season(self.season)
        if self.seconds is not None and not 60 <= self.seconds <= MAX_SEASON_SECONDS:
            raise ActRefused("act_clock_length", most=str(MAX_SEASON_SECONDS // 60))
        lengths = {season: length for season, length in now.lengths.items() if season != self.season}
        if self.seconds is not None:
            lengths[self.season] = self.seconds
        return with_round(event, self.round, clock=replace(now, lengths=lengths))


@event_act("clock_merged")
class MergeSeasons(EventAct):
    """A season and the next one are played on one clock, as long as both. Refused for seasons that are over,
    and where they are merged already."""

    round: int
    season: int
    at: str

    def apply(self, event: Event) -> Event:
        now = _settled(event, self.round, self.at)
        _check_season(self.season)
        rule = round_timing.round_rule(regulations.read_regulations(event.regulations), self.round)
        first, second = (round_timing.season_length(rule, now, at) for at in (self.season, self.season + 1))
        if self.season < now.season or not first or not second:
            raise ActRefused("act_clock_merged", season=round_timing.season_name(self.season))
        lengths = {**now.lengths, self.season: first + second, self.season + 1: 0}
        return with_round(event, self.round, clock=replace(now, lengths=lengths))


@event_act("clock_stopped")
class StopClock(EventAct):
    """Time is over, or not after all. Twice is once."""

    round: int
    at: str
    over: bool = True

    def apply(self, event: Event) -> Event:
        stopped = replace(_settled(event, self.round, self.at), started="", over=self.over)
        return with_round(event, self.round, clock=stopped)


@event_act("board_offset")
class SetBoardOffset(EventAct):
    """A board is so many seconds ahead of the clock, or behind it. In place of what it was."""

    round: int
    board: int
    seconds: int

    def apply(self, event: Event) -> Event:
        if abs(self.seconds) > MAX_OFFSET:
            raise ActRefused("act_clock_offset")
        return with_board(event, self.round, self.board, offset=self.seconds)


def _clock(event: Event, number: int) -> ClockState:
    return check_round_state(event, number, RoundState.DRAFT, RoundState.PLAYING).clock


def _settled(event: Event, number: int, at: str) -> ClockState:
    """The clock as it stands at a time, so that what is changed now changes nothing that is over."""
    clock = _clock(event, number)
    spent = round_timing.seconds_spent(clock, check_time(at))
    rule = round_timing.round_rule(regulations.read_regulations(event.regulations), number)
    season, elapsed = round_timing.season_at(rule, clock, spent, MAX_SEASON)
    return replace(clock, season=season, elapsed=elapsed, started=_later(clock.started, at))


def _later(started: str, at: str) -> str:
    before, now = round_timing.parse_time(started), round_timing.parse_time(at)
    return started if before is None or now is None or before > now else at


def _check_season(season: int) -> None:
    if not 0 <= season < MAX_SEASON:
        raise ActRefused("act_clock_season", season=str(season))
