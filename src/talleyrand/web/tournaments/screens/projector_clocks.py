"""The clock of a round for a projector: what it shows now, and all that a browser needs to let it run on.

A browser is told how many seconds are left of this season and of each later one, and the server's own hour:
its laptop may be slow, sleep, and wake up in another season.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from talleyrand.formats.json_checks import Json
from talleyrand.tournament import regulations, round_timing
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.round_timing import ClockReading
from talleyrand.web.tournaments import tournament_names

MOST_SEASONS = 60


@dataclass(frozen=True)
class ClockSeason:
    """A season on the clock; `left`: seconds from now to its end; `length`: all of it."""

    title: str
    left: int
    length: int


@dataclass(frozen=True)
class ProjectorClock:
    """A clock: the round's (`boards` is empty), or that of boards ahead of it, behind it, or ending earlier.

    `seasons`: this one and, while it runs, those to come; none: it is over. `writing`: the last seconds.
    """

    boards: tuple[int, ...]
    label: str
    running: bool
    begun: bool
    over: bool
    writing: int
    last_year: int
    seasons: tuple[ClockSeason, ...] = ()

    @property
    def left(self) -> int:
        """Seconds of this season."""
        return self.seasons[0].left if self.seasons else 0

    @property
    def digits(self) -> str:
        """The same as it is read: 7:05."""
        return f"{self.left // 60}:{self.left % 60:02}"

    @property
    def season(self) -> str:
        """This season."""
        return self.seasons[0].title if self.seasons else ""

    @property
    def next(self) -> str:
        """The season after it."""
        return self.seasons[1].title if len(self.seasons) > 1 else ""

    @property
    def state(self) -> str:
        """`waiting`, `paused`, `running`, `writing` or `over`: how the face looks."""
        if self.over:
            return "over"
        if not self.running:
            return "paused" if self.begun else "waiting"
        return "writing" if self.left <= self.writing else "running"


def projector_clocks(event: Event, number: int, now: datetime) -> list[ProjectorClock]:
    """The round's clock first, then one for all boards that read alike and otherwise than the round."""
    own: dict[tuple[int, int], list[int]] = {}
    usual = round_timing.last_year(event, number)
    for at, board in event.rounds[number].boards.items():
        last = round_timing.last_year(event, number, board)
        if board.result is None and (board.offset or last != usual):
            own.setdefault((board.offset, last), []).append(at)
    return [_face(event, number, now), *(_face(event, number, now, tuple(found)) for found in own.values())]


def _face(event: Event, number: int, now: datetime, boards: tuple[int, ...] = ()) -> ProjectorClock:
    one = event.rounds[number]
    board = one.boards[boards[0]] if boards else None
    clock, read = one.clock, _clock_reading(event, number, now, board)
    label = (
        tournament_names.board_name(", ".join(map(str, boards)))
        if boards
        else tournament_names.round_name(number)
    )
    return ProjectorClock(
        boards=boards,
        label=label,
        running=read.running and not read.over,
        begun=bool(clock.started or clock.elapsed or clock.season),
        over=read.over,
        writing=round_timing.round_rule(
            regulations.read_regulations(event.regulations), number
        ).hours.writing,
        last_year=round_timing.last_year(event, number, board),
        seasons=tuple(_seasons(event, number, now, read, board)),
    )


def _clock_reading(event: Event, number: int, now: datetime, board: EventBoard | None) -> ClockReading:
    return round_timing.read_clock(event, number, now.isoformat(timespec="seconds"), board)


def _seasons(
    event: Event, number: int, now: datetime, read: ClockReading, board: EventBoard | None
) -> Iterator[ClockSeason]:
    """This season, and those that follow while nobody stops the clock."""
    left = 0
    for _once in range(MOST_SEASONS):
        if read.over:
            return
        left += read.remaining
        yield ClockSeason(tournament_names.season_names(read.seasons), left, read.length)
        if not read.running:
            return
        read = _clock_reading(event, number, now + timedelta(seconds=left), board)


def projector_clocks_json(found: list[ProjectorClock], now: datetime) -> Json:
    """What a browser is told, as JSON; `now` in milliseconds."""
    return {
        "now": int(now.timestamp() * 1000),
        "clocks": [
            {
                "running": face.running,
                "begun": face.begun,
                "over": face.over,
                "writing": face.writing,
                "seasons": [
                    {"title": one.title, "left": one.left, "length": one.length} for one in face.seasons
                ],
            }
            for face in found
        ],
    }
