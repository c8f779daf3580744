"""Before the start: opening with one press, seats chosen, changed, left and freed, preferences, cards."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import GameMembership, GameState
from talleyrand.web.tables import table_clock, table_seats, table_start
from talleyrand.web.tables.models import Table, TablePlayer

from .phones import NAMES, fresh_game, open_table, phone_of, player_named, started

pytestmark = pytest.mark.django_db


def act(browser: Client, table: Table, kind: str, **more: str) -> Any:
    return browser.post(f"/tables/{table.game.key}/seat/", {"act": kind, **more})


def page(browser: Client, table: Table, english: bool = False) -> str:
    path = f"{'/en' if english else ''}/tables/{table.game.key}/"
    return str(browser.get(path, follow=True).content.decode())


@pytest.mark.parametrize(
    ("path", "button"), [("/tables/", "Ouvrir une table"), ("/en/tables/", "Open a table")]
)
def test_one_button_comes_first(path: str, button: str) -> None:
    shown = Client().get(path).content.decode()
    assert shown.index(button) < shown.index("<details")
    assert "2" in shown
    for people in ("5", "2", "0", "x", "", "9999999999"):
        answer = Client().get(path, {"people": people})
        assert answer.status_code == 200
        assert button in answer.content.decode()


@pytest.mark.parametrize("clock", table_clock.CLOCKS)
def test_each_clock_of_the_list_opens(clock: str) -> None:
    table, _laptop = open_table(clock=clock)
    assert table.clock_rules == table_clock.CLOCKS[clock]


@pytest.mark.parametrize(
    ("asked", "good"),
    [
        ({"clock": "own", "first": "10", "moves": "8", "writing": "2", "between": "1"}, True),
        ({"clock": "own", "first": "10", "moves": "8", "writing": "8", "between": "1"}, False),
        ({"clock": "own", "first": "0", "moves": "8", "writing": "2", "between": "1"}, False),
        ({"clock": "own", "first": "9" * 30, "moves": "8", "writing": "2", "between": "1"}, False),
        ({"clock": "sundial"}, False),
        ({"game": "chess/"}, False),
        ({"dealing": "strength"}, False),
        ({"name": "x" * 81}, False),
        ({"rulebook": "../etc"}, False),
        ({"people": "5"}, True),
    ],
)
def test_what_may_be_asked(asked: dict[str, str], good: bool) -> None:
    answer = Client().post("/tables/", {"submission": "s" * 24, **asked})
    assert answer.status_code == (302 if good else 400)
    assert Table.objects.count() == good


def test_the_waiting_room_shows_who_has_come_and_the_way_in() -> None:
    table, laptop = open_table()
    phone = phone_of(table, "Anna")
    for browser in (laptop, phone):
        shown = page(browser, table, english=True)
        assert table.code in shown
        assert "1 of 7 here" in shown
        assert "Anna" in shown
        assert "<svg" in shown
    assert "Start the game" in page(laptop, table, english=True)
    assert "Start the game" not in page(phone, table, english=True)


def test_by_the_door_one_may_choose_a_free_seat() -> None:
    table, _laptop = open_table(dealing="seated")
    shown = Client().get(f"/tables/join/{table.code}/").content.decode()
    assert shown.count('type="radio"') == 7
    assert "Angleterre" in shown
    phone = Client()
    assert phone.post(f"/tables/join/{table.code}/", {"name": "Anna", "seat": "4"}).status_code == 302
    assert player_named(table, "Anna").number == 4
    late = Client().post(f"/tables/join/{table.code}/", {"name": "Bela", "seat": "4"})
    assert late.status_code == 409
    assert "vient d’être prise" in late.content.decode()
    for seat in ("99", "-1", "x", "\u0664"):
        Client().post(f"/tables/join/{table.code}/", {"name": "Bela", "seat": seat})
    assert table.players.exclude(phone_digest="").filter(number__gt=0).count() <= 4


def test_a_phone_changes_to_a_free_seat_and_not_to_one_that_is_taken() -> None:
    table, _laptop = open_table(dealing="seated")
    phone, _other = phone_of(table, "Anna"), phone_of(table, "Bela")
    act(phone, table, "sit", seat="2")
    assert player_named(table, "Anna").number == 1
    act(phone, table, "sit", seat="5")
    assert player_named(table, "Anna").number == 5
    assert table.players.get(number=1).phone_digest == ""
    assert "Place 1" in page(phone, table)
    for seat in ("", "0", "8", "x"):
        act(phone, table, "sit", seat=seat)
    assert player_named(table, "Anna").number == 5


def test_the_powers_are_those_of_the_seats() -> None:
    table, laptop = open_table(dealing="seated")
    for name in NAMES:
        phone_of(table, name)
    laptop.post(f"/tables/{table.game.key}/start/")
    anna = player_named(table, "Anna")
    held = table.game.seats.filter(tenures__person=anna.person, tenures__ended_at=None)
    assert [one.power for one in held] == anna.powers


@pytest.mark.parametrize("name", ["", " ", "a\u202eb", "<script>", "😀"])
def test_a_name_that_nobody_can_go_by_changes_nothing(name: str) -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    answer = phone.post(f"/tables/{table.game.key}/seat/", {"act": "rename", "name": name}, follow=True)
    assert 'class="messages"' in answer.content.decode()
    assert player_named(table, "Anna").number == 1


def test_a_phone_renames_itself_and_leaves() -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    act(phone, table, "rename", name="Änne")
    seat = player_named(table, "Änne")
    assert act(phone, table, "leave")["Location"].endswith(f"/join/{table.code}/")
    assert TablePlayer.objects.get(pk=seat.pk).phone_digest == ""
    assert phone.get(f"/tables/{table.game.key}/").status_code == 404
    assert "Änne" not in page(phone_of(table, "Bela"), table)
    assert act(phone, table, "leave").status_code == 404


def test_the_referee_frees_a_seat_and_nobody_else_does() -> None:
    table, laptop = open_table()
    anna, bela = phone_of(table, "Anna"), phone_of(table, "Bela")
    assert act(bela, table, "free", seat="1").status_code == 404
    assert act(Client(), table, "free", seat="1").status_code == 404
    assert act(laptop, table, "free", seat="1").status_code == 302
    assert not TablePlayer.objects.get(table=table, number=1).phone_digest
    assert "Anna" not in page(laptop, table)
    for seat in ("", "0", "8", "x", "1\x00"):
        assert act(laptop, table, "free", seat=seat).status_code == 404
    del anna


def test_whoever_opened_the_table_may_play_and_remains_its_referee() -> None:
    table, laptop = open_table()
    assert act(phone_of(table, "Anna"), table, "play", name="Zoe").status_code == 404
    act(laptop, table, "play", name="")
    assert table.players.get(number=0).phone_digest
    act(laptop, table, "play", name="Zoe")
    zoe = player_named(table, "Zoe")
    assert (zoe.number, zoe.is_referee) == (2, True)
    act(laptop, table, "leave")
    assert player_named(table, "Zoe").phone_digest  # a table needs its referee
    assert laptop.post(f"/tables/{table.game.key}/start/")["Location"] == f"/tables/{table.game.key}/"
    assert fresh_game(table).state != GameState.GATHERING


def test_preferences_are_asked_where_they_count() -> None:
    table, laptop = open_table(dealing="wishes")
    phones = {name: phone_of(table, name) for name in NAMES}
    wanted = table.game.seats.get(power="TURKEY").power
    act(phones["Greta"], table, "wish", **{"wish-1": wanted, "wish-2": "NOWHERE", "wish-3": wanted})
    mine = GameMembership.objects.get(game=table.game, person=player_named(table, "Greta").person)
    assert mine.preferences == [wanted]
    assert "Turquie" in page(phones["Greta"], table)
    begun = laptop.post(f"/tables/{table.game.key}/start/")
    assert begun["Location"] == f"/tables/{table.game.key}/referee/"
    held = table.game.seats.get(power=wanted)
    assert held.tenures.filter(ended_at=None).get().person == player_named(table, "Greta").person


def test_no_preferences_are_taken_where_lots_decide() -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    act(phone, table, "wish", **{"wish-1": "TURKEY"})
    assert not GameMembership.objects.filter(game=table.game).exclude(preferences=[]).exists()
    assert "wish-1" not in page(phone, table)


@pytest.mark.parametrize("name", ["rename", "leave", "sit", "wish", "free", "play"])
def test_after_the_start_nothing_of_it_is_done(name: str) -> None:
    table, laptop, phones = started()
    before = list(table.players.values("number", "phone_digest", "person__name"))
    browser = laptop if name in ("free", "play") else phones["FRANCE"]
    answer = act(browser, table, name, name="Zoe", seat="3")
    assert answer.status_code == 302
    assert list(table.players.values("number", "phone_digest", "person__name")) == before


def test_a_seat_that_is_freed_while_the_game_begins_is_still_somebody_s() -> None:
    table, laptop = open_table()
    phone_of(table, "Anna")
    stale = player_named(table, "Anna")
    table_start.start_table(table, timezone.now())
    act(laptop, table, "free", seat=str(stale.number))
    assert TablePlayer.objects.get(pk=stale.pk).phone_digest == stale.phone_digest
    assert table_seats.SEATS_SESSION_KEY in laptop.session


@pytest.mark.parametrize("name", ["", "deal", "RENAME", "\x00"])
def test_what_is_no_act_is_not_found(name: str) -> None:
    table, laptop = open_table()
    assert act(laptop, table, name).status_code == 404


def test_a_card_for_each_seat_and_one_for_the_door() -> None:
    table, laptop = open_table(dealing="seated")
    path = f"/en/tables/{table.game.key}/cards/"
    shown = laptop.get(path).content.decode()
    assert shown.count("<svg") == 8
    assert "Seat 7" in shown
    assert table.code in shown
    assert phone_of(table, "Anna").get(path).status_code == 404
    assert Client().get(path).status_code == 404


def test_the_site_leads_to_the_page_that_opens_a_table() -> None:
    for path in ("/", "/parties/", "/en/", "/en/games/"):
        assert "/tables/" in Client().get(path).content.decode()
