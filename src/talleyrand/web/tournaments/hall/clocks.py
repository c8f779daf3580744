"""The clock of a round as a page shows it: what it says now, and what a script needs to let it run on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from talleyrand.tournament import timing
from talleyrand.tournament.model import Board, Event
from talleyrand.web.tournaments import naming


@dataclass(frozen=True)
class Ticking:
    """`season`: "Printemps 1903"; `left`: "7:05"; `remaining`: seconds, for the script; `begun`: it ran."""

    season: str
    left: str
    remaining: int
    running: bool
    writing: bool
    over: bool
    begun: bool


def ticking(event: Event, number: int, now: datetime, board: Board | None = None) -> Ticking:
    """The clock of a round, or of a board of its own."""
    at = now.isoformat(timespec="seconds")
    read = timing.reading(event, number, at, board)
    clock = event.rounds[number].clock
    return Ticking(
        season=naming.seasons(read.seasons),
        left=f"{read.remaining // 60}:{read.remaining % 60:02}",
        remaining=read.remaining,
        running=read.running and not read.over,
        writing=read.writing,
        over=read.over,
        begun=bool(clock.started or clock.elapsed or clock.season),
    )
