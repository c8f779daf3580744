"""Deadlines while no clock runs: a short silence changes nothing, a long one gives the time back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from talleyrand.web.games import deadline_clock, game_lifecycle
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.models import ClockOutage, Game, Heartbeat
from tests.web.cast import BEGUN, PLAYERS, table

from .acting import DAY, HOUR, SECOND, all_hand_in, due, fresh, hand_in, people_told, told

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def game_of(hours: int = 100) -> Game:
    """Everybody has handed in; of a hundred hours the last fifth is twenty."""
    game = table(rhythm={"hours": hours, "early": False})
    all_hand_in(game)
    return game


def silent(game: Game, since: timedelta, until: timedelta) -> datetime:
    """No clock from so long before the deadline until so long before (or after) it; the old deadline."""
    before = due(game)
    DeadlineClock().tick(before - since)
    Heartbeat.objects.update(last_seen_at=before - since)
    DeadlineClock().tick(before - until)
    return before


@pytest.mark.parametrize("until", [-5 * MINUTE, -9 * MINUTE, HOUR - 9 * MINUTE])
def test_a_short_silence_changes_nothing(until: timedelta) -> None:
    game = game_of()
    since = until + 9 * MINUTE
    before = silent(game, since, until)
    assert ClockOutage.objects.count() == 0
    DeadlineClock().check_due(before + 2 * SECOND)
    assert fresh(game).phase_number == 2
    assert told(game, "extended") == []


def test_a_deadline_passed_while_the_server_was_down() -> None:
    game = game_of()
    before = silent(game, 3 * HOUR, -5 * HOUR)
    row = fresh(game)
    assert (row.phase_number, row.deadline) == (1, before + 5 * HOUR + 3 * HOUR)
    assert people_told(game, "extended") >= set(PLAYERS.values())
    assert len(told(game, "extended")) == 10
    sheet = hand_in(game, "FRANCE", ["A PAR-GAS"], at=before + 6 * HOUR)
    assert sheet.receipt_number == 2
    for _ in range(3):
        DeadlineClock().check_due(before + 7 * HOUR)
    assert fresh(game).deadline == row.deadline, "the same outage moves a date once"
    assert DeadlineClock().check_due(due(game) + 2 * SECOND) == 1


def test_down_from_a_minute_before_gives_an_hour() -> None:
    game = game_of()
    before = silent(game, MINUTE, -5 * HOUR)
    assert due(game) == before + 6 * HOUR


def test_down_for_days_gives_the_last_fifth_again() -> None:
    game = game_of()
    before = silent(game, 60 * HOUR, -30 * HOUR)
    assert due(game) == before + 30 * HOUR + 20 * HOUR


def test_over_before_the_deadline_the_time_is_given_back() -> None:
    game = game_of()
    before = silent(game, 10 * HOUR, 8 * HOUR)
    assert due(game) == before + 2 * HOUR


def test_a_silence_before_the_last_fifth_is_nobodys_loss() -> None:
    game = game_of()
    before = silent(game, 40 * HOUR, 21 * HOUR)
    assert due(game) == before
    assert ClockOutage.objects.count() == 1


def test_a_phase_shorter_than_the_silence() -> None:
    game = game_of(hours=1)
    before = silent(game, 30 * MINUTE, -2 * HOUR)
    assert due(game) == before + 2 * HOUR + 12 * MINUTE


def test_several_games_and_clocks_reckon_with_an_outage_once() -> None:
    games = [game_of() for _ in range(3)]
    before = silent(games[0], HOUR, -HOUR)
    later = before + HOUR
    for _ in range(2):
        DeadlineClock().tick(later + SECOND)
    assert [due(game) for game in games] == [later + HOUR] * 3
    assert ClockOutage.objects.count() == 1
    assert all(len(told(game, "extended")) == 10 for game in games)


def test_a_second_outage_counts_again() -> None:
    game = game_of()
    silent(game, 3 * HOUR, 2 * HOUR)
    first = due(game)
    before = silent(game, 1 * HOUR, 30 * MINUTE)
    assert before == first
    assert due(game) > first


def test_an_outage_before_the_phase_opened_is_not_its_own() -> None:
    game = game_of(hours=1)
    ClockOutage.objects.create(started_at=BEGUN - DAY, ended_at=BEGUN - HOUR)
    assert DeadlineClock().check_due(due(game) + 2 * SECOND) == 1


def test_a_paused_game_has_lost_nothing() -> None:
    game = game_of()
    end = due(game)
    DeadlineClock().tick(end - HOUR)
    game_lifecycle.pause_game(game, end - HOUR)
    DeadlineClock().tick(end + 5 * HOUR)
    game_lifecycle.resume_game(game, end + 6 * HOUR)
    left = due(game)
    assert left == end + 7 * HOUR
    DeadlineClock().check_due(left - SECOND)
    assert due(game) == left


def test_the_first_clock_of_a_site_finds_no_outage() -> None:
    game = game_of()
    assert DeadlineClock().tick(due(game) + DAY) == 1
    assert ClockOutage.objects.count() == 0


def test_a_beat_is_written_now_and_then() -> None:
    for second in range(40):
        deadline_clock.record_heartbeat(BEGUN + second * SECOND)
    assert Heartbeat.objects.get().last_seen_at == BEGUN + 30 * SECOND


# clock changes, through publication

WEEKLY = {
    "movement": {"days": [4], "minute": 24 * 60},
    "zone": "Europe/Paris",
    "early": False,
}


@pytest.mark.parametrize(
    ("begun", "dates"),
    [
        # Paris goes to summer time on Sunday 29 March 2026, and back on Sunday 25 October
        (
            datetime(2026, 3, 21, 12, tzinfo=UTC),
            [datetime(2026, 3, 27, 23, tzinfo=UTC), datetime(2026, 4, 3, 22, tzinfo=UTC)],
        ),
        (
            datetime(2026, 10, 17, 12, tzinfo=UTC),
            [datetime(2026, 10, 23, 22, tzinfo=UTC), datetime(2026, 10, 30, 23, tzinfo=UTC)],
        ),
    ],
    ids=["march", "october"],
)
def test_friday_at_24_h_stays_friday_at_24_h(begun: datetime, dates: list[datetime]) -> None:
    game = table(rhythm=WEEKLY)
    Game.objects.filter(pk=game.pk).update(phase_opened_at=begun)
    game_lifecycle.replace_deadline(game, dates[0], begun)
    for date in dates:
        assert due(game) == date
        all_hand_in(game, lines=[])
        assert DeadlineClock().check_due(date + SECOND) == 0
        assert DeadlineClock().check_due(date + 20 * SECOND) == 1
