"""The clock of a round: what it shows, from when it was started and what was done to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from talleyrand.tournament import round_timing
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import (
    MergeSeasons,
    PauseClock,
    SetBoardOffset,
    SetSeasonLength,
    SkipSeason,
    StartClock,
    StopClock,
)
from talleyrand.tournament.acts.seating_acts import ChangeBoard
from talleyrand.tournament.model import Event, RoundState

from .room import done, listed, playing

START = datetime.fromisoformat("2026-11-21T18:30:00+00:00")


def at(minutes: float) -> str:
    return (START + timedelta(minutes=minutes)).isoformat()


def started(*then: EventAct) -> Event:
    return done(playing(), StartClock(1, at(0)), *then)


@pytest.mark.parametrize(("number", "minutes"), [(1, 204), (2, 238), (3, 256), (4, 288)])
def test_rounds_take_as_long_as_the_regulations_print(number: int, minutes: int) -> None:
    assert round_timing.planned_duration(listed(), number) == 60 * minutes


# Minutes since the start: the season, the minutes that remain, whether only writing is allowed.
RUN = [
    (0, "S1901", 18, False),
    (15.5, "S1901", 2.5, False),
    (16, "S1901", 2, True),
    (17.9, "S1901", 0.1, True),
    (18, "F1901", 16, False),
    (34, "S1902", 18, False),
    (203.5, "F1906", 0.5, True),
    (-5, "S1901", 18, False),
]


@pytest.mark.parametrize(("minutes", "season", "left", "writing"), RUN)
def test_seasons_follow_each_other_by_themselves(
    minutes: float, season: str, left: float, writing: bool
) -> None:
    shown = round_timing.read_clock(started(), 1, at(minutes))
    assert (shown.seasons, shown.remaining, shown.writing) == ((season,), 60 * left, writing)
    assert shown.running
    assert not shown.over


def test_it_is_over_after_the_last_autumn() -> None:
    shown = round_timing.read_clock(started(), 1, at(210))
    assert shown.over
    assert shown.spent == 6 * 60


def test_before_it_is_started_it_stands_at_the_first_season() -> None:
    shown = round_timing.read_clock(playing(), 1, at(100))
    assert (shown.seasons, shown.remaining, shown.running) == (("S1901",), 18 * 60, False)


# What is done, the minute it is looked at, and what it shows then.
DEEDS: list[tuple[str, tuple[EventAct, ...], float, str, float]] = [
    ("paused", (PauseClock(1, at(10)),), 60, "S1901", 8),
    ("paused after a season", (PauseClock(1, at(20)),), 60, "F1901", 14),
    ("paused twice", (PauseClock(1, at(10)), PauseClock(1, at(30))), 60, "S1901", 8),
    ("begun again", (PauseClock(1, at(10)), StartClock(1, at(30))), 35, "S1901", 3),
    ("next season", (SkipSeason(1, at(10)),), 11, "F1901", 15),
    ("season before", (SkipSeason(1, at(20), -1),), 21, "S1901", 17),
    ("not before the first", (SkipSeason(1, at(5), -1),), 6, "S1901", 17),
    ("longer", (SetSeasonLength(1, 0, at(10), 30 * 60),), 20, "S1901", 10),
    ("what is over stays over", (SetSeasonLength(1, 0, at(20), 30 * 60),), 21, "F1901", 13),
    ("shorter than what is spent", (SetSeasonLength(1, 0, at(10), 5 * 60),), 10, "F1901", 11),
    (
        "as the regulations say again",
        (SetSeasonLength(1, 0, at(1), 1800), SetSeasonLength(1, 0, at(2))),
        3,
        "S1901",
        15,
    ),
    ("stopped and begun again", (StopClock(1, at(10)), StartClock(1, at(20))), 21, "S1901", 7),
]


@pytest.mark.parametrize(
    ("acts", "minutes", "season", "left"), [row[1:] for row in DEEDS], ids=[r[0] for r in DEEDS]
)
def test_what_is_done_to_it(acts: tuple[EventAct, ...], minutes: float, season: str, left: float) -> None:
    shown = round_timing.read_clock(started(*acts), 1, at(minutes))
    assert (shown.seasons[0], shown.remaining) == (season, 60 * left)


def test_two_seasons_on_one_clock() -> None:
    event = started(MergeSeasons(1, 2, at(1)))
    shown = round_timing.read_clock(event, 1, at(40))
    assert (shown.seasons, shown.length, shown.remaining) == (("S1902", "F1902"), 34 * 60, 28 * 60)
    assert round_timing.read_clock(event, 1, at(70)).seasons == ("S1903",)
    assert round_timing.read_clock(done(event, SkipSeason(1, at(40))), 1, at(40)).seasons == ("S1903",)
    assert round_timing.read_clock(done(event, SkipSeason(1, at(70), -1)), 1, at(70)).seasons == (
        "S1902",
        "F1902",
    )
    assert round_timing.planned_duration(event, 1) == 204 * 60


@pytest.mark.parametrize(
    ("seconds", "season", "left"), [(300, "S1901", 3), (540, "F1901", 15), (-300, "S1901", 13)]
)
def test_a_board_ahead_of_the_clock_or_behind(seconds: int, season: str, left: int) -> None:
    event = started(SetBoardOffset(1, 2, seconds))
    board = event.rounds[1].boards[2]
    shown = round_timing.read_clock(event, 1, at(10), board)
    assert (shown.seasons, shown.remaining) == ((season,), 60 * left)
    assert round_timing.read_clock(event, 1, at(10)).remaining == 8 * 60


def test_a_board_with_a_last_year_of_its_own() -> None:
    event = started(ChangeBoard(1, 1, last_year=1905), ChangeBoard(1, 2, last_year=1907))
    boards = event.rounds[1].boards
    assert round_timing.read_clock(event, 1, at(171), boards[1]).over
    assert round_timing.read_clock(event, 1, at(205)).seasons == ("S1907",)
    assert round_timing.read_clock(done(event, ChangeBoard(1, 2, last_year=0)), 1, at(205)).over


@pytest.mark.parametrize(
    "said", ["", "now", "2026-11-21", "2026-11-21T18:30:00", "0001-01-01T00:00:00+00:00"]
)
def test_a_time_without_its_zone_is_none(said: str) -> None:
    assert round_timing.parse_time(said) is None
    with pytest.raises(ValueError):
        round_timing.read_clock(started(), 1, said)


def test_the_clock_of_a_closed_round_is_over() -> None:
    event = started()
    closed = replace(event.rounds[1], state=RoundState.CLOSED)
    assert round_timing.read_clock(event, 1, at(3)).running
    read = round_timing.read_clock(replace(event, rounds={**event.rounds, 1: closed}), 1, at(3))
    assert read.over
    assert not read.running
