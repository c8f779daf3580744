"""Absences announced beforehand move the deadlines that lie within them, as far as was agreed."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from talleyrand.web.games import game_lifecycle, phase_deadlines, power_assignments
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.models import Absence, Game
from tests.web.cast import BEGUN, PLAYERS, person, table

from .acting import DAY, HOUR, SECOND, all_hand_in, due, fresh, hand_in, people_told, sweep_at_deadline, told

pytestmark = pytest.mark.django_db

DAILY = {"hours": 24, "early": False}


def away(game: Game, name: str, since: datetime, until: datetime, asked: datetime = BEGUN) -> Absence:
    row = Absence.objects.create(game=game, person=person(name), starts_at=since, ends_at=until)
    Absence.objects.filter(pk=row.pk).update(announced_at=asked)
    return row


def test_one_announced_while_the_phase_is_open_moves_it() -> None:
    game = table(rhythm=DAILY)
    before = due(game)
    away(game, "Flora", before - HOUR, before + 3 * DAY)
    game_lifecycle.recompute_for_absences(game, BEGUN + HOUR)
    assert before + 3 * DAY <= due(game) <= before + 4 * DAY
    assert people_told(game, "extended") >= set(PLAYERS.values())
    assert "FRANCE" not in str([notice.facts for notice in told(game, "extended")])
    moved = due(game)
    game_lifecycle.recompute_for_absences(game, BEGUN + HOUR)
    assert due(game) == moved


def test_one_announced_before_moves_the_next_phase() -> None:
    game = table(rhythm=DAILY)
    first = due(game)
    away(game, "Flora", first + HOUR, first + 4 * DAY)
    all_hand_in(game)
    sweep_at_deadline(game)
    assert first + 4 * DAY <= due(game) <= first + 5 * DAY


@pytest.mark.parametrize(
    ("name", "since", "until"),
    [
        ("Flora", HOUR, 20 * HOUR),
        ("Flora", 25 * HOUR, 90 * HOUR),
        ("Oscar", 0 * HOUR, 90 * HOUR),
        ("Maëlle", 0 * HOUR, 90 * HOUR),
    ],
    ids=["over before", "begins after", "an observer", "the game master"],
)
def test_others_move_nothing(name: str, since: timedelta, until: timedelta) -> None:
    game = table(rhythm=DAILY)
    before = due(game)
    away(game, name, BEGUN + since, BEGUN + until)
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) == before


def test_one_withdrawn_moves_nothing() -> None:
    game = table(rhythm=DAILY)
    row = away(game, "Flora", BEGUN, BEGUN + 3 * DAY)
    Absence.objects.filter(pk=row.pk).update(withdrawn_at=BEGUN)
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) == BEGUN + DAY


def test_no_more_than_was_agreed() -> None:
    game = table(rhythm=DAILY, absence_days=2)
    away(game, "Flora", BEGUN, BEGUN + 30 * DAY)
    assert phase_deadlines.announced_absences(fresh(game)) == [(BEGUN, BEGUN + 2 * DAY)]
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) <= BEGUN + 4 * DAY


def test_what_was_announced_first_counts_first() -> None:
    game = table(rhythm=DAILY, absence_days=3)
    away(game, "Flora", BEGUN + 20 * DAY, BEGUN + 22 * DAY, asked=BEGUN)
    away(game, "Flora", BEGUN, BEGUN + 10 * DAY, asked=BEGUN + HOUR)
    away(game, "Edmond", BEGUN, BEGUN + DAY, asked=BEGUN + HOUR)
    found = sorted(phase_deadlines.announced_absences(fresh(game)))
    assert found == [(BEGUN, BEGUN + DAY), (BEGUN, BEGUN + DAY), (BEGUN + 20 * DAY, BEGUN + 22 * DAY)]


def test_not_where_none_were_agreed() -> None:
    game = table(rhythm=DAILY, absence_days=0)
    away(game, "Flora", BEGUN, BEGUN + 3 * DAY)
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) == BEGUN + DAY


def test_a_deadline_that_is_over_is_not_moved_by_an_absence_announced_late() -> None:
    game = table(rhythm=DAILY)
    before = due(game)
    away(game, "Flora", BEGUN, BEGUN + 3 * DAY)
    game_lifecycle.recompute_for_absences(game, before + SECOND)
    assert due(game) == before


def test_a_date_that_the_game_master_set_later_stays() -> None:
    game = table(rhythm=DAILY)
    game_lifecycle.extend_deadline(game, BEGUN + 9 * DAY, BEGUN)
    away(game, "Flora", BEGUN, BEGUN + 3 * DAY)
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) == BEGUN + 9 * DAY


def test_only_those_who_decide_move_retreats() -> None:
    game = table(rhythm=DAILY)
    lines = {"AUSTRIA": ["A VIE-TYR"]}
    for power in PLAYERS:
        hand_in(game, power, lines.get(power, []))
    sweep_at_deadline(game)
    retreats = due(game) + DAY
    away(game, "Flora", retreats - HOUR, retreats + 3 * DAY)
    lines = {"AUSTRIA": ["A TYR-VEN", "F TRI S A TYR-VEN"]}
    for power in PLAYERS:
        hand_in(game, power, lines.get(power, []))
    assert DeadlineClock().check_due(due(game) + 2 * SECOND) == 1
    assert fresh(game).phase == "F1901R"
    assert due(game) == retreats


def test_a_stand_in_is_there_in_ones_place() -> None:
    game = table(rhythm=DAILY)
    away(game, "Flora", BEGUN, BEGUN + 3 * DAY)
    power_assignments.assign_power(game, "FRANCE", person("Nadège"), stand_in=True)
    game_lifecycle.recompute_for_absences(game, BEGUN)
    assert due(game) == BEGUN + DAY
