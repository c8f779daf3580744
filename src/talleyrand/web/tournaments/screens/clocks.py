"""The clock of a round for a projector: what it shows now, and all that a browser needs to let it run on.

A browser is told how many seconds are left of this season and of each later one, and the server's own hour:
its laptop may be slow, sleep, and wake up in another season.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from talleyrand.formats.shapes import Json
from talleyrand.tournament import regulations, timing
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.timing import Reading
from talleyrand.web.tournaments import naming

MOST_SEASONS = 60


@dataclass(frozen=True)
class Season:
    """A season on the clock; `left`: seconds from now to its end; `length`: all of it."""

    title: str
    left: int
    length: int


@dataclass(frozen=True)
class Face:
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
    seasons: tuple[Season, ...] = ()

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


def faces(event: Event, number: int, now: datetime) -> list[Face]:
    """The round's clock first, then one for all boards that read alike and otherwise than the round."""
    own: dict[tuple[int, int], list[int]] = {}
    usual = timing.last_year(event, number)
    for at, board in event.rounds[number].boards.items():
        last = timing.last_year(event, number, board)
        if board.result is None and (board.offset or last != usual):
            own.setdefault((board.offset, last), []).append(at)
    return [_face(event, number, now), *(_face(event, number, now, tuple(found)) for found in own.values())]


def _face(event: Event, number: int, now: datetime, boards: tuple[int, ...] = ()) -> Face:
    one = event.rounds[number]
    board = one.boards[boards[0]] if boards else None
    clock, read = one.clock, _read(event, number, now, board)
    label = naming.board_name(", ".join(map(str, boards))) if boards else naming.round_name(number)
    return Face(
        boards=boards,
        label=label,
        running=read.running and not read.over,
        begun=bool(clock.started or clock.elapsed or clock.season),
        over=read.over,
        writing=timing.rule_of(regulations.read(event.regulations), number).hours.writing,
        last_year=timing.last_year(event, number, board),
        seasons=tuple(_seasons(event, number, now, read, board)),
    )


def _read(event: Event, number: int, now: datetime, board: Board | None) -> Reading:
    return timing.reading(event, number, now.isoformat(timespec="seconds"), board)


def _seasons(
    event: Event, number: int, now: datetime, read: Reading, board: Board | None
) -> Iterator[Season]:
    """This season, and those that follow while nobody stops the clock."""
    left = 0
    for _once in range(MOST_SEASONS):
        if read.over:
            return
        left += read.remaining
        yield Season(naming.seasons(read.seasons), left, read.length)
        if not read.running:
            return
        read = _read(event, number, now + timedelta(seconds=left), board)


def told(found: list[Face], now: datetime) -> Json:
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
