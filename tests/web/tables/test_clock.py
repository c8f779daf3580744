"""The clock of a table: each phase opens stopped, the stages of a phase, what a phone is told."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock, game_lifecycle, phase_deadlines
from talleyrand.web.games.game_master import action_base, deadline_actions, phase_corrections
from talleyrand.web.games.game_master.action_base import GameMasterActor
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.tables import table_stage
from talleyrand.web.tables.models import Table, TablePlayer
from talleyrand.web.tables.table_stage import Stage

from .phones import fresh_game, open_table, phone_of, started

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def fresh(table: Table) -> Table:
    return Table.objects.select_related("game").get(pk=table.pk)


def referee(table: Table) -> GameMasterActor:
    return GameMasterActor(table.players.get(number=0).person, "master")


def submit(phones: dict[str, Client], table: Table, lines: dict[str, list[str]] | None = None) -> None:
    """Everybody hands in, for good."""
    game = fresh_game(table)
    for power, phone in phones.items():
        sent = {
            "lines": {power: (lines or {}).get(power, [])},
            "action": "final",
            "submission": f"{game.phase_number}{power:k<24}",
        }
        path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
        answer = phone.post(path, json.dumps(sent), content_type="application/json")
        assert answer.status_code == 200, answer.content.decode()


def moment(table: Table, after: timedelta = timedelta(0)) -> table_stage.TableMoment:
    return table_stage.table_moment(fresh(table), timezone.now() + after)


def test_each_phase_opens_stopped_with_all_its_time() -> None:
    table, _laptop, phones = started(clock="anjou_feu")
    game = fresh_game(table)
    assert (game.state, game.deadline, game.next_check_at) == (GameState.PAUSED, None, None)
    assert game.time_left_when_paused == 18 * MINUTE
    submit(phones, table)
    deadline_clock.check_due_games(timezone.now() + 60 * MINUTE)
    assert fresh_game(table).phase_number == 1  # nobody has started the clock
    now = timezone.now()
    game_lifecycle.resume_game(game, now)
    deadline_clock.check_due_games(now)
    game = fresh_game(table)
    assert (game.phase_number, game.state, game.deadline) == (2, GameState.PAUSED, None)
    assert game.time_left_when_paused == 16 * MINUTE
    assert game.is_waiting is False


def test_a_table_whose_phases_run_on_opens_none_stopped() -> None:
    table, _laptop, _phones = started()
    Game.objects.filter(pk=table.game.pk).update(
        settings_json={**table.game.settings_json, "opens_paused": False}
    )
    game = fresh_game(table)
    now = timezone.now()
    game = game_lifecycle.resume_game(game, now)
    deadline_actions.gm_adjudicate_phase(game, 1, hand=referee(table), now=now)
    assert fresh_game(table).state == GameState.PLAYING


def test_orders_are_taken_while_the_clock_is_stopped_and_count_at_the_bell() -> None:
    table, _laptop, phones = started()
    game = fresh_game(table)
    draft = {"lines": {"FRANCE": ["A PAR - BUR"]}}
    path = f"/parties/{game.key}/1/orders/FRANCE/draft/"
    assert phones["FRANCE"].post(path, json.dumps(draft), content_type="application/json").status_code == 200
    now = timezone.now()
    game_lifecycle.resume_game(game, now)
    deadline_clock.check_due_games(now + 40 * MINUTE)
    game = fresh_game(table)
    assert game.is_waiting
    assert game.sheets.get(power="FRANCE").lines == ["A PAR - BUR"]


def test_a_phase_taken_back_is_stopped_again_with_all_its_time() -> None:
    table, laptop, phones = started(clock="anjou_feu")
    submit(phones, table)
    now = timezone.now()
    game_lifecycle.resume_game(fresh_game(table), now)
    deadline_clock.check_due_games(now)
    game_lifecycle.resume_game(fresh_game(table), now)
    last = action_base.last_published_revision(table.game)
    assert last is not None
    ground = action_base.ExpectedRevision.from_revision(last)
    phase_corrections.roll_back_phase(fresh_game(table), ground, hand=referee(table), now=now)
    game = fresh_game(table)
    assert (game.phase_number, game.state, game.deadline) == (1, GameState.PAUSED, None)
    assert game.time_left_when_paused == 18 * MINUTE
    del laptop


def test_the_stages_of_a_movement_phase() -> None:
    table, _laptop, _phones = started(clock="anjou_feu")
    seen = moment(table)
    assert (seen.stage, seen.may_talk, seen.digits) == (Stage.STOPPED, False, "18:00")
    game_lifecycle.resume_game(fresh_game(table), timezone.now())
    assert (moment(table).stage, moment(table).may_talk) == (Stage.TALKING, True)
    writing = moment(table, 16 * MINUTE + timedelta(seconds=30))
    assert (writing.stage, writing.may_talk, writing.digits) == (Stage.WRITING, False, "1:30")
    up = moment(table, 18 * MINUTE)
    assert (up.stage, up.is_running, len(up.awaited)) == (Stage.TIME_UP, False, 7)
    assert "On attend" in up.awaited_text


def test_a_pause_in_the_middle_is_told_from_the_reading() -> None:
    table, _laptop, _phones = started()
    assert not moment(table).has_begun
    now = timezone.now()
    game_lifecycle.resume_game(fresh_game(table), now)
    game_lifecycle.pause_game(fresh_game(table), now + MINUTE)
    assert moment(table).has_begun
    assert moment(table).title == "Pendule arrêtée"


def test_a_waiting_room_and_a_game_that_is_over() -> None:
    table, laptop = open_table()
    assert moment(table).stage == Stage.WAITING_ROOM
    assert laptop.get(f"/tables/{table.game.key}/clock.json").json()["left"] is None
    game_lifecycle.abandon_game(table.game, "fin", timezone.now(), role="master", by=referee(table).person)
    assert moment(table).stage == Stage.OVER


def test_adjustments_ask_those_concerned_alone_and_nobody_talks() -> None:
    table, _laptop, phones = started()
    for sailing in (["F KIE - DEN"], []):
        submit(phones, table, {"GERMANY": sailing})
        now = timezone.now()
        game_lifecycle.resume_game(fresh_game(table), now)
        deadline_clock.check_due_games(now)
    seen = moment(table)
    assert (seen.stage, seen.runs_as) == (Stage.STOPPED, Stage.ADJUSTMENTS)
    game_lifecycle.resume_game(fresh_game(table), timezone.now())
    seen = moment(table)
    assert (seen.stage, seen.may_talk, seen.total) == (Stage.ADJUSTMENTS, False, 3 * MINUTE)
    assert seen.awaited == ("Allemagne",)


def test_the_time_added_counts_in_the_whole() -> None:
    table, _laptop, _phones = started()
    now = timezone.now()
    game = game_lifecycle.resume_game(fresh_game(table), now)
    assert game.deadline is not None
    game_lifecycle.extend_deadline(game, game.deadline + 10 * MINUTE, now)
    seen = moment(table)
    assert seen.left == seen.total
    assert seen.total is not None
    assert seen.total > 39 * MINUTE


def test_a_phone_is_told_the_server_s_hour_and_what_comes_next() -> None:
    table, _laptop, phones = started(clock="anjou_feu")
    game_lifecycle.resume_game(fresh_game(table), timezone.now())
    told = phones["FRANCE"].get(f"/en/tables/{table.game.key}/clock.json").json()
    assert abs(told["now"] / 1000 - timezone.now().timestamp()) < 60
    assert [*told["stages"]] == ["talking", "writing", "time_up"]
    assert told["stages"]["writing"]["talk"] == "No talking."
    assert (told["running"], told["writing"], told["total"]) == (True, 120.0, 18 * 60.0)
    assert len(told["awaited"]) == 7


def test_who_has_submitted_is_no_longer_awaited_and_a_draft_is_nobody_s_business() -> None:
    table, _laptop, phones = started()
    path = f"/parties/{table.game.key}/1/orders/"
    draft = json.dumps({"lines": {"ITALY": ["A ROM H"]}})
    drafted = phones["ITALY"].post(f"{path}ITALY/draft/", draft, content_type="application/json")
    assert drafted.status_code == 200
    assert len(moment(table).awaited) == 7
    submit({"FRANCE": phones["FRANCE"]}, table)
    assert len(moment(table).awaited) == 6


def test_a_stranger_and_a_former_phone_see_no_clock() -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    address = f"/tables/{table.game.key}/clock.json"
    assert phone.get(address).status_code == 200
    TablePlayer.objects.filter(table=table, number=1).update(phone_digest="")
    for browser in (phone, Client()):
        assert browser.get(address).status_code == 404
    assert phone.post(address).status_code in (404, 405)


def test_the_page_shows_the_clock_without_scripts() -> None:
    table, _laptop, phones = started()
    page = phones["FRANCE"].get(f"/tables/{table.game.key}/").content.decode()
    assert "30:00" in page
    assert "data-table-clock" in page


@pytest.mark.parametrize("seconds", [0, 1, 59])
def test_a_clock_stopped_at_the_last_second_goes_on_for_a_minute(seconds: int) -> None:
    table, _laptop, _phones = started()
    now = timezone.now()
    game = game_lifecycle.resume_game(fresh_game(table), now)
    assert game.deadline is not None
    game_lifecycle.pause_game(game, game.deadline - timedelta(seconds=seconds))
    resumed = game_lifecycle.resume_game(fresh_game(table), now)
    assert resumed.deadline == now + MINUTE
    assert phase_deadlines.orders_accepted_until(resumed, missing=True) == resumed.deadline
