"""The screen for the room: who may open it, what it tells and what it never tells, and the reading."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.game_master.action_base import ExpectedRevision, GameMasterActor
from talleyrand.web.games.game_master.phase_corrections import roll_back_phase
from talleyrand.web.games.models import GameState, PhaseRevision
from talleyrand.web.tables import table_reading, table_seats, table_stage
from talleyrand.web.tables.models import Table
from talleyrand.web.tables.table_reading import Reading
from tests.web.cast import MASTER, person
from tests.web.games import playing
from tests.web.games.test_secret_votes import OTHERWISE, voted

from .phones import fresh_game, open_table, phone_of, player_named, started

pytestmark = pytest.mark.django_db

FIGHT = {
    "AUSTRIA": ["A Vie - Tri", "A Bud S A Vie - Tri"],
    "ITALY": ["A Ven - Tyr"],
    "FRANCE": ["A Par - Bou", "A Mar - Esp", "F Bre - AtM"],
}
SORTIE = {"ITALY": ["A Ven - Tri"], "AUSTRIA": ["F Tri - Alb", "A Vie - Gal"], "TURKEY": ["A Con - Bul"]}
SPRING_POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def part(browser: Client, table: Table) -> str:
    """The part of the screen that changes, without the drawing."""
    answer = browser.get(f"/tables/{table.game.key}/screen/", headers={"X-Talleyrand-Part": "screen"})
    assert answer.status_code == 200
    return answer.content.decode().partition("<script")[0]


def layers(browser: Client, table: Table) -> dict[str, str]:
    """What is drawn on its map."""
    answer = browser.get(f"/tables/{table.game.key}/screen/", headers={"X-Talleyrand-Part": "screen"})
    found = re.search(r'<script id="layers"[^>]*>(.*?)</script>', answer.content.decode())
    assert found
    told: dict[str, str] = json.loads(found[1])
    return told


def press(browser: Client, table: Table, act: str, **sent: str) -> Any:
    return browser.post(f"/tables/{table.game.key}/reading/{act}/", sent)


def fresh(table: Table) -> Table:
    return Table.objects.select_related("game").get(pk=table.pk)


def reading(table: Table) -> Reading:
    table = fresh(table)
    ran = table_stage.table_moment(table, timezone.now()).has_begun
    found = table_reading.reading_of(table, clock_ran=ran)
    assert found is not None
    return found


def hand_in(phone: Client, table: Table, power: str, *lines: str) -> None:
    sent = json.dumps({"lines": {power: list(lines)}, "action": "hand_in", "submission": power * 6})
    path = f"/parties/{table.game.key}/{fresh_game(table).phase_number}/orders/{power}/"
    assert phone.post(path, sent, content_type="application/json").status_code == 200


def test_a_stranger_and_a_phone_without_the_code_see_no_screen() -> None:
    table, _laptop, phones = started()
    playing.played(table.game, FIGHT)
    for browser in (Client(), phones["FRANCE"]):
        for path in ("screen/", "screen/clock.json", "screen/1/why/VIE/", "screen/1/why/VIE/steps.json"):
            assert browser.get(f"/tables/{table.game.key}/{path}").status_code == 404
        assert press(browser, table, "next").status_code == 404


def test_whoever_has_the_screens_code_shows_it_and_turns_no_page() -> None:
    """The door's code, which the whole room knows, opens no screen: PINs are shown there."""
    table, laptop = open_table()
    wall = Client()
    for code in ("ZZZZZZ", table.code, f"{table.code}ZZZZZZ", f"{table.screen_code}Z", f"{table.code}é"):
        assert wall.get(f"/tables/screen/{code}/").status_code == 404
    assert table.screen_code in laptop.get(f"/tables/{table.game.key}/referee/").content.decode()
    assert wall.get(f"/tables/screen/{table.screen_code.lower()}/").status_code == 302
    page = wall.get(f"/tables/{table.game.key}/screen/").content.decode()
    assert table.code in page
    assert wall.get(f"/tables/{table.game.key}/screen/clock.json").json()["stage"] == "waiting_room"
    assert press(wall, table, "next").status_code == 404
    assert wall.get(f"/tables/{table.game.key}/").status_code == 404


def test_the_way_in_is_shown_while_a_seat_is_free() -> None:
    table, laptop = open_table()
    phone_of(table, "Anna")
    text = part(laptop, table)
    assert 'class="qr"' in text
    assert "Anna" in text
    assert text.count("room-free") == 6


def test_who_has_submitted_is_told_and_never_what() -> None:
    table, laptop, phones = started()
    before, drawn = part(laptop, table), layers(laptop, table)
    assert 'class="qr"' not in before
    hand_in(phones["FRANCE"], table, "FRANCE", "A PAR - BUR", "F BRE - ENG")
    after = part(laptop, table)
    assert layers(laptop, table) == drawn
    changed = set(after.split("<li")) - set(before.split("<li"))
    assert len(changed) == 1
    assert re.search(r"France.*✓.*envoyés", changed.pop(), re.DOTALL)
    assert 'data-state="saved"' in after
    whole = laptop.get(f"/tables/{table.game.key}/screen/").content.decode()
    assert "PAR - BUR" not in whole
    assert not re.search(r'id="layer-orders"[^>]*>\s*<(?!/g)', whole)


def test_a_pin_that_is_asked_for_is_shown_until_its_time_is_over() -> None:
    table, laptop, _phones = started()
    anna, now = player_named(table, "Anna"), timezone.now()
    power = table.game.seats.get(tenures__person=anna.person).power
    names = {"FRANCE": "France", "ENGLAND": "Angleterre", "ITALY": "Italie", "TURKEY": "Turquie"}
    names |= {"AUSTRIA": "Autriche", "GERMANY": "Allemagne", "RUSSIA": "Russie"}
    asked = table_seats.ask_for_pin(anna, now)
    text = part(laptop, table)
    assert f"{names[power]}\u00a0: PIN <strong>{asked.pin}</strong>" in text
    table.players.filter(pk=anna.pk).update(pin_until=now - timedelta(seconds=1))
    assert asked.pin not in part(laptop, table)


def test_the_orders_are_read_power_by_power_and_then_the_result() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    assert reading(table).stops == ("opening", *SPRING_POWERS, "result")
    text = part(laptop, table)
    assert "Autriche" in text
    assert "Vienne" not in text
    assert press(laptop, table, "next").status_code == 302
    text, drawn = part(laptop, table), layers(laptop, table)
    assert "A Vienne - Trieste" in text
    assert "Bourgogne" not in text
    assert 'data-power="FRANCE"' not in drawn["layer-orders"]
    for _ in SPRING_POWERS[1:]:
        press(laptop, table, "next")
    assert "A Vienne" not in part(laptop, table)
    press(laptop, table, "next")
    assert reading(table).stop == "result"
    press(laptop, table, "back")
    assert reading(table).stop == "TURKEY"
    assert table_stage.table_moment(fresh(table), timezone.now()).title == "Lecture des ordres"
    press(laptop, table, "finish")
    assert reading(table).finished
    assert table_stage.table_moment(fresh(table), timezone.now()).title == "Prêts à commencer"
    assert "room-playing" in part(laptop, table)


def test_a_power_is_read_without_the_stand_offs_of_others() -> None:
    table, laptop, _phones = started()
    playing.played(
        table.game, {"AUSTRIA": ["A Vie - Gal"], "RUSSIA": ["A Var - Gal"], "FRANCE": ["A Par - Bou"]}
    )
    press(laptop, table, "next")
    press(laptop, table, "next")
    assert reading(table).stop == "ENGLAND"
    alone = layers(laptop, table)["layer-marks"]
    press(laptop, table, "all")
    assert len(layers(laptop, table)["layer-marks"]) > len(alone)


def test_all_at_once_and_power_by_power_again() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    press(laptop, table, "all")
    assert reading(table).stop == "all"
    text = part(laptop, table)
    assert "A Vienne - Trieste" in text
    assert "A Paris - Bourgogne" in text
    press(laptop, table, "powers")
    assert reading(table).stop == "AUSTRIA"
    press(laptop, table, "all")
    press(laptop, table, "finish")
    playing.played(fresh_game(table), {})
    assert reading(table).together


def test_two_who_press_at_once_turn_one_page() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    mark = reading(table).mark
    for _ in range(2):
        press(laptop, table, "next", mark=mark)
    assert reading(table).step == 1
    press(laptop, table, "next", mark="\x00é" * 5000)
    assert reading(table).step == 1


def test_the_next_power_in_turn_is_read_first_in_the_next_movement_phase() -> None:
    table, _laptop, _phones = started()
    first = playing.played(table.game, FIGHT)
    second = playing.played(fresh_game(table), {})
    assert table_reading.reading_order(table, first)[0] == "AUSTRIA"
    assert second.phase.endswith("M")
    assert table_reading.reading_order(table, second) == (*SPRING_POWERS[1:], "AUSTRIA")


def test_beginners_are_read_first() -> None:
    table, _laptop, _phones = started()
    revision = playing.played(table.game, FIGHT)
    for name in ("Carlo", "Dora"):
        player = player_named(table, name)
        player.is_beginner = True
        player.save()
    powers = set(
        table.game.seats.filter(tenures__person__table_seats__is_beginner=True).values_list(
            "power", flat=True
        )
    )
    order = table_reading.reading_order(table, revision)
    assert set(order[:2]) == powers
    assert [one for one in order if one not in powers] == [one for one in SPRING_POWERS if one not in powers]


def test_in_retreats_those_concerned_alone_are_read() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, SORTIE)
    siege = {"AUSTRIA": ["A Gal - Vie", "A Bud - Tri", "F Alb S A Bud - Tri"]}
    playing.played(fresh_game(table), siege)
    press(laptop, table, "finish")
    assert fresh_game(table).phase.endswith("R")
    assert "Italie fait retraite\u00a0: Armée Trieste." in part(laptop, table)
    playing.played(fresh_game(table), {"ITALY": ["A Tri - Ven"]})
    assert reading(table).order == ("ITALY",)
    press(laptop, table, "next")
    press(laptop, table, "next")
    text = part(laptop, table)
    assert "Pas d’ordres reçus" not in text
    assert "Turquie peut construire 1 unité." in text


def test_a_started_clock_ends_the_reading_which_may_be_read_again() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    assert fresh_game(table).state == GameState.PAUSED
    assert not table_reading.looks_at_screen(fresh(table), timezone.now())
    part(laptop, table)
    assert table_reading.looks_at_screen(fresh(table), timezone.now())
    press(laptop, table, "next")
    game_lifecycle.resume_game(fresh_game(table), timezone.now())
    assert reading(table).finished
    game_lifecycle.pause_game(fresh_game(table), timezone.now() + timedelta(minutes=1))
    assert reading(table).finished
    press(laptop, table, "again")
    assert reading(table).stop == "opening"
    assert not table_reading.looks_at_screen(fresh(table), timezone.now())
    press(laptop, table, "finish")
    assert reading(table).finished


def test_the_clock_is_started_on_the_screen_by_the_referee_alone() -> None:
    table, laptop, _phones = started()
    wall = Client()
    wall.get(f"/tables/screen/{table.screen_code}/")
    assert 'value="start"' not in part(wall, table)
    assert 'value="start"' in part(laptop, table)
    playing.played(table.game, FIGHT)
    assert 'value="start"' not in part(laptop, table)
    press(laptop, table, "all")
    press(laptop, table, "next")
    assert 'value="start"' in part(laptop, table)
    laptop.post(f"/tables/{table.game.key}/clock/", {"act": "start"})
    assert fresh_game(table).state == GameState.PLAYING
    assert 'value="start"' not in part(laptop, table)


def test_where_the_clock_starts_by_itself_the_result_is_shown_at_once() -> None:
    table, _laptop, _phones = started()
    Table.objects.filter(pk=table.pk).update(clock={**table.clock, "by_hand": False})
    playing.played(table.game, FIGHT)
    assert reading(table).stop == "result"
    assert not table_reading.looks_at_screen(fresh(table), timezone.now())


def test_a_phase_that_is_taken_back_is_read_no_more_and_then_anew() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    second = playing.played(fresh_game(table), {})
    press(laptop, table, "next")
    hand = GameMasterActor(player_named(table, "Anna").person, "master")
    ground = ExpectedRevision.from_revision(second)
    roll_back_phase(fresh_game(table), ground, hand=hand, now=timezone.now())
    assert reading(table).finished
    press(laptop, table, "finish")
    playing.resolved(fresh_game(table))
    assert reading(table).stop == "opening"


def test_a_phase_that_is_corrected_shows_its_result() -> None:
    table, laptop, _phones = started()
    revision = playing.played(table.game, FIGHT)
    press(laptop, table, "finish")
    PhaseRevision.objects.filter(pk=revision.pk).update(is_current=False)
    revision.pk, revision.revision, revision.kind = None, 2, "override"
    revision.save()
    assert reading(table).stop == "result"


@pytest.mark.parametrize("path", ["screen/0/why/VIE/", "screen/1/why/NOWHERE/", "screen/9/why/VIE/"])
def test_there_is_no_reason_for_what_is_not_there(path: str) -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    assert laptop.get(f"/tables/{table.game.key}/{path}").status_code == 404


def test_reasons_are_told_on_the_wall() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    path = f"/tables/{table.game.key}/screen/1/why/VIE/"
    assert "Trieste" in laptop.get(f"{path}steps.json").json()["order"]
    assert laptop.get(path).status_code == 200


def test_what_nobody_can_do_to_a_reading() -> None:
    table, laptop, _phones = started()
    assert press(laptop, table, "next").status_code == 302  # nothing has been resolved yet
    assert press(laptop, table, "skip").status_code == 404
    assert laptop.get(f"/tables/{table.game.key}/reading/next/").status_code == 405
    away = press(laptop, table, "next", next="//elsewhere.example/")
    assert away["Location"].endswith("/screen/")
    assert "step" not in fresh(table).reading


def test_the_end_stays_on_the_wall() -> None:
    table, laptop, _phones = started()
    playing.played(table.game, FIGHT)
    person = player_named(table, "Anna").person
    game_lifecycle.abandon_game(fresh_game(table), "minuit", timezone.now(), role="master", by=person)
    press(laptop, table, "finish")
    assert "room-over" in part(laptop, table)


@pytest.mark.long
def test_no_ballot_of_a_secret_vote_is_on_the_wall() -> None:
    """Whatever somebody votes, the room reads the same."""
    told = [_read_out(voted("secret", **more)) for more in ({}, OTHERWISE[0])]
    assert told[0] == told[1]
    assert "Vote secret" in told[0][1]


def _read_out(revision: PhaseRevision) -> list[str]:
    """All orders at once, and the result, as a device with the code shows them."""
    table = Table.objects.create(game=revision.game, host=person(MASTER))
    wall, order = Client(), table_reading.reading_order(table, revision)
    assert wall.get(f"/tables/screen/{table.screen_code}/").status_code == 302
    shown = []
    for step in (1, 2):
        at = Reading(revision.phase_number, revision.pk, order, step, together=True, again=True)
        Table.objects.filter(pk=table.pk).update(reading=at.as_json())
        shown.append(part(wall, table).replace(table.game.key, "").replace(table.code, ""))
    return shown
