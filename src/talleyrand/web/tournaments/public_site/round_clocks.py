"""The clock of a round as a page shows it: what it says now, and what a script needs to let it run on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from talleyrand.tournament import round_timing
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.web.tournaments import tournament_names


@dataclass(frozen=True)
class RoundClock:
    """`season`: "Printemps 1903"; `left`: "7:05"; `remaining`: seconds, for the script; `begun`: it ran."""

    season: str
    left: str
    remaining: int
    running: bool
    writing: bool
    over: bool
    begun: bool


def round_clock(event: Event, number: int, now: datetime, board: EventBoard | None = None) -> RoundClock:
    """The clock of a round, or of a board of its own."""
    at = now.isoformat(timespec="seconds")
    read = round_timing.read_clock(event, number, at, board)
    clock = event.rounds[number].clock
    return RoundClock(
        season=tournament_names.season_names(read.seasons),
        left=f"{read.remaining // 60}:{read.remaining % 60:02}",
        remaining=read.remaining,
        running=read.running and not read.over,
        writing=read.writing,
        over=read.over,
        begun=bool(clock.started or clock.elapsed or clock.season),
    )
