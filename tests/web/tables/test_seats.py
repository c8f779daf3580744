"""A table is opened, phones take its seats, and a seat moves by a PIN that the table sees."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import GameLogEntry, GameState
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.models import Table
from tests.web.cast import client_of, person

from .phones import NAMES, fresh_game, open_table, phone_of, player_named, started

pytestmark = pytest.mark.django_db


def test_one_press_opens_a_table_of_seven_without_an_account() -> None:
    table, laptop = open_table()
    assert table.players.filter(number__gt=0).count() == 7
    page = laptop.get(f"/tables/{table.game.key}/").content.decode()
    assert table.code in page
    assert Person.objects.filter(is_guest=True).count() == 9


@pytest.mark.parametrize("people", range(2, 8))
def test_so_many_wait_together(people: int) -> None:
    table, laptop = open_table(people=str(people))
    assert table.players.filter(number__gt=0).count() == people
    for path in ("", "en/"):
        assert laptop.get(f"/{path}tables/{table.game.key}/").status_code == 200


def test_the_same_form_twice_is_one_table() -> None:
    laptop = Client()
    for _ in range(2):
        laptop.post("/tables/", {"submission": "x" * 24})
    assert Table.objects.count() == 1


def test_seven_phones_come_in_and_the_powers_are_dealt() -> None:
    table, _laptop, phones = started()
    assert fresh_game(table).state != GameState.GATHERING
    assert len(phones) == 7


def test_the_door_pressed_twice_at_once_is_one_seat() -> None:
    """Neither answer has come when the second press goes out, so each makes a session; either one is kept."""
    table, _laptop = open_table()
    first, second = Client(), Client()
    for phone in (first, second):
        phone.post(f"/tables/join/{table.code}/", {"name": "Anna", "submission": "s" * 32})
    assert table.players.exclude(phone_digest="").filter(number__gt=0).count() == 1
    for phone in (first, second):
        assert "Anna" in phone.get(f"/tables/{table.game.key}/").content.decode()
    other = phone_of(table, "Bela")
    assert "Bela" in other.get(f"/tables/{table.game.key}/").content.decode()


def test_an_eighth_phone_finds_no_seat() -> None:
    table, _laptop = open_table()
    for name in NAMES:
        phone_of(table, name)
    late = Client().post(f"/tables/join/{table.code}/", {"name": "Hugo"})
    assert late.status_code == 409
    assert "Aucune place libre" in late.content.decode()


@pytest.mark.parametrize("name", ["", "   ", "x", "a\u202eb", "<script>", "😀"])
def test_a_name_that_nobody_can_go_by_is_refused(name: str) -> None:
    table, _laptop = open_table()
    refused = Client().post(f"/tables/join/{table.code}/", {"name": name})
    assert refused.status_code == 409
    assert not table.players.filter(number__gt=0).exclude(phone_digest="").exists()


def test_two_of_one_name_sit_at_one_table() -> None:
    table, _laptop = open_table()
    phone_of(table, "Anna")
    phone_of(table, "Anna")
    assert table.players.filter(person__name__startswith="Anna ").count() == 2


def test_a_phone_submits_orders_for_its_power_alone() -> None:
    table, _laptop, phones = started()
    key = table.game.key
    sent = json.dumps({"lines": {"FRANCE": ["A PAR - BUR"]}, "action": "hand_in", "submission": "k" * 24})
    path = f"/parties/{key}/1/orders/FRANCE/"
    assert phones["FRANCE"].post(path, sent, content_type="application/json").status_code == 200
    assert phones["ENGLAND"].post(path, sent, content_type="application/json").status_code == 404
    assert Client().post(path, sent, content_type="application/json").status_code == 404
    assert table.game.sheets.get().lines == ["A PAR - BUR"]


def test_a_seat_moves_by_the_pin_and_the_former_phone_sees_nothing_any_more() -> None:
    table, _laptop = open_table()
    former = phone_of(table, "Anna")
    anna = player_named(table, "Anna")
    path = f"/tables/{table.game.key}/seats/{anna.number}/move/"
    other = Client()
    assert other.post(path, {"pin": ""}).status_code == 409
    assert other.post(path).status_code == 200
    anna.refresh_from_db()
    assert len(anna.pin) == table_seats.PIN_DIGITS
    assert anna.pin not in other.get(path).content.decode()
    assert other.post(path, {"pin": anna.pin}).status_code == 302
    assert other.get(f"/tables/{table.game.key}/").status_code == 200
    assert former.get(f"/tables/{table.game.key}/").status_code == 404
    assert GameLogEntry.objects.filter(game=table.game, kind="seat_moved", is_public=True).count() == 1


def test_three_wrong_pins_end_the_pin() -> None:
    table, _laptop = open_table()
    phone_of(table, "Anna")
    anna = table_seats.ask_for_pin(player_named(table, "Anna"), timezone.now())
    wrong = "000000" if anna.pin != "000000" else "111111"
    path = f"/tables/{table.game.key}/seats/{anna.number}/move/"
    for _ in range(3):
        assert Client().post(path, {"pin": wrong}).status_code == 409
    assert Client().post(path, {"pin": anna.pin}).status_code == 409
    table.players.filter(pk=anna.pk).update(pin=anna.pin)
    assert Client().post(path, {"pin": anna.pin}).status_code == 409  # it is spent


def test_a_spent_pin_gives_no_new_one_until_its_time_is_over() -> None:
    table, _laptop = open_table()
    phone_of(table, "Anna")
    anna, now = player_named(table, "Anna"), timezone.now()
    table_seats.ask_for_pin(anna, now)
    path = f"/tables/{table.game.key}/seats/{anna.number}/move/"
    for _ in range(3):
        Client().post(path, {"pin": "no"})
    refused = Client().post(path)
    assert refused.status_code == 409
    assert "Trois mauvais codes PIN" in refused.content.decode()
    assert player_named(table, "Anna").pin == ""
    table.players.filter(pk=anna.pk).update(pin_until=now)
    assert Client().post(path).status_code == 200
    assert len(player_named(table, "Anna").pin) == table_seats.PIN_DIGITS


def test_a_photographed_code_of_a_seat_takes_nothing_from_its_phone() -> None:
    table, _laptop = open_table()
    seat = table.players.get(number=3)
    path = f"/tables/{table.game.key}/seats/3/{seat.seat_token}/"
    first, second = Client(), Client()
    assert first.get(path).status_code == 200
    assert first.post(path).status_code == 302
    assert second.post(path)["Location"].endswith("/seats/3/move/")
    assert first.get(f"/tables/{table.game.key}/").status_code == 200
    assert second.get(f"/tables/{table.game.key}/").status_code == 404


def test_whoever_is_signed_in_stays_so_elsewhere() -> None:
    table, _laptop = open_table()
    phone = client_of("Flora")
    phone.post(f"/tables/join/{table.code}/", {"name": "Flo"})
    seat = player_named(table, "Flo")
    game_page = phone.get(f"/parties/{table.game.key}/infos/")
    assert game_page.wsgi_request.user == seat.person
    assert phone.get("/parties/").wsgi_request.user == person("Flora")


def test_a_stranger_sees_no_table() -> None:
    table, _laptop = open_table()
    key = table.game.key
    for path in (f"/tables/{key}/", f"/parties/{key}/", f"/parties/{key}/infos/"):
        assert Client().get(path).status_code == 404
    assert Client().post(f"/tables/{key}/start/").status_code == 404
    assert Client().get("/tables/join/ZZZZZZ/").status_code == 404


def test_only_the_referee_starts_the_game() -> None:
    table, _laptop = open_table()
    assert phone_of(table, "Anna").post(f"/tables/{table.game.key}/start/").status_code == 404
    assert fresh_game(table).state == GameState.GATHERING
