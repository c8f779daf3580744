"""A seat in an account: kept by whoever sits there, or played from afar; once, and never somebody else's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole, OrderSet
from talleyrand.web.notifications.models import Notification
from talleyrand.web.tables.models import Table
from tests.web.cast import client_of, person, signed_in_as

from .phones import fresh_game, open_table, phone_of, player_named, started

pytestmark = pytest.mark.django_db


def orders(client: Client, game: Game, power: str, *lines: str) -> Any:
    sent = {"lines": {power: list(lines)}, "action": "hand_in", "submission": f"{power}{game.version:020}"}
    path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
    return client.post(path, json.dumps(sent), content_type="application/json")


def keep(phone: Client, table: Table) -> Any:
    return phone.post(f"/tables/{table.game.key}/keep/")


def afar(table: Table, number: int) -> str:
    seat = table.players.get(number=number)
    return f"/tables/{table.game.key}/seats/{number}/{seat.seat_token}/account/"


def test_a_guest_who_signs_in_keeps_all_that_was_played() -> None:
    table, _laptop, phones = started()
    phone, game = phones["FRANCE"], fresh_game(table)
    assert orders(phone, game, "FRANCE", "A PAR - BUR").status_code == 200
    guest = Person.objects.get(tenures__seat__game=game, tenures__seat__power="FRANCE")
    page = phone.get(f"/tables/{game.key}/keep/").content.decode()
    assert "Se connecter" in page
    assert keep(phone, table).status_code == 200
    assert Person.objects.filter(pk=guest.pk).exists()
    signed_in_as(phone, person("Flora"))
    assert keep(phone, table).status_code == 302
    flora = person("Flora")
    assert not Person.objects.filter(pk=guest.pk).exists()
    assert power_assignments.players_by_power(game)["FRANCE"] == flora.pk
    assert OrderSet.objects.get(game=game, power="FRANCE").submitted_by == flora
    assert GameMembership.objects.get(game=game, person=flora).role == GameRole.PLAYER
    assert phone.get(f"/tables/{game.key}/").status_code == 200
    assert orders(phone, fresh_game(table), "FRANCE", "A PAR - PIC").status_code == 200
    at_home = client_of("Flora")
    assert "Picardie" in at_home.get(f"/parties/{game.key}/").content.decode()
    assert orders(at_home, fresh_game(table), "ENGLAND").status_code == 404
    assert game.name in at_home.get("/parties/").content.decode()


def test_twice_is_once_and_nobody_else_gets_it() -> None:
    table, _laptop, phones = started()
    phone = phones["FRANCE"]
    signed_in_as(phone, person("Flora"))
    assert keep(phone, table).status_code == 302
    assert keep(phone, table).status_code == 302
    assert "dans votre compte" in phone.get(f"/tables/{table.game.key}/keep/").content.decode()
    thief = Client()
    signed_in_as(thief, person("Sylvain"))
    assert keep(thief, table).status_code == 404
    seat = table.players.get(person__name="Flora")
    door = f"/tables/{table.game.key}/seats/{seat.number}/{seat.seat_token}/"
    assert thief.post(f"{door}account/")["Location"].endswith("/move/")
    assert power_assignments.players_by_power(table.game)["FRANCE"] == person("Flora").pk


def test_no_phone_of_the_room_becomes_an_account_that_plays_from_afar() -> None:
    """Not by the door, nor by another seat, nor by a PIN; and nobody at the table calls it otherwise."""
    table, laptop = open_table()
    for number in (1, 7):
        assert client_of("Flora" if number == 1 else "Roman").post(afar(table, number)).status_code == 302
    key = table.game.key
    anna = phone_of(table, "Anna")
    assert player_named(table, "Anna").number == 2
    anna.post(f"/tables/{key}/seat/", {"act": "sit", "seat": "1"})
    assert player_named(table, "Anna").number == 2
    assert Client().post(f"/tables/{key}/seats/1/move/").status_code == 409
    assert Client().post(f"/tables/{key}/seats/1/move/", {"pin": ""}).status_code == 409
    assert table.players.get(number=1).person == person("Flora")
    assert laptop.post(f"/tables/{key}/seat/", {"act": "free", "seat": "1"}).status_code == 302
    assert table.players.get(number=1).person.is_guest
    assert Person.objects.filter(name="Flora").exists()
    assert not GameMembership.objects.filter(game=table.game, person=person("Flora"), left_at=None).exists()
    roman = client_of("Roman")
    assert roman.get(f"/parties/{key}/").wsgi_request.user == person("Roman")


def test_whoever_kept_a_seat_is_called_as_their_account_is() -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    signed_in_as(phone, person("Flora"))
    assert keep(phone, table).status_code == 302
    phone.post(f"/tables/{table.game.key}/seat/", {"act": "rename", "name": "Zoé"})
    assert Person.objects.filter(name="Flora").exists()
    phone.post(f"/tables/{table.game.key}/seat/", {"act": "leave"})
    assert Person.objects.filter(name="Flora").exists()
    assert not table.players.filter(person=person("Flora")).exists()


def test_an_account_has_one_seat_of_a_game_and_may_sit_at_several_tables() -> None:
    table, _laptop, phones = started()
    for power in ("FRANCE", "ENGLAND"):
        signed_in_as(phones[power], person("Flora"))
    assert keep(phones["FRANCE"], table).status_code == 302
    assert keep(phones["ENGLAND"], table).status_code == 409
    other, _laptop = open_table(submission="t" * 24)
    again = phone_of(other, "Flo")
    signed_in_as(again, person("Flora"))
    assert keep(again, other).status_code == 302
    for one in (table, other):
        assert one.players.filter(person=person("Flora")).count() == 1
    assert GameMembership.objects.filter(person=person("Flora"), left_at=None).count() == 2


def test_somebody_far_away_plays_from_an_account_by_the_link_of_a_seat() -> None:
    table, laptop = open_table()
    phones = [phone_of(table, name) for name in ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny")]
    remote = client_of("Roman")
    assert "Garder cette partie" in remote.get(afar(table, 7)).content.decode()
    assert remote.post(afar(table, 7)).status_code == 302
    laptop.post(f"/tables/{table.game.key}/start/")
    game = fresh_game(table)
    power = power_assignments.powers_played_by(game, person("Roman"))[0]
    assert orders(remote, game, power).status_code == 200
    assert Notification.objects.filter(person=person("Roman")).exists()
    seat = table.players.get(number=7)
    assert Client().post(f"/tables/{game.key}/seats/7/{seat.seat_token}/").status_code != 302
    for phone in phones:
        assert orders(phone, game, power).status_code == 404
    assert client_of("Sylvain").post(afar(table, 7)).status_code == 409
    assert power_assignments.players_by_power(game)[power] == person("Roman").pk


def test_a_link_of_another_seat_is_nothing() -> None:
    table, _laptop = open_table()
    token = table.players.get(number=3).seat_token
    for path in (f"seats/4/{token}/account/", "seats/3/x/account/", "seats/99/x/account/"):
        assert client_of("Roman").post(f"/tables/{table.game.key}/{path}").status_code == 404
    assert Client().post(afar(table, 3)).status_code == 200  # nobody is signed in: the page says how
    assert not table.players.filter(person__is_guest=False).exists()


def test_the_phone_of_the_seat_is_not_pushed_out_by_its_link() -> None:
    table, _laptop = open_table()
    anna = phone_of(table, "Anna")
    seat = player_named(table, "Anna")
    answer = client_of("Roman").post(afar(table, seat.number))
    assert answer["Location"].endswith("/move/")
    assert anna.get(f"/tables/{table.game.key}/").status_code == 200


def test_no_seat_of_a_shared_device_goes_to_whoever_is_signed_in_there() -> None:
    table, _laptop, phones = started()
    Table.objects.filter(pk=table.pk).update(is_one_device=True)
    signed_in_as(phones["FRANCE"], person("Flora"))
    assert keep(phones["FRANCE"], table).status_code == 409
    assert not table.players.filter(person__is_guest=False).exists()


def test_a_deleted_account_leaves_its_seat_to_the_table() -> None:
    table, _laptop, phones = started()
    signed_in_as(phones["FRANCE"], person("Flora"))
    assert keep(phones["FRANCE"], table).status_code == 302
    number = table.players.get(person=person("Flora")).number
    assert personal_data.export_personal_data(person("Flora"))["tables"][0]["seat"] == number
    (told,) = personal_data.deletion_notes(person("Flora"))
    assert "votre place reste à la table" in told
    personal_data.delete_account(person("Flora"))
    left = table.players.get(number=number)
    assert left.person.is_guest
    assert left.phone_digest == ""
    assert power_assignments.powers_played_by(table.game, left.person) == ("FRANCE",)
    assert phones["ITALY"].get(f"/tables/{table.game.key}/").status_code == 200
    assert orders(phones["FRANCE"], fresh_game(table), "FRANCE", "A PAR - PIC").status_code == 404
