"""The page of a phone once the game has begun: what is asked of it, and whose orders it shows."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from talleyrand.web.tables.models import Table, TablePlayer
from tests.web.games import playing

from .phones import fresh_game, open_table, phone_of, started

pytestmark = pytest.mark.django_db
READING = {"has_screen": True}


def page_of(phone: Client, table: Table, language: str = "") -> str:
    response = phone.get(f"{language}/tables/{table.game.key}/")
    assert response.status_code == 200
    return str(response.content.decode())


def submit(phone: Client, table: Table, power: str, *lines: str, number: int = 1) -> dict[str, Any]:
    sent = json.dumps({"lines": {power: list(lines)}, "action": "hand_in", "submission": "k" * 24})
    path = f"/parties/{table.game.key}/{number}/orders/{power}/"
    return dict(phone.post(path, sent, content_type="application/json").json())


def plays(player: TablePlayer, power: str) -> bool:
    return player.table.game.seats.filter(power=power, tenures__person=player.person).exists()


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_a_phone_shows_its_power_and_its_orders_and_no_others() -> None:
    table, _laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", "A PAR - BUR")
    submit(phones["ENGLAND"], table, "ENGLAND", "F LON - NTH")
    page = page_of(phones["FRANCE"], table, "/en")
    assert "<h1>" in page
    assert "France" in words(page)
    assert "Write your orders." in page
    assert "Received" in words(page)
    assert "A Paris - Burgundy" in page
    assert "F LON - NTH" not in page
    assert "F London - North Sea" not in words(page)


def test_orders_lie_behind_the_curtain_when_the_page_comes() -> None:
    table, _laptop, phones = started()
    page = page_of(phones["FRANCE"], table)
    assert re.search(r'<body class="[^"]*\bcurtained\b', page)
    assert 'id="curtain-hold"' in page
    assert re.search(r'<noscript><link rel="stylesheet" href="[^"]*/phone_open.css">', page)


def test_the_referee_who_plays_nothing_is_asked_for_nothing() -> None:
    table, laptop, _phones = started()
    page = page_of(laptop, table, "/en")
    assert 'id="sheet"' not in page
    assert 'id="curtain-hold"' not in page


def test_only_those_concerned_are_asked_for_retreats() -> None:
    table, _laptop, phones = started()
    dislodge_austria(table, phones)
    asked = page_of(phones["AUSTRIA"], table, "/en")
    assert "You have been dislodged: say where you retreat." in asked
    assert 'id="curtain-hold"' in asked
    other = page_of(phones["FRANCE"], table, "/en")
    assert "Nothing for you: Austria retreats." in words(other)
    assert 'id="sheet"' not in other


def dislodge_austria(table: Table, phones: dict[str, Client]) -> None:
    """Austria's army in Galicia is dislodged in the autumn of the first year."""
    for number, orders in enumerate(
        (
            {"AUSTRIA": ["A VIE - GAL"], "RUSSIA": ["A WAR - UKR", "A MOS - WAR"]},
            {"AUSTRIA": ["A GAL H"], "RUSSIA": ["A WAR - GAL", "A UKR S A WAR - GAL"]},
        ),
        1,
    ):
        for power, lines in orders.items():
            submit(phones[power], table, power, *lines, number=number)
        playing.resolved(fresh_game(table))


def test_a_phone_looks_at_the_screen_while_the_orders_are_read() -> None:
    table, _laptop, phones = started()
    playing.resolved(fresh_game(table))
    Table.objects.filter(pk=table.pk).update(reading=READING)
    page = page_of(phones["FRANCE"], table, "/en")
    assert "Look at the screen." in page
    assert 'id="viewport"' not in page
    assert "Results" not in words(page)


def test_after_the_reading_a_phone_has_its_own_results_first() -> None:
    table, _laptop, phones = started()
    submit(phones["TURKEY"], table, "TURKEY", "A CON - BUL")
    playing.resolved(fresh_game(table))
    page = page_of(phones["TURKEY"], table, "/en")
    results = page[page.index('class="phone-last"') :]
    assert results.index('data-province="CON"') < results.index('data-province="VIE"')
    assert "Spring 1901" in words(results)


def test_what_a_page_shows_changes_with_the_phase_and_not_with_the_orders_of_others() -> None:
    table, _laptop, phones = started()
    ask = f"/tables/{table.game.key}/clock.json"
    before = phones["FRANCE"].get(ask).json()["shown"]
    submit(phones["ENGLAND"], table, "ENGLAND", "F LON - NTH")
    assert phones["FRANCE"].get(ask).json()["shown"] == before
    assert f'data-shown="{before}"' in page_of(phones["FRANCE"], table)
    playing.resolved(fresh_game(table))
    assert phones["FRANCE"].get(ask).json()["shown"] != before
    assert Client().get(ask).status_code == 404


def test_a_phone_whose_seat_has_moved_is_told_so_and_sees_no_orders() -> None:
    table, _laptop, phones = started()
    submit(phones["FRANCE"], table, "FRANCE", "A PAR - BUR")
    seat = next(one for one in table.players.all() if plays(one, "FRANCE"))
    other = Client()
    path = f"/tables/{table.game.key}/seats/{seat.number}/move/"
    other.post(path)
    seat.refresh_from_db()
    other.post(path, {"pin": seat.pin})
    left = phones["FRANCE"].get(f"/en/tables/{table.game.key}/")
    assert left.status_code == 404
    assert "This seat is on another phone now" in left.content.decode()
    assert "Burgundy" not in left.content.decode()
    assert "A Paris - Burgundy" in page_of(other, table, "/en")
    assert phones["FRANCE"].get(f"/tables/{table.game.key}/clock.json").status_code == 404


def test_a_vote_on_the_end_is_in_reach() -> None:
    table, _laptop, phones = started()
    page = page_of(phones["FRANCE"], table, "/en")
    assert f'action="/en/games/{table.game.key}/' in page
    assert "End of the game" in words(page)


def test_a_phone_without_scripts_comes_back_to_its_page() -> None:
    table, _laptop, phones = started()
    path = f"/en/games/{table.game.key}/1/orders/FRANCE/"
    sent = phones["FRANCE"].post(path, {"action": "hand_in", "sheet": "A Par - Bur", "submission": "k" * 24})
    assert (sent.status_code, sent["Location"]) == (302, f"/en/tables/{table.game.key}/")
    assert "Received" in words(page_of(phones["FRANCE"], table, "/en"))


def test_a_text_that_comes_twice_is_taken_twice_and_another_on_the_same_ground_is_not() -> None:
    """The first answer may have been lost on the way; a second window may have changed the orders."""
    table, _laptop, phones = started()
    path = f"/en/games/{table.game.key}/1/orders/FRANCE/draft/"

    def typed(text: str) -> int:
        sent = json.dumps({"sheet": text, "base": ""})
        return phones["FRANCE"].post(path, sent, content_type="application/json").status_code

    assert [typed("A Par - Bur"), typed("A Par - Bur"), typed("A Par - Pic")] == [200, 200, 400]


def test_a_seat_of_several_powers_opens_with_the_one_that_is_asked() -> None:
    table, _laptop, phones = started(people="3")
    dislodge_austria(table, phones)
    page = page_of(phones["AUSTRIA"], table, "/en")
    own = [power for power, phone in phones.items() if phone is phones["AUSTRIA"]]
    assert len(own) > 1
    assert 'data-power="AUSTRIA"' in page
    assert page.count('class="phone-power"') == len(own)
    other = next(power for power in own if power != "AUSTRIA")
    shown = phones["AUSTRIA"].get(f"/en/tables/{table.game.key}/", {"power": other})
    assert f'data-power="{other}"' in shown.content.decode()
    stranger = next(power for power in phones if power not in own)
    asked = phones["AUSTRIA"].get(f"/en/tables/{table.game.key}/", {"power": stranger})
    assert asked.status_code == 404


def test_a_phone_that_takes_a_second_seat_is_told_that_it_leaves_the_first() -> None:
    table, _laptop = open_table()
    phone = phone_of(table, "Anna")
    seat = table.players.get(number=5)
    door = f"/en/tables/{table.game.key}/seats/5/{seat.seat_token}/"
    told = "This phone has the seat of Anna."
    assert told in phone.get(door).content.decode()
    assert told not in Client().get(door).content.decode()
    phone.post(door)
    first = f"/en/tables/{table.game.key}/seats/1/{table.players.get(number=1).seat_token}/"
    assert phone.post(first)["Location"].endswith("/seats/1/move/")
    assert "This phone has the seat of 5." in phone.get(phone.post(first)["Location"]).content.decode()
